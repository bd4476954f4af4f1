/** What separates the cells of exported tables. */
const separators = [',', ';', '\t'] as const;
/** One of them; undefined where a line is one cell. */
export type Separator = (typeof separators)[number] | undefined;

/** The cells of a line, without the quotes around them (RFC 4180). */
export function cellsOf(line: string, separator: Separator): readonly string[] {
  if (separator === undefined) return [line];
  const cells: string[] = [];
  let from = 0;
  while (from <= line.length) {
    const quoted = line[from] === '"' ? /"((?:[^"]|"")*)"/y : undefined;
    if (quoted) quoted.lastIndex = from;
    const match = quoted?.exec(line);
    const start = match ? from + match[0].length : from;
    const found = line.indexOf(separator, start);
    const end = found === -1 ? line.length : found;
    cells.push((match ? (match[1] ?? '').replaceAll('""', '"') : line.slice(from, end)).trim());
    from = end + 1;
  }
  return cells;
}

/** The separator by which nearly all lines have as many cells, two or more; the one with the most. */
export function separatorOf(lines: readonly string[]): Separator {
  let best: { readonly separator: Separator; readonly cells: number } = { separator: undefined, cells: 1 };
  for (const separator of separators) {
    const cells = cellsOf(lines[0] ?? '', separator).length;
    const alike = lines.filter((line) => cellsOf(line, separator).length === cells).length;
    if (cells > best.cells && alike >= lines.length * 0.9) best = { separator, cells };
  }
  return best.separator;
}
