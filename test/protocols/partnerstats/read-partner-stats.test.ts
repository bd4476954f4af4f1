import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { countOf, dayReader, nanosOf, utcDayAt } from '../../../src/protocols/partnerstats/figure-text.ts';
import { readPartnerStats } from '../../../src/protocols/partnerstats/read-partner-stats.ts';
import { seeded } from '../../support/seed.ts';

const first = Date.parse('2026-11-20') / 86_400_000;
const days = [
  { day: first, impressions: 1200, clicks: 0, nanos: 3_500_000_000 },
  { day: first + 1, impressions: 7, clicks: 0, nanos: 100_000_000 },
];
const rows = [
  { date: '2026-11-20', impressions: 1200, revenue: 3.5 },
  { date: '2026-11-21', impressions: 7, revenue: 0.1 },
];
const json = JSON.stringify;
const xml = () =>
  `<stats>${rows.map((row) => `<row><date>${row.date}</date><impressions>${row.impressions}</impressions><revenue>${row.revenue}</revenue></row>`).join('\n')}</stats>`;
const csv = 'Date,Impressions,Revenue\n2026-11-20,1200,3.5\n2026-11-21,7,0.1\n';

describe('shapes that partners have', () => {
  const cases: readonly (readonly [name: string, text: string, fragment?: string])[] = [
    ['an array', json(rows)],
    ['an object with one array', json({ status: 'ok', data: rows })],
    ['nested, with metadata', json({ response: { meta: { rows: 2 }, errors: [], data: { items: rows } } })],
    ['figures as texts', json(rows.map((row) => ({ day: row.date, imps: `${row.impressions}`, spend: `$${row.revenue}` })))],
    ['other spellings', json(rows.map((row) => ({ DateStats: row.date, Net_Impressions: row.impressions, 'Spend (USD)': row.revenue })))],
    ['columns that are named', json(rows.map((row) => ({ when: row.date, shown: row.impressions, net: row.revenue, revenue: 9 }))), 'date=when&impressions=shown&amount=net'],
    ['the array that is named', json({ a: [{ x: 1 }], b: { c: rows } }), 'rows=b.c'],
    ['another fragment', json(rows), '/dashboard'],
    ['split by country', json([...rows.slice(1), { date: '2026-11-20', impressions: 1000, revenue: 3 }, { date: '2026-11-20', impressions: 200, revenue: 0.5 }])],
    ['CSV', csv],
    ['with a byte order mark, CRLF and semicolons', `\uFEFF${csv.replaceAll('\n', '\r\n').replaceAll(',', ';')}`],
    ['with tabs, no end of line and quotes', '"Day"\t"Imps"\t"Cost"\n"2026-11-20"\t"1,200"\t"3.50"\n20261121\t7\t0.1'],
    ['with a total', `${csv}Total,1207,3.6\n`],
    ['with times', csv.replace('2026-11-20', '2026/11/20 00:00:00').replace('2026-11-21', '2026-11-21T23:59:59Z')],
    ['with a time of another zone', csv.replace('2026-11-21', '2026-11-22T01:00:00+02:00')],
    ['USD, said in a column', json(rows.map((row) => ({ ...row, currency: 'usd' })))],
    ['USD, said for all', json({ currency: 'USD', data: rows })],
    ['a column of USD beside others', json(rows.map(({ revenue, ...row }) => ({ ...row, currency: 'EUR', revenue_usd: revenue })))],
    ['a total of another currency', 'Date,Impressions,Revenue,Currency\n2026-11-20,1200,3.5,USD\n2026-11-21,7,0.1,\nTotal,1207,3.6,EUR\n'],
    ['XML', `<?xml version="1.0"?>\n${xml()}`],
    ['XML with a namespace', xml().replace('<stats>', '<s:stats xmlns:s="urn:x">').replace('</stats>', '</s:stats>')],
    ['XML of attributes', `<r currency="USD">${rows.map((row) => `<row date="${row.date}" impressions="${row.impressions}" revenue="${row.revenue}"/>`).join('')}</r>`],
    ['XML with metadata', `<response><meta page="1"/><error code="0"/><data>${xml()}</data></response>`],
    ['XML whose rows are named', `<a>${xml()}<x><row><date>2026-01-01</date><imps>1</imps></row></x></a>`, 'rows=a.stats.row'],
    ['XML with CDATA and references', xml().replace('1200', '<![CDATA[1200]]>').replace('3.5', '&#51;.5')],
    ['a fragment with a zone', json(rows), 'zone=America/New_York'],
    ['quotes with delimiters and lines', `Name,${csv.replaceAll('\n2', '\n"a, ""b""\nc",2')}`],
  ]; // biome-ignore format: a table
  for (const [name, text, fragment] of cases) {
    test(name, () => {
      const read = readPartnerStats(text, fragment);
      assert.deepEqual('days' in read ? read.days : read.fault, days);
    });
  }

  test('what amounts are in matters to amounts alone', () => {
    const read = readPartnerStats(
      json({ currency: 'EUR', data: [{ date: '2026-11-20', imps: 5, cur: 'EUR' }] }),
    );
    assert.deepEqual('days' in read ? read.days : read.fault, [
      { day: first, impressions: 5, clicks: 0, nanos: 0 },
    ]);
  });

  test('no rows are none', () => {
    for (const text of ['[]', '{"data":[]}', 'Date,Impressions\n'])
      assert.deepEqual(readPartnerStats(text), { days: [], rows: 0 }, text);
  });
});

