import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BatchAnswer, ManyChange } from '../api/batch.ts';
import type { Values } from '../api/objects.ts';
import { inverseOf, revertOf } from './inverse.ts';
import { type ChangeResult, changesPerLot, runLots } from './run-lots.ts';

const changes = (count: number) =>
  Array.from(
    { length: count },
    (_, index): ManyChange => ({
      Entity: 'Tag',
      Operation: 'update',
      Object: { Id: index + 1, Color: 'red' },
    }),
  );
const isOdd = ({ Object: { Id } }: ManyChange) => Number(Id) % 2 === 1;

/** Refuses odd IDs. */
function answer(lot: readonly ManyChange[]): BatchAnswer {
  const refused = lot.flatMap((change, index) => (isOdd(change) ? [index] : []));
  return {
    Status: 'Ok',
    BatchId: 'b',
    Changes: lot
      .filter((change) => !isOdd(change))
      .map(({ Entity, Operation, Object: { Id } }) => ({
        Entity,
        Id: Number(Id),
        Operation,
        Tag: '',
        Before: { Color: '' },
        After: { Color: 'red' },
      })),
    Refused: refused.map((Change) => ({
      Change,
      Errors: [{ Path: `Changes[${Change}].Object.Id`, Code: 'not_found', Message: 'does not exist' }],
    })),
  };
}

describe('a bulk change in lots', () => {
  test('goes on past what is refused, and says which it was', async () => {
    const all = changes(changesPerLot + 3);
    const results = await runLots(all, [], {
      send: async (lot) => answer(lot),
      onProgress: () => undefined,
      isStopped: () => false,
    });
    assert.equal(results.length, all.length);
    for (const { change, row, faults } of results) {
      assert.equal(row?.Id, isOdd(change) ? undefined : change.Object.Id);
      assert.equal(faults !== undefined, isOdd(change));
    }
  });

  test('that was stopped or has failed goes on where it was, and sends nothing twice', async () => {
    const all = changes(3 * changesPerLot);
    const sent: number[] = [];
    let results: readonly ChangeResult[] = [];
    const run = (fails: boolean, stopsAt: number) =>
      runLots(all, results, {
        async send(lot, from) {
          if (fails && from > 0) throw new Error('away');
          sent.push(from);
          return answer(lot);
        },
        onProgress: (now) => {
          results = now;
        },
        isStopped: () => results.length >= stopsAt,
      });
    await assert.rejects(run(true, all.length), /away/);
    await run(false, 2 * changesPerLot);
    assert.equal(results.length, 2 * changesPerLot);
    await run(false, all.length);
    assert.deepEqual(sent, [0, changesPerLot, 2 * changesPerLot]);
    assert.deepEqual(
      results.map(({ change }) => change),
      all,
    );
  });
});

test('what was done is undone, the last first', () => {
  const row = (Operation: string, Id: number, Before: Values) => ({
    Entity: 'Tag',
    Operation,
    Id,
    Tag: '',
    Before,
    After: {},
  });
  assert.deepEqual(
    inverseOf([
      row('update', 1, { Color: 'red' }),
      row('deactivate', 2, { Status: 0 }),
      row('activate', 3, {}),
      row('add', 4, {}),
    ]),
    [
      { Entity: 'Tag', Operation: 'deactivate', Object: { Id: 4 } },
      { Entity: 'Tag', Operation: 'activate', Object: { Id: 2 } },
      { Entity: 'Tag', Operation: 'update', Object: { Id: 1, Color: 'red' } },
    ],
  );
});

test('a bulk change of the history is reverted to the values before its oldest change', () => {
  const row = (Operation: string, Id: number, Changes: { Field: string; Old?: unknown }[]) => ({
    Entity: 'Tag',
    Id,
    Operation,
    Changes,
  });
  const newestFirst = [
    row('update', 1, [{ Field: 'Color', Old: 'blue' }]),
    row('connect', 9, [{ Field: 'Tags' }]),
    row('deactivate', 1, [{ Field: 'Status', Old: 0 }]),
    row('update', 1, [{ Field: 'Color', Old: 'red' }, { Field: 'TagCount', Old: 3 }, { Field: 'ListText' }]),
    row('add', 2, [{ Field: 'Name' }]),
  ];
  assert.deepEqual(
    revertOf(newestFirst, (_, field) => field !== 'TagCount'),
    [
      { Entity: 'Tag', Operation: 'update', Object: { Id: 1, Color: 'red' } },
      { Entity: 'Tag', Operation: 'activate', Object: { Id: 1 } },
      { Entity: 'Tag', Operation: 'deactivate', Object: { Id: 2 } },
    ],
  );
});
