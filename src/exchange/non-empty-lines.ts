/** Trimmed, without empty lines (reference, "texts of lines"). */
export function nonEmptyLines(text: unknown): string[] {
  const lines = String(text ?? '').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}