describe('what cannot be read in one way only is not read, and says what helps', () => {
  const cases: readonly (readonly [text: string, says: RegExp, fragment?: string])[] = [
    ['', /empty/],
    ['<!doctype html><p>Log in', /HTML/],
    ['{"data":', /begins like JSON/],
    ['Too many requests', /no column is recognized/],
    ['{"a":1}', /no array of rows/],
    ['[1,2]', /no array of rows/],
    [json({ a: rows, b: rows }), /several arrays of rows \(a, b\).*#rows=a/],
    [json(rows), /no array of rows at x; possible values: the answer itself/, 'rows=x'],
    [json(rows), /names datum; it may name date/, 'datum=x'],
    [json(rows), /no column when; the columns are: date, impressions, revenue/, 'date=when'],
    ['{"a":[{"impressions":1}]}', /column is recognized for the date; the columns are: impressions/],
    ['[{"date":"2026-11-20","x":1}]', /impressions or amounts; the columns are: date, x/],
    ['[{"date":"2026-11-20","revenue":1,"spend":2}]', /revenue and spend could both be the amount.*#amount=revenue/],
    ['date,imps\n11/12/2026,5', /row 1: the date is "11\/12\/2026"/],
    ['date,imps\n2026-02-30,5', /the date is/],
    ['date,imps\n,5', /the date is ""/],
    ['date,imps\n2026-11-20,5.5', /imps is "5.5"/],
    ['date,imps\n2026-11-20,-5', /imps is "-5"/],
    ['date,imps\n2026-11-20,many', /imps is "many"/],
    ['date;revenue\n2026-11-20;1.234,56', /revenue is "1.234,56"/],
    ['date;revenue\n2026-11-20;1,234', /revenue is "1,234"/],
    ['date;revenue\n2026-11-20;3 €', /revenue is/],
    ['date,imps\n2026-11-20,1,200', /row 1 of the CSV has 3 cells, and its header has 2/],
    ['date,imps,imps\n2026-11-20,1,2', /two columns named "imps"/],
    [json([{ date: '2026-11-20', imps: { n: 1 } }]), /imps is \{"n":1\}/],
    ['date,imps,revenue,currency\n2026-11-20,1,1.25,EUR', /row 1: currency is "EUR": only amounts in USD are read.*Ask the partner for USD/],
    ['date,imps,revenue,Currency Code\n2026-11-20,1,1,USD\n2026-11-21,1,1,GBP', /row 2: Currency Code is "GBP"/],
    [json([{ date: '2026-11-20', imps: 1, spend: 1, cur: 'RUB' }]), /cur is "RUB"/],
    [json({ meta: { currency: 'EUR' }, data: rows }), /of the whole answer, currency is "EUR"/],
    ['<r currency="EUR"><row date="2026-11-20" imps="1" revenue="1"/></r>', /currency is "EUR"/],
    ['<r><row><date>2026-11-20</date><revenue currency="EUR">1.25</revenue></row></r>', /currency is "EUR"/],
    ['date,imps,Net (EUR)\n2026-11-20,1,1.25', /Net \(EUR\) is "EUR"/, 'amount=Net (EUR)'],
    ['date,imps,revenue,unit\n2026-11-20,1,1,EUR', /unit is "EUR"/, 'currency=unit'],
    ['date,imps,revenue\n2026-11-20,1,1', /no column unit/, 'currency=unit'],
    ['<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbb">]><a><row><date>&b;</date></row></a>', /DOCTYPE/],
    ['<a><row><date>&b;</date></row></a>', /not well-formed/],
    ['<a><row><date>2026-11-20</date>', /not well-formed/],
    ['<a>none</a>', /without rows/],
    ['<html><body><p>Log in</p></body></html>', /HTML/],
    [`${'<a>'.repeat(40)}${'</a>'.repeat(40)}`, /more than 32 deep/],
    [`<a>${'<b c="1" d="2"/>'.repeat(140_000)}</a>`, /more than 400000 elements/],
    [`<a>${'<row date="2026-11-20" imps="1"/>'.repeat(20_001)}</a>`, /more than 20000 rows/],
    [`<a><x><row date="2026-11-20" imps="1"/></x><y><row date="2026-11-20" imps="2"/></y></a>`, /the XML has several arrays of rows \(a.x.row, a.y.row\)/],
    ['\x1f\uFFFD\b\0\0abc', /binary, not text/],
    ['\uFFFDPNG\r\n\u001a', /binary, not text/],
    [json(Array.from({ length: 20_001 }, () => rows[0])), /more than 20000 rows/],
  ]; // biome-ignore format: a table
  for (const [text, says, fragment] of cases) {
    test(`${text.slice(0, 40)} ${fragment ?? ''}`, () => {
      const read = readPartnerStats(text, fragment);
      assert.match('fault' in read ? read.fault : json(read), says);
    });
  }

  test('whatever comes: days or a fault, and no exception', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .array(fc.dictionary(fc.constantFrom('date', 'imps', 'revenue', 'x'), fc.jsonValue()))
        .map((all) => json(all)),
      fc
        .array(fc.array(fc.constantFrom('date', 'imps', '2026-11-20', '1', '"', ',', '\n')))
        .map((all) => all.flat().join(',')),
    );
    fc.assert(
      fc.property(texts, fc.string(), (text, fragment) => {
        const read = readPartnerStats(text, fragment);
        return 'fault' in read
          ? read.fault !== ''
          : read.days.every(({ nanos }) => Number.isSafeInteger(nanos));
      }),
      seeded(500),
    );
  });
});

