const charactersMax = 128;

/** A subid as it is counted: what no database can hold is taken out, and it is cut after 128 characters. */
export function cleanSubId(sent: string): string {
  return sent.slice(0, charactersMax).replaceAll('\0', '').toWellFormed();
}
