import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import '../build/find-field-tables.ts';
import { byteOrderMark, type CsvForm, type CsvValue, csvLines } from '../../src/reference/csv.ts';
import type { Stored, Values } from '../api/objects.ts';
import type { Form, ShownEntity, ShownField } from '../field-tables.ts';
import { readCsv } from './read-csv.ts';
import { objectBounds, type Sheet, sheetOf } from './sheet.ts';
import { readXlsx, writeTable } from './xlsx.ts';

const { entities, entityOf } = await import('../field-tables.ts');
const { fieldsOf, figuresOf } = await import('../fields.ts');
const { cellOf, isTextColumn, readCell, tooLong } = await import('./cells.ts');
const { exportFields } = await import('./export-list.ts');
const { planChanges, readSheet } = await import('./plan.ts');

const bytesOf = (text: string) => new TextEncoder().encode(text);
const tagOf = (key: string) => entityOf(key) ?? assert.fail(key);
const vastTag = tagOf('VastTag');

async function planOf(entity: ShownEntity, sheet: Sheet, objects: readonly Stored[]) {
  const fields = fieldsOf(entity);
  const figures = figuresOf(entity).map(({ name }) => name);
  const read = readSheet(sheet, { entity, fields, figures, titleOf: (name) => `The ${name}` });
  if ('faults' in read) return { faults: read.faults, changes: [], skipped: [] };
  return { skipped: read.sheet.skipped, ...(await planChanges(read.sheet, entity, objects)) };
}

const comma: CsvForm = { Separator: 'Comma', Decimal: 'Point' };
const semicolon: CsvForm = { Separator: 'Semicolon', Decimal: 'Comma' };

const csvOf =
  (form: CsvForm) =>
  async (fields: readonly ShownField[], rows: readonly CsvValue[][]): Promise<Sheet> => {
    const head = fields.map(({ name }) => name);
    const text = byteOrderMark + [head, ...rows].map(csvLines(form)).join('');
    return readCsv(bytesOf(text), objectBounds);
  };

async function xlsxOf(fields: readonly ShownField[], rows: readonly CsvValue[][]): Promise<Sheet> {
  const columns = fields.map((field) => ({ name: field.name, isText: isTextColumn(field) }));
  const file = await writeTable({ name: 'Objects', columns, rows });
  return sheetOf(await readXlsx(file, objectBounds), 'Point');
}

const hostile = fc.oneof(
  fc.constantFrom(
    '=HYPERLINK("http://a.example")', '+49', "'-1", '@SUM(A1)', '\t=1', '\rx', "'\t", 'a;=1', 'a\n=1', '007', '1,5',
    '12345678901234567890', '1e5', 'TRUE', '2027-01-31', '"quoted"', 'a;b', '日報 😀', ' led ', '_x0041_', '#N/A', '[', '{}',
    'a\r\nb', 'sep=;', '-', '\u200b=1', ' ', "''''=", '<b>&amp;', tooLong,
  ), // biome-ignore format: a table
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc
    .array(fc.constantFrom("'", '=', ',', ';', '\t', '\r', '\n', ' ', '"', 'a', '-'), { maxLength: 8 })
    .map((all) => all.join('')),
);

/** Any value of a form, as answers have it. */
function valuesOf(form: Form): fc.Arbitrary<unknown> {
  if (form.enum) return fc.constantFrom(...form.enum);
  if (form.type === 'integer') return fc.integer({ min: 0, max: form.maximum ?? 2_147_483_647 });
  if (form.type === 'number') return fc.integer({ min: -1e9, max: 1e12 }).map((micros) => micros / 1e6);
  if (form.type === 'array') return fc.array(valuesOf(form.items ?? {}), { maxLength: 3 });
  if (form.type !== 'object') return hostile;
  const members = Object.entries(form.properties ?? {}).map(([name, of]) => [name, valuesOf(of)] as const);
  if (members.length === 0) return fc.dictionary(fc.constantFrom('imp.tagid', 'ext.a'), hostile);
  return fc.record(Object.fromEntries(members), {
    requiredKeys: ['CC', 'Country'].filter((key) => form.properties?.[key]),
  });
}

