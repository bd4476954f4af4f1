import { type CsvForm, type CsvValue, csvLines } from '../reference/csv.ts';

interface Column<Row> {
  readonly name: string;
  readonly of: (row: Row) => CsvValue;
}

/** Text comes in pieces, as the rows come. */
export interface StatisticsFormat {
  readonly type: string;
  readonly write: <Row>(
    columns: readonly Column<Row>[],
    rows: AsyncIterable<readonly Row[]>,
  ) => AsyncGenerator<string>;
}

/** With a header line; spreadsheets want a byte order mark. */
export function csvFormat(form: CsvForm = {}, mark = ''): StatisticsFormat {
  const line = csvLines(form);
  return {
    type: 'text/csv; charset=utf-8',
    async *write(columns, rows) {
      // Sent with the first rows, so that an earlier failure can still be answered as an error.
      let before = mark + line(columns.map(({ name }) => name));
      for await (const some of rows) {
        yield before + some.map((row) => line(columns.map(({ of }) => of(row)))).join('');
        before = '';
      }
    },
  };
}

/** An array of objects whose members are the columns. */
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

export const statisticsFormats: ReadonlyMap<string, StatisticsFormat> = new Map([
  ['csv', csvFormat()],
  ['json', json],
]);
