import { type CsvForm, type CsvValue, csvLines } from '../reference/csv.ts';

/** A column of a table: its name, and its value in a row. */
interface Column<Row> {
  readonly name: string;
  readonly of: (row: Row) => CsvValue;
}

/** A way to write a report: its media type, and its text in pieces, as the rows come. */
export interface StatisticsFormat {
  readonly type: string;
  readonly write: <Row>(
    columns: readonly Column<Row>[],
    rows: AsyncIterable<readonly Row[]>,
  ) => AsyncGenerator<string>;
}

/** CSV in some form, with a header line; programs that people open files with want a byte order mark. */
export function csvFormat(form: CsvForm = {}, mark = ''): StatisticsFormat {
  const line = csvLines(form);
  return {
    type: 'text/csv; charset=utf-8',
    async *write(columns, rows) {
      // The header goes out with the first rows, so that a failure before them can still be answered as an error.
      let before = mark + line(columns.map(({ name }) => name));
      for await (const some of rows) {
        yield before + some.map((row) => line(columns.map(({ of }) => of(row)))).join('');
        before = '';
      }
    },
  };
}

/** A JSON array of objects, whose members are the columns. */
const json: StatisticsFormat = {
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
export const statisticsFormats: ReadonlyMap<string, StatisticsFormat> = new Map([
  ['csv', csvFormat()],
  ['json', json],
]);
