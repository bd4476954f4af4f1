import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adPositions } from '../../src/reference/ad-positions.ts';
import { creativeAttributes } from '../../src/reference/creative-attributes.ts';
import { deviceTypes } from '../../src/reference/device-types.ts';
import { linearities } from '../../src/reference/linearities.ts';
import { placements } from '../../src/reference/placements.ts';
import { roles } from '../../src/reference/roles.ts';

/** Each list with its range (reference, "Values" and A5) and some of its names. */
const lists = [
  { name: 'deviceTypes', codes: deviceTypes, from: 1, to: 8, spot: { 3: 'Connected TV', 7: 'Set Top Box' } },
  {
    name: 'adPositions',
    codes: adPositions,
    from: 0,
    to: 17,
    spot: { 0: 'Unknown', 7: 'Fullscreen', 16: 'L shape' },
  },
  { name: 'linearities', codes: linearities, from: 0, to: 2, spot: { 0: 'Unset', 1: 'Linear' } },
  {
    name: 'placements',
    codes: placements,
    from: 0,
    to: 5,
    spot: { 0: 'Unset', 1: 'In-Stream', 4: 'In-Feed' },
  },
  {
    name: 'creativeAttributes',
    codes: creativeAttributes,
    from: 1,
    to: 23,
    spot: { 12: 'Text Only', 17: 'Adobe Flash' },
  },
  { name: 'roles', codes: roles, from: 0, to: 3, spot: { 0: 'Administrator', 2: 'Analyst' } },
];

for (const { name, codes, from, to, spot } of lists) {
  test(`${name} runs from ${from} to ${to}, in order and without gap`, () => {
    const expected = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    assert.deepEqual(
      codes.map(({ Id }) => Id),
      expected,
    );
  });

  test(`${name} are named, each otherwise`, () => {
    assert.equal(new Set(codes.map(({ Name }) => Name)).size, codes.length);
    for (const { Name } of codes) assert.match(Name, /^[A-Z][ -~]*[^\s]$/);
    for (const [id, title] of Object.entries(spot)) {
      assert.equal(codes.find(({ Id }) => Id === Number(id))?.Name, title);
    }
  });
}
