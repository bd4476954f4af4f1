import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { emptyIdMap, type IdMap } from '../../../src/exchange/snapshot/id-map.ts';
import { seeded } from '../../support/seed.ts';

const id = fc.oneof(fc.nat({ max: 2000 }), fc.nat({ max: 2 ** 31 - 1 }));
const batches = fc.array(fc.array(fc.tuple(id, fc.string()), { maxLength: 30, size: 'max' }), {
  maxLength: 8,
});

test('every version is the Map of the same entries, also after later ones were made of it', () => {
  fc.assert(
    fc.property(batches, (steps) => {
      const versions: [IdMap<string>, ReadonlyMap<number, string>][] = [[emptyIdMap(), new Map()]];
      for (const entries of steps) {
        const [map, model] = versions.at(-1) ?? assert.fail();
        versions.push([map.with(entries), new Map([...model, ...entries])]);
      }
      const ids = steps.flat().map(([one]) => one);
      for (const [map, model] of versions) {
        for (const one of ids) assert.equal(map.get(one), model.get(one));
        const inOrder = [...model].sort(([a], [b]) => a - b).map(([, value]) => value);
        assert.deepEqual([...map.values()], inOrder);
      }
    }),
    seeded(200),
  );
});

test('numbers that are no IDs lead to nothing', () => {
  const map = emptyIdMap<string>().with([
    [0, 'zero'],
    [5, 'five'],
  ]);
  for (const wrong of [-1, 5.5, 2 ** 32 + 5, Number.NaN, Number.POSITIVE_INFINITY, 1e300, -0.5])
    assert.equal(map.get(wrong), undefined, `${wrong}`);
});