const settable = (entity: ShownEntity) => exportFields(entity, undefined);
const objectsOf = (entity: ShownEntity): fc.Arbitrary<readonly Stored[]> => {
  const values = Object.fromEntries(settable(entity).map((field) => [field.name, valuesOf(field.form)]));
  return fc
    .array(fc.record(values), { minLength: 1, maxLength: 3 })
    .map((all) => all.map((one, index) => ({ ...one, Id: index + 1 })));
};

describe('objects written to a file and read again', () => {
  const drawn = fc
    .constantFrom(...entities)
    .chain((entity) => fc.tuple(fc.constant(entity), objectsOf(entity)));
  const forms = { 'CSV with commas': csvOf(comma), 'CSV with semicolons': csvOf(semicolon), XLSX: xlsxOf };
  for (const [what, write] of Object.entries(forms)) {
    test(`${what}: have no difference`, () =>
      fc.assert(
        fc.asyncProperty(drawn, async ([entity, objects]) => {
          const fields = settable(entity);
          const rows = objects.map((object) => fields.map((field) => cellOf(field, object[field.name])));
          const { changes, faults } = await planOf(entity, await write(fields, rows), objects);
          assert.deepEqual([changes, faults], [[], []]);
        }),
        { numRuns: 25 },
      ));
  }

  test('a cell says the value that it was written of', () => {
    for (const entity of entities) {
      for (const field of settable(entity)) {
        fc.assert(
          fc.property(valuesOf(field.form), (value) => {
            const cell = cellOf(field, value);
            if (String(cell).trim() === '' || cell === tooLong) return;
            const read = readCell(field, String(cell), 'Point');
            assert.ok('value' in read, JSON.stringify([field.name, cell, read]));
            assert.deepEqual(withoutNames(read.value), withoutNames(value), field.name);
          }),
          { numRuns: 8 },
        );
      }
    }
  });
});

/** Countries are sent by their code alone. */
const withoutNames = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, one) => (key === 'Country' ? undefined : one)));

interface Case {
  readonly what: string;
  readonly text: string;
  /** Of the stored object besides its ID, 7. */
  readonly stored?: Values;
  readonly sets?: Values;
  readonly operation?: string;
  readonly fault?: RegExp;
}

