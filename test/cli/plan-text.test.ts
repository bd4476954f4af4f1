import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planText, withFaultsOnLines } from '../../src/cli/config/plan-text.ts';
import { invalid, Refusal } from '../../src/fields/fault.ts';
import type { PlanEntry } from '../../src/management/config/plan-entry.ts';

const entry = (Operation: PlanEntry['Operation'], Key: string, Changes: PlanEntry['Changes'] = []) => ({
  Operation,
  Entity: 'Tag',
  Key,
  Id: 7,
  Changes,
});
const color = (New: unknown) => [{ Field: 'Color', Old: 'red', New }];

type Row = readonly [what: string, entries: readonly PlanEntry[], toDo: string, done: string];
const rows: readonly Row[] = [
  ['nothing', [], 'Nothing to change', 'Nothing was changed'],
  [
    'what is left alone',
    [entry('unmanaged', 'a')],
    'unmanaged   Tag "a" (not in the file, left alone)\nNothing to change',
    'unmanaged   Tag "a" (not in the file, left alone)\nNothing was changed',
  ],
  [
    'one of each, counted in one order',
    [entry('deactivate', 'd'), entry('activate', 'c'), entry('update', 'b', color(undefined)), entry('add', 'a"')],
    'deactivate  Tag "d"\nactivate    Tag "c"\nupdate      Tag "b"\n    Color: "red" → null\nadd         Tag "a\\""\n1 to add, 1 to update, 1 to activate, 1 to deactivate',
    'deactivate  Tag "d"\nactivate    Tag "c"\nupdate      Tag "b"\n    Color: "red" → null\nadd         Tag "a\\""\n1 added, 1 updated, 1 activated, 1 deactivated',
  ],
  ...[198, 199].map((length): Row => {
    const shown = length === 198 ? `"${'x'.repeat(198)}"` : `"${'x'.repeat(199)}…`;
    const line = `update      Tag "b"\n    Color: "red" → ${shown}`;
    const entries = [entry('update', 'b', color('x'.repeat(length)))];
    return [`a text of ${length + 2} characters`, entries, `${line}\n1 to update`, `${line}\n1 updated`];
  }),
]; // biome-ignore format: a table

for (const [what, entries, toDo, done] of rows) {
  test(`a plan in words: ${what}`, () => {
    assert.equal(planText({ entries, warnings: [] }, { isDone: false }), toDo);
    assert.equal(planText({ entries, warnings: [] }, { isDone: true }), done);
  });
}

test('a plan in words: warnings stand above the counts', () => {
  const warnings = [{ Entity: 'Tag', Key: 'a', Field: 'Color', Message: 'is grey; choose another' } as const];
  assert.equal(
    planText({ entries: [], warnings }, { isDone: false }),
    'Warning: Color of Tag "a" is grey; choose another\nNothing to change',
  );
});

const fault = (Path: string) => ({ Path, Code: 'type', Message: 'must be an object' }) as const;
const unavailable = new Refusal('unavailable', 'The database is away');
const errors: readonly (readonly [what: string, error: Error, says: string])[] = [
  ['faults', invalid([fault('Tag[0]'), fault('')]), 'Tag[0] must be an object\nmust be an object'],
  ['a refusal without faults', unavailable, 'The database is away'],
  ['another error', new Error('one; two'), 'one; two'],
];
for (const [what, error, says] of errors) {
  test(`a refusal in lines: ${what}`, () => {
    const told = withFaultsOnLines(error);
    assert.ok(told instanceof Error);
    assert.equal(told.message, says);
  });
}
