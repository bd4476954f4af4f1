/** A column of a table: its name, and its value in a row. */
interface Column<Row> {
  readonly name: string;
  readonly of: (row: Row) => string | number;
}

/** A way to write a report: its media type, and its text in pieces, as the rows come. */
export interface ReportFormat {
  readonly type: string;
  readonly write: <Row>(
    columns: readonly Column<Row>[],
    rows: AsyncIterable<readonly Row[]>,
  ) => AsyncGenerator<string>;
}

const decimalsMax = 9;

/**
 * Where spreadsheets would begin to run a formula (OWASP, "CSV Injection"): at a sign of a formula, also of full or
 * small width, behind any white space or invisible characters; at a tab or a line's end. It counts at the beginning of
 * a text and behind whatever begins another cell in some program: in many countries the semicolon separates, not the
 * comma.
 */
const formula =
  /(?<=^|[;\t\r\n])(?=[\s\p{C}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u2212])|^(?=[\t\r\n])/gu;

/** A text as a field of RFC 4180, with an apostrophe wherever a formula could begin (decisions, S16). */
function textField(value: string): string {
  const text = value.replace(formula, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A field of RFC 4180. Numbers are written without an exponent. */
function csvField(value: string | number): string {
  if (typeof value === 'string') return textField(value);
  const text = String(value);
  return text.includes('e') ? value.toFixed(decimalsMax).replace(/\.?0+$/, '') : text;
}

function csvRecord(values: readonly (string | number)[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

/** CSV by RFC 4180, with a header line. */
const csv: ReportFormat = {
  type: 'text/csv; charset=utf-8',
  async *write(columns, rows) {
    // The header goes out with the first rows, so that a failure before them can still be answered as an error.
    let before = csvRecord(columns.map(({ name }) => name));
    for await (const some of rows) {
      yield before + some.map((row) => csvRecord(columns.map(({ of }) => of(row)))).join('');
      before = '';
    }
  },
};

/** A JSON array of objects, whose members are the columns. */
const json: ReportFormat = {
  type: 'application/json; charset=utf-8',
  async *write(columns, rows) {
    let before = '[';
    for await (const some of rows) {
      const objects = some.map((row) => Object.fromEntries(columns.map(({ name, of }) => [name, of(row)])));
      if (objects.length === 0) continue;
      yield before + JSON.stringify(objects).slice(1, -1);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  },
};

/** The formats by the value of the parameter `type`. */
export const reportFormats: ReadonlyMap<string, ReportFormat> = new Map([
  ['csv', csv],
  ['json', json],
]);