const cases: readonly Case[] = [
  { what: 'a number', text: 'Id,Bidfloor\n7,1.5', sets: { Bidfloor: 1.5 } },
  { what: 'a number as it is, written otherwise', text: 'Id,Bidfloor\n7,1.50', stored: { Bidfloor: 1.5 } },
  { what: 'a decimal comma behind semicolons', text: 'Id;Bidfloor\n7;1,5', sets: { Bidfloor: 1.5 } },
  { what: 'a decimal comma behind commas', text: 'Id,Bidfloor\n7,"1,5"', fault: /^2 Bidfloor "1,5" is no number: write it like 1234\.5/ },
  { what: 'a number of two meanings', text: 'Id;Bidfloor\n7;1.234', fault: /write 1234 or 1,234$/ },
  { what: 'an amount with its currency', text: 'Id,Bidfloor\n7,$1.50', fault: /is no number/ },
  { what: 'a flag in words', text: 'Id,AppEnabled\n7,TRUE', stored: { AppEnabled: 0 }, sets: { AppEnabled: 1 } },
  { what: 'what is no flag', text: 'Id,AppEnabled\n7,maybe', fault: /"maybe" is none of: no, yes/ },
  { what: 'a flag that is emptied', text: 'Id,AppEnabled\n7,', stored: { AppEnabled: 1 }, fault: /cannot be empty/ },
  { what: 'a text that is emptied', text: 'Id,SiteDomain\n7,', stored: { SiteDomain: 'a.example' }, sets: { SiteDomain: '' } },
  { what: 'an owner that is emptied', text: 'Id,PublisherId\n7,', stored: { PublisherId: 3 }, fault: /^2 PublisherId cannot be empty/ },
  { what: 'a list that is emptied', text: 'Id,Countries\n7,', stored: { Countries: [{ CC: 'US', Country: 'United States' }] }, sets: { Countries: [] } },
  { what: 'countries', text: 'Id,Countries\n7,"DE; US"', sets: { Countries: [{ CC: 'DE' }, { CC: 'US' }] } },
  { what: 'connections', text: 'Id,Tags\n7,"3, 5"', stored: { Tags: [3] }, sets: { Tags: [3, 5] } },
  { what: 'connections by name', text: 'Id,Tags\n7,Sport', fault: /"Sport" is no ID/ },
  { what: 'systems with versions', text: 'Id,Os\n7,"[{""Family"":""iOS"",""Versions"":[{""Major"":""17""}]}]"', sets: { Os: [{ Family: 'iOS', Versions: [{ Major: '17' }] }] } },
  { what: 'a list that is no JSON', text: 'Id,Os\n7,[iOS', fault: /is not valid JSON/ },
  { what: 'the status', text: 'Id,Status\n7,inactive', stored: { Status: 0 }, operation: 'deactivate' },
  { what: 'a text behind the mark of a formula', text: "Id,Name\n7,'=1+1", sets: { Name: '=1+1' } },
  { what: 'the separator that Excel names', text: 'sep=;\r\nId;Name\r\n7;"a,b"\r\n', sets: { Name: 'a,b' } },
  { what: 'a cell with a line end, and blank rows', text: 'Id,Name\n\n,\n7,"a\nb"\n\n', sets: { Name: 'a\nb' } },
  { what: 'a figure', text: 'Id,Today.Revenue,TagCount\n7,5,1', fault: /^undefined TagCount No field/ },
  { what: 'an unknown column', text: 'Id,Flor\n7,1', fault: /^undefined Flor No field of a VAST Tag is called this\. Correct/ },
  { what: 'a column by its title', text: 'Id,The Bidfloor\n7,1', fault: /Call the column Bidfloor\.$/ },
  { what: 'a column that is there twice', text: 'Id,Name,Name\n7,a,b', fault: /two columns/ },
  { what: 'a column without a name', text: 'Id,,Name\n7,x,b', fault: /^undefined B The column has no name/ },
  { what: 'a read-only column that was changed', text: 'Id,PublisherName\n7,b', stored: { PublisherName: 'a' }, fault: /^2 PublisherName is read-only: put "a" back/ },
  { what: 'a read-only column as it is', text: 'Id,PublisherName\n7,a', stored: { PublisherName: 'a' } },
  { what: 'no column of IDs', text: 'Name\na', fault: /no column Id/ },
  { what: 'an ID that is unknown', text: 'Id,Name\n8,a', fault: /^2 Id There is no VAST Tag 8/ },
  { what: 'an ID that is there twice', text: 'Id,Name\n7,a\n7,b', fault: /^3 Id ID 7 is in row 2, too/ },
  { what: 'a row without an ID', text: 'Id,Name\n,a', fault: /^2 Id The row has no ID/ },
  { what: 'a row with too many cells', text: 'Id,Name\n7,a,b', fault: /^2 undefined The row has more cells/ },
  { what: 'what was too long for a cell', text: `Id,Name\n7,${tooLong}`, stored: { Name: 'x' } },
]; // biome-ignore format: a table
describe('a file that was edited', () => {
  for (const { what, text, stored = {}, sets, operation = 'update', fault } of cases) {
    test(what, async () => {
      const { changes, faults } = await planOf(vastTag, readCsv(bytesOf(text), objectBounds), [
        { Id: 7, ...stored },
      ]);
      const [first] = faults;
      assert.match(first ? `${first.row} ${first.column} ${first.text}` : '', fault ?? /^$/);
      const expected = operation === 'update' ? sets && { Id: 7, ...sets } : { Id: 7 };
      if (fault) return;
      assert.deepEqual(
        changes.map(({ change }) => change),
        expected ? [{ Entity: 'VastTag', Operation: operation, Object: expected }] : [],
      );
    });
  }

  test('credentials and lines are not taken, and figures are left out', async () => {
    const dsp = await planOf(tagOf('DspVastTag'), readCsv(bytesOf('Id,StatsApiHeaders\n7,a'), objectBounds), [
      { Id: 7 },
    ]);
    assert.match(dsp.faults[0]?.text ?? '', /not changed by spreadsheet/);
    const { skipped } = await planOf(vastTag, readCsv(bytesOf('Id,Today.Revenue\n7,5'), objectBounds), [
      { Id: 7 },
    ]);
    assert.deepEqual(skipped, ['Today.Revenue']);
  });
});

