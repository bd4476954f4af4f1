const delimiters = [',', ';', '\t', '|'] as const;

function delimiterOf(header: string): string {
  const counted = delimiters.map((one) => [header.split(one).length, one] as const);
  return counted.toSorted(([a], [b]) => b - a)[0]?.[1] ?? ',';
}

/** A cell, and what ends it: a delimiter or the end of line or text. Quotes may hold both. */
const cellsOf = (delimiter: string) => {
  const end = delimiter === '|' ? '\\|' : delimiter;
  return new RegExp(` *"((?:[^"]|"")*)" *(${end}|\\r?\\n|$)|([^${end}\\r\\n]*)(${end}|\\r?\\n|\\r|$)`, 'y');
};

/** RFC 4180, without empty lines. */
export function csvCells(text: string, linesMax: number): string[][] {
  const content = text.replace(/^\uFEFF/, '');
  const pattern = cellsOf(delimiterOf(content.split(/\r?\n/, 1)[0] ?? ''));
  const lines: string[][] = [];
  let cells: string[] = [];
  while (pattern.lastIndex < content.length && lines.length <= linesMax) {
    const [, quoted, quotedEnd, plain = '', plainEnd = ''] = pattern.exec(content) ?? [];
    const end = quotedEnd ?? plainEnd;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (/^[\r\n]/.test(end) || pattern.lastIndex >= content.length) {
      if (cells.some((cell) => cell.trim() !== '')) lines.push(cells);
      cells = [];
    }
  }
  return lines;
}