test('amounts are exact to the nano-dollar', () => {
  const cases = [
    ['0.1', 100_000_000], ['1e-9', 1], ['4e-10', 0], ['5e-10', 1], ['$1,234.56', 1_234_560_000_000], ['-2.5', -2_500_000_000],
    [0.30000000000000004, 300_000_000], ['1,234,567', 1_234_567_000_000_000], ['9999999', undefined], ['1.2.3', undefined],
    ['', undefined], [true, undefined], [null, undefined], ['NaN', undefined], ['1e99', undefined],
  ] as const; // biome-ignore format: a table
  for (const [value, nanos] of cases) assert.equal(nanosOf(value), nanos, String(value));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_000_000_000_000_000 }), (nanos) => {
      const text = String(nanos).padStart(10, '0');
      return nanosOf(`${text.slice(0, -9)}.${text.slice(-9)}`) === nanos;
    }),
    seeded(200),
  );
  assert.deepEqual(['12', '1,200', 12, 12.0, '12.00', '1,20', '٣', '0x10'].map(countOf), [
    12,
    1200,
    12,
    12,
    12,
    undefined,
    undefined,
    undefined,
  ]);
  assert.deepEqual(
    ['2026-11-20', 20261120, '2026-11-20T23:30:00-02:00', '2026-11-20 23:30', '20-11-2026', '2026-1-2'].map(
      dayReader(utcDayAt),
    ),
    [first, first, first + 1, first, undefined, undefined],
  );
});
