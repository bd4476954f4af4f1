import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DemandKindName, SupplyKind } from '../../src/entities/kinds.ts';
import { pairWarning } from '../../src/exchange/explain/pair-warning.ts';
import { objectWith } from './targeting/samples.ts';

type Side<K> = readonly [entity: K, values?: Readonly<Record<string, unknown>>];
type Row = readonly [
  what: string,
  supply: Side<SupplyKind>,
  demand: Side<DemandKindName>,
  told?: readonly [wanted: number, met: number],
];

const rows: readonly Row[] = [
  ['a campaign below the floor', ['VastTag', { Bidfloor: 5 }], ['Campaign', { Cpm: 4.99 }], [5, 4.99]],
  ['a campaign at the floor', ['VastTag', { Bidfloor: 5 }], ['Campaign', { Cpm: 5 }]],
  ['a campaign of nothing, without a floor', ['VastTag'], ['Campaign']],
  ['a fixed price below the floor', ['VastTag', { Bidfloor: 2 }], ['DspVastTag', { FixedCpm: 1 }], [2, 1]],
  ['a price that the ad tells', ['VastTag', { Bidfloor: 2 }], ['DspVastTag']],
  ['a bidder', ['VastTag', { Bidfloor: 2 }], ['DspRtbEp', { VideoEnabled: 1 }]],
  [
    'the least floor that an endpoint admits',
    ['RtbEp', { VideoEnabled: 1, MinBidfloor: 3 }],
    ['Campaign', { Cpm: 2 }],
    [3, 2],
  ],
  ['floors that requests tell', ['RtbEp', { VideoEnabled: 1 }], ['Campaign', { Cpm: 2 }]],
];

for (const [what, supply, demand, told] of rows) {
  test(`prices: ${what}`, () => {
    const publisher = objectWith('Publisher');
    const demandObject = objectWith(demand[0], {
      ...(demand[0] === 'Campaign' && { Type: 1 }),
      ...demand[1],
    });
    const pair = { supply: objectWith(...supply), demand: demandObject, publisher };
    const [Wanted, Met] = told ?? [];
    const expected = told && { Rule: 'below_floor', Field: 'Bidfloor', Wanted, Met };
    assert.deepEqual(pairWarning(pair, Date.UTC(2027, 5, 15)), expected);
  });
}
