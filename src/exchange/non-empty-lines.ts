/** The lines of a stored text as they are matched: trimmed, without the empty ones (reference, "texts of lines"). */
export function nonEmptyLines(text: unknown): string[] {
  const lines = String(text ?? '').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}
