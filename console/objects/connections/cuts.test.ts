import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cutCount, cutsIn, restored } from './cuts.ts';

describe('a change that cuts connections', () => {
  const field = (name: string, section: 'Connections' | 'Lists' = 'Connections') =>
    ({ name, place: 'connection', section }) as const;
  const fields = [field('Campaigns'), field('DspRtbEps'), field('AppsList', 'Lists')];
  const stored = { Campaigns: [1, 2, 3], DspRtbEps: [4], AppsList: [5] };

  test('is told by what it leaves out, and another order or list is none', () => {
    assert.deepEqual(cutsIn(fields, stored, { Campaigns: [3, 2, 1], DspRtbEps: [4, 6], AppsList: [] }), []);
    const cuts = cutsIn(fields, stored, { Campaigns: [3, 7], DspRtbEps: [], Name: 'x' });
    assert.deepEqual(cuts, [
      { field: 'Campaigns', before: [1, 2, 3], after: [3, 7] },
      { field: 'DspRtbEps', before: [4], after: [] },
    ]);
    assert.equal(cutCount(cuts), 3);
  });

  test('is undone in the order of before, or beside what has come since', () => {
    const cut = { field: 'Campaigns', before: [1, 2, 3], after: [3] };
    assert.deepEqual(restored(cut, [3]), [1, 2, 3]);
    assert.deepEqual(restored(cut, [9, 3]), [9, 3, 1, 2]);
    assert.deepEqual(restored(cut, [2]), [2, 1]);
  });
});
