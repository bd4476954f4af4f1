const charactersMax = 128;

/** Cut after 128 characters, and without characters that no database can hold. */
export function cleanSubId(sent: string): string {
  return sent.slice(0, charactersMax).replaceAll('\0', '').toWellFormed();
}