/** An archive of one part, whose directory says that it has so many bytes. */
function archive(part: Uint8Array, declared: number): Uint8Array {
  const name = bytesOf('[Content_Types].xml');
  const packed = deflateRawSync(part);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(packed.length, 18);
  head.writeUInt32LE(declared, 22);
  head.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(declared, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + name.length, 12);
  end.writeUInt32LE(head.length + name.length + packed.length, 16);
  return Buffer.concat([head, name, packed, entry, name, end]);
}

describe('a file that cannot be read', () => {
  const refused = (bytes: Uint8Array, message: RegExp, bounds = objectBounds) =>
    assert.rejects(readXlsx(bytes, bounds), message);
  const small = { ...objectBounds, unpackedBytesMax: 1024 * 1024 };

  test('a bomb that says so, says nothing, or lies', async () => {
    const bomb = new Uint8Array(8 * 1024 * 1024);
    await refused(archive(bomb, bomb.length), /unpacks to more than 1 MB/, small);
    await refused(archive(bomb, 0), /unpacks to more than 1 MB/, small);
    await refused(archive(bomb, 1000), /cannot be read as XLSX/, small);
    await refused(archive(bomb, 0xffffffff), /unpacks to more than/, small);
  });

  test('no XLSX, too many rows, too many columns', async () => {
    await refused(bytesOf('Id,Name'), /cannot be read as XLSX/);
    await refused(archive(bytesOf('<a/>'), 4), /cannot be read as XLSX/);
    const columns = Array.from({ length: 5 }, (_, index) => ({ name: `C${index}`, isText: false }));
    const file = await writeTable({
      name: 'Many',
      columns,
      rows: Array.from({ length: 6 }, () => [1, 2, 3, 4, 5]),
    });
    await refused(file, /more than 5 rows/, { ...objectBounds, rowsMax: 5 });
    await refused(file, /Row 1 has more than 4 columns/, { ...objectBounds, columnsMax: 4 });
    await refused(file, /larger than 0\.001 MB/, { ...objectBounds, bytesMax: 1024 });
  });

  test('a CSV of another encoding, without an end to its quotes, too long, or empty', () => {
    const read =
      (bytes: Uint8Array, bounds = objectBounds) =>
      () =>
        readCsv(bytes, bounds);
    assert.throws(read(Uint8Array.of(0x49, 0x64, 0x0a, 0xfc)), /not UTF-8.*“CSV UTF-8”/);
    assert.throws(read(bytesOf('Id,Name\n1,"a')), /Row 2 has a quotation mark that is not closed/);
    assert.throws(read(bytesOf('Id\n1\n2'), { ...objectBounds, rowsMax: 1 }), /more than 1 rows/);
    assert.throws(read(bytesOf('\n , \n')), /The file is empty/);
    const utf16 = Buffer.from('\ufeffId\tName\n7\tü', 'utf16le');
    assert.deepEqual(readCsv(utf16, objectBounds).rows[0]?.cells, ['7', 'ü']);
  });
});

test('dates and numbers that a spreadsheet made of texts are read as the API has them', async () => {
  const { writeXlsx } = await import('hucre/xlsx');
  const rows = [
    ['Id', 'A', 'B'],
    [7, new Date('2027-01-31'), new Date('2027-01-31T12:30:00Z')],
    [8, 0.1 + 0.2, true],
  ];
  const read = await readXlsx(await writeXlsx({ sheets: [{ name: 'A', rows }] }), objectBounds);
  assert.deepEqual(
    read.map(({ cells }) => cells),
    [
      ['Id', 'A', 'B'],
      ['7', '2027-01-31', '2027-01-31T12:30:00'],
      ['8', '0.3', 'true'],
    ],
  );
});
