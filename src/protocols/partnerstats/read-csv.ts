const delimiters = [',', ';', '\t', '|'] as const;

/** The delimiter that the header line has most of. */
function delimiterOf(header: string): string {
  const counted = delimiters.map((one) => [header.split(one).length, one] as const);
  return counted.toSorted(([a], [b]) => b - a)[0]?.[1] ?? ',';
}

/** Cells of CSV (RFC 4180) line by line; quotes may hold delimiters and ends of lines. */
export function csvCells(text: string, linesMax: number): string[][] {
  const content = text.replace(/^\uFEFF/, '');
  const delimiter = delimiterOf(content.split(/\r?\n/, 1)[0] ?? '');
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endLine = () => {
    cells.push(cell);
    if (cells.length > 1 || cells[0]?.trim() !== '') lines.push(cells);
    cells = [];
    cell = '';
  };
  for (let at = 0; at < content.length && lines.length <= linesMax; at += 1) {
    const character = content[at] ?? '';
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (content[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell.trim() === '') {
      isQuoted = true;
      cell = '';
    } else if (character === delimiter) {
      cells.push(cell);
      cell = '';
    } else if (character === '\n') endLine();
    else if (character !== '\r') cell += character;
  }
  if (cell !== '' || cells.length > 0) endLine();
  return lines;
}
