import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import '../build/find-field-tables.ts';
import { floorsOfSheet } from '../../src/management/floor-files/read-floors.ts';
import { byteOrderMark, type CsvForm, csvLines } from '../../src/reference/csv.ts';
import type { Stored, Values } from '../api/objects.ts';
import { numbersIn, rowsIn } from '../api/values.ts';
import { readCsv } from '../sheets/read-csv.ts';
import { objectBounds } from '../sheets/sheet.ts';
import type { Scope } from './floor-table.ts';

const { entityOf } = await import('../field-tables.ts');
const { fieldsOf } = await import('../fields.ts');
const { conditionsAt, floorRows, floorTable, ruleFieldsOf, scopeOf } = await import('./floor-table.ts');
const { planFloors } = await import('./plan-floors.ts');

const fields = ruleFieldsOf(fieldsOf(entityOf('FloorRule') ?? assert.fail('no floor rules')));
const none = { rows: [], columns: [] };
const team: Scope = { key: 'team', name: '' };
const rule = (Id: number, values: Values): Stored => ({
  Name: `Rule ${Id}`,
  Status: 0,
  Floor: 1,
  Currency: '',
  Priority: 10,
  ...values,
  Id,
});
const of = (...codes: readonly string[]) => codes.map((CC) => ({ CC }));
const planningOf = (rules: readonly Stored[], scope = team) => ({
  rules,
  scope,
  fields,
  entity: 'FloorRule',
});

const countries = fc.uniqueArray(fc.constantFrom('DE', 'AT', 'US', 'FR'), { maxLength: 3 });
const rulesOf = fc
  .array(
    fc.record({
      Countries: countries.map((codes) => of(...codes)),
      DeviceTypes: fc.uniqueArray(fc.constantFrom(1, 2, 3, 4, 5), { maxLength: 2 }),
      Floor: fc.double({ min: 0, max: 2000, noNaN: true }).map((floor) => Math.round(1000 * floor) / 1000),
      Currency: fc.constantFrom('', 'USD', 'EUR'),
      Priority: fc.integer({ min: 1, max: 20 }),
      Status: fc.constantFrom(0, 0, 0, 1),
    }),
    { maxLength: 12 },
  )
  .map((all) => all.map((values, index) => rule(index + 1, values)));

const forms: readonly CsvForm[] = [
  { Separator: 'Comma', Decimal: 'Point' },
  { Separator: 'Semicolon', Decimal: 'Comma' },
];

test('a table that was exported has no difference when it is imported', () => {
  fc.assert(
    fc.property(rulesOf, fc.constantFrom(...forms), (rules, form) => {
      const text =
        byteOrderMark +
        floorRows(floorTable(rules, team, fields, none))
          .map(csvLines(form))
          .join('');
      const { head, rows, decimal } = readCsv(new TextEncoder().encode(text), objectBounds);
      const read = floorsOfSheet({ rows: [head, ...rows], decimal });
      assert.deepEqual(read.faults, []);
      assert.deepEqual(planFloors(read.rules, planningOf(rules)), { changes: [], faults: [] });
    }),
    { numRuns: 60 },
  );
});

/** Whether a rule is asked for a request of one country and device. */
const meets = ({ Countries, DeviceTypes }: Stored, CC: string, device: number) => {
  const [codes, devices] = [rowsIn(Countries), numbersIn(DeviceTypes)];
  return (
    (codes.length === 0 || codes.some((one) => one.CC === CC)) &&
    (devices.length === 0 || devices.includes(device))
  );
};

test('a cell of one country and device shows the rule that a scan of all rules finds', () => {
  fc.assert(
    fc.property(rulesOf, fc.constantFrom('DE', 'US'), (rules, CC) => {
      const { cellAt } = floorTable(rules, team, fields, none);
      const scanned = rules
        .filter((one) => one.Status === 0 && meets(one, CC, 4))
        .toSorted((one, other) => Number(one.Priority) - Number(other.Priority) || one.Id - other.Id);
      assert.equal(cellAt(CC, 'Phone').held?.Id, scanned[0]?.Id);
    }),
    { numRuns: 60 },
  );
});

