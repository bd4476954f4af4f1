import { type CellValue, readXlsx as readWorkbook, writeXlsx } from 'hucre/xlsx';
import { declaredBytes } from './declared-bytes.ts';
import { collectRows, type SheetBounds, type SheetRow, sizeFault, unpackedFault } from './sheet.ts';

const unreadable =
  'The file cannot be read as XLSX. Save it again as XLSX without a password, or as CSV, and choose that.';

/** Floating point shows itself in more. */
const digitsMax = 15;
const dayLength = '2027-01-31'.length;
const secondLength = '2027-01-31T12:00:00'.length;

/** A cell as text: numbers with a point, dates as the API has them, in the sheet's own time. */
function textOf(value: CellValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(Number(value.toPrecision(digitsMax)));
  if (!(value instanceof Date)) return String(value);
  if (Number.isNaN(value.getTime())) return '';
  const text = value.toISOString();
  return text.slice(0, text.includes('T00:00:00') ? dayLength : secondLength);
}

/** Not row by row: the reader that does so takes time by the square of the rows. One row more tells of too many. */
async function firstSheet(bytes: Uint8Array, { rowsMax }: SheetBounds): Promise<readonly CellValue[][]> {
  try {
    const { sheets } = await readWorkbook(bytes, { sheets: [0], maxRows: rowsMax + 2 });
    return sheets[0]?.rows ?? [];
  } catch (cause) {
    throw new Error(unreadable, { cause });
  }
}

/** The rows of an XLSX file's first sheet that are not blank. Throws with a message for people. */
export async function readXlsx(bytes: Uint8Array, bounds: SheetBounds): Promise<readonly SheetRow[]> {
  const declared = declaredBytes(bytes);
  const tooLarge = sizeFault(bytes.length, bounds) ?? unpackedFault(declared ?? 0, bounds);
  if (tooLarge || declared === undefined) throw new Error(tooLarge ?? unreadable);
  const collected = collectRows(bounds);
  for (const [index, values] of (await firstSheet(bytes, bounds)).entries()) {
    if (!collected.add(index + 1, values.map(textOf))) break;
  }
  if (collected.fault) throw new Error(collected.fault);
  return collected.rows;
}

export interface XlsxTable {
  /** Of the sheet. */
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    readonly isText: boolean;
    /** The values that a list offers in its cells. */
    readonly choices?: readonly string[] | undefined;
  }[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

const widths = { least: 8, most: 40, sampledRows: 100 };
/** Longer lists Excel refuses. */
const choicesCharactersMax = 255;

function widthOf(column: number, head: string, rows: XlsxTable['rows']): number {
  const lengths = rows.slice(0, widths.sampledRows).map((row) => String(row[column] ?? '').length);
  return Math.min(widths.most, Math.max(widths.least, head.length + 2, ...lengths));
}

const letter = (index: number): string =>
  (index >= 26 ? letter(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));

/** Office reads `_x0041_` as an A. */
const escaped = (value: string | number | null) =>
  typeof value === 'string' ? value.replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_') : value;

/** As an XLSX file with one sheet, in which texts stay texts when they are edited. */
export async function writeTable({ name, columns, rows }: XlsxTable): Promise<Uint8Array> {
  const offered = columns.flatMap(({ choices }, index) =>
    choices && choices.join().length <= choicesCharactersMax && !choices.some((one) => /[",]/.test(one))
      ? [{ index, choices }]
      : [],
  );
  return writeXlsx({
    sheets: [
      {
        name,
        columns: columns.map((column, index) => ({
          header: column.name,
          width: widthOf(index, column.name, rows),
          ...(column.isText && { numFmt: '@' }),
        })),
        rows: [columns.map((column) => column.name), ...rows.map((row) => row.map(escaped))],
        freezePane: { rows: 1 },
        dataValidations: offered.map(({ index, choices }) => ({
          type: 'list',
          values: [...choices],
          allowBlank: true,
          range: `${letter(index)}2:${letter(index)}${rows.length + 1}`,
        })),
      },
    ],
  });
}
