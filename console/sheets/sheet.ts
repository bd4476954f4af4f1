import type { DecimalName } from '../../src/reference/csv.ts';

/** A row of a table in a file. */
export interface SheetRow {
  /** As spreadsheets count it, from 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** A table in a file: its head, and the rows that are not blank. */
export interface Sheet {
  readonly head: SheetRow;
  readonly rows: readonly SheetRow[];
  /** `Comma`: numbers may have their decimals behind a comma, too. */
  readonly decimal: DecimalName;
}

export interface SheetBounds {
  readonly bytesMax: number;
  /** Of all that a compressed file holds. */
  readonly unpackedBytesMax: number;
  /** Besides the head. */
  readonly rowsMax: number;
  readonly columnsMax: number;
}

/** What a file of objects may have. */
export const objectBounds: SheetBounds = {
  bytesMax: 20 * 1024 * 1024,
  unpackedBytesMax: 200 * 1024 * 1024,
  rowsMax: 10_000,
  columnsMax: 300,
};

/** What a file of a list's lines may have. */
export const lineBounds: SheetBounds = {
  bytesMax: 64 * 1024 * 1024,
  unpackedBytesMax: 512 * 1024 * 1024,
  rowsMax: 1024 * 1024,
  columnsMax: 100,
};

/** Spreadsheets cut what is longer. */
export const cellCharactersMax = 32_767;

/** Of a spreadsheet. */
const rowNumberMax = 1024 * 1024;

const count = new Intl.NumberFormat('en').format;
const megabytes = (bytes: number) => `${count(bytes / 1024 / 1024)} MB`;

/** Why a file is not read, as people are told it; undefined where its size is no reason. */
export const sizeFault = (size: number, { bytesMax }: SheetBounds): string | undefined =>
  size > bytesMax
    ? `The file is larger than ${megabytes(bytesMax)}. Split it into smaller files.`
    : undefined;

export const unpackedFault = (size: number, { unpackedBytesMax }: SheetBounds): string | undefined =>
  size > unpackedBytesMax
    ? `The file unpacks to more than ${megabytes(unpackedBytesMax)}. Save only the sheet with the data, without pictures, and split it if it is still as large.`
    : undefined;

/** Collects the rows of a table; `fault` says why no more are taken. */
export function collectRows({ rowsMax, columnsMax }: SheetBounds) {
  const rows: SheetRow[] = [];
  const collected = {
    rows,
    fault: undefined as string | undefined,
    add(number: number, cells: readonly string[]): boolean {
      const last = cells.findLastIndex((cell) => cell !== '');
      if (cells.every((cell) => cell.trim() === '')) return true;
      if (number > rowNumberMax) collected.fault = 'The file counts more rows than a spreadsheet can have.';
      else if (last >= columnsMax)
        collected.fault = `Row ${count(number)} has more than ${count(columnsMax)} columns. Delete those that you do not change.`;
      else if (rows.length > rowsMax)
        collected.fault = `The file has more than ${count(rowsMax)} rows. Split it into several files.`;
      else rows.push({ number, cells: cells.slice(0, last + 1) });
      return collected.fault === undefined;
    },
  };
  return collected;
}

/** The table of rows whose first one is its head. Throws if there is none. */
export function sheetOf(rows: readonly SheetRow[], decimal: DecimalName): Sheet {
  const [head, ...others] = rows;
  if (!head) throw new Error('The file is empty. Its first row must have the names of the fields.');
  return { head, rows: others, decimal };
}

const lineCell = (cell: string): string => {
  const flat = cell.replaceAll(/[\t\r\n]+/g, ' ');
  return flat.startsWith('"') ? `"${flat.replaceAll('"', '""')}"` : flat;
};

/** Rows as lines of text with the same numbers, their cells between tabs. */
export function linesOf(rows: readonly SheetRow[]): string {
  const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const lines: string[] = [];
  for (const { number, cells } of rows) {
    while (lines.length < number - 1) lines.push('');
    lines.push(
      columns === 1
        ? (cells[0] ?? '')
        : Array.from({ length: columns }, (_, at) => lineCell(cells[at] ?? '')).join('\t'),
    );
  }
  return lines.join('\n');
}