test('a floor that was typed holds once its change is made', () => {
  fc.assert(
    fc.property(rulesOf, countries, (rules, codes) => {
      const row = codes.toSorted().join(', ') || '*';
      const conditions = conditionsAt(row, 'Phone');
      const added = { Name: 'Typed', Priority: 7 };
      const typed = { place: 'here', conditions, settings: { Floor: 2001 }, added };
      const { changes, faults } = planFloors([typed], planningOf(rules));
      if (faults.length > 0) return assert.match(faults[0]?.text ?? '', /has Priority 1 and holds before/);
      const made = [...rules];
      for (const { change } of changes) {
        const { Operation, Object: values } = change;
        const at = made.findIndex(({ Id }) => Id === values.Id);
        if (Operation === 'add') made.push(rule(made.length + 1, { Countries: [], ...values }));
        else
          made[at] = rule(Number(values.Id), {
            ...made[at],
            ...(Operation === 'activate' ? { Status: 0 } : values),
          });
      }
      const { cellAt } = floorTable(made, team, fields, none);
      return assert.equal(cellAt(row, 'Phone').held?.Floor, 2001);
    }),
    { numRuns: 100 },
  );
});

describe('the table of a tag', () => {
  const tag = { Id: 17, PublisherId: 3 };
  const scope = scopeOf('VastTag:17', tag, 'Pre-roll', fields) ?? assert.fail('no scope');
  const rules = [
    rule(1, { Floor: 0.2 }),
    rule(2, { Floor: 0.5, Publishers: [3], Priority: 9 }),
    rule(3, { Floor: 0.7, VastTags: [17], DeviceTypes: [4], Priority: 8 }),
    rule(4, { Floor: 9, VastTags: [18] }),
    rule(5, { Floor: 2, VastTags: [17], AdTypes: [1] }),
    rule(6, { Floor: 3, VastTags: [17, 18], Countries: of('DE'), Priority: 1 }),
  ];

  test('has its own rules, those of its publisher and team in grey, and no others', () => {
    const { rows, columns, cellAt, others } = floorTable(rules, scope, fields, none);
    assert.deepEqual(
      [rows, columns],
      [
        ['*', 'DE'],
        ['*', 'Phone'],
      ],
    );
    const [any, phone] = [cellAt('*', '*'), cellAt('*', 'Phone')];
    assert.deepEqual([any.own, any.held?.Id, phone.own?.Id, phone.held?.Id], [undefined, 2, 3, 3]);
    assert.deepEqual(
      others.map(({ Id }) => Id),
      [5],
    );
  });

  test('sets a floor in place of one that is found automatically, which no file has', () => {
    const auto = rule(1, { Floor: 1, Auto: 1, FloorInForce: 1.8 });
    assert.deepEqual(floorRows(floorTable([auto], team, fields, none))[1], ['Any country', null]);
    const typed = { place: 'here', conditions: {}, settings: { Floor: 1 }, added: { Name: 'Floor' } };
    const [planned] = planFloors([typed], planningOf([auto])).changes;
    assert.deepEqual(planned?.change.Object, { Id: 1, Floor: 1, Auto: 0 });
  });

  test('adds rules of the tag by its name, and deactivates what is emptied', () => {
    const plan = (row: string, column: string, settings?: Values) =>
      planFloors(
        [
          {
            place: 'here',
            conditions: conditionsAt(row, column),
            settings,
            added: { Name: 'Floor', Priority: 10 },
          },
        ],
        planningOf(rules, scope),
      );
    const Name = 'Floor, Pre-roll';
    assert.deepEqual(plan('*', '*', { Floor: 1 }).changes[0]?.change, {
      Entity: 'FloorRule',
      Operation: 'add',
      Object: { Name, Floor: 1, Priority: 8, VastTags: [17] },
    });
    const [emptied] = plan('*', 'Phone').changes;
    assert.deepEqual([emptied?.change.Operation, emptied?.change.Object], ['deactivate', { Id: 3 }]);
    assert.match(
      plan('DE', '*', { Floor: 1 }).faults[0]?.text ?? '',
      /^Rule 6 has Priority 1 and holds before/,
    );
  });
});
