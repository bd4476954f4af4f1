import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DemandKindName, SupplyKind } from '../../src/entities/kinds.ts';
import { runAtOnce } from '../../src/exchange/cooperative-task.ts';
import { pairWarning } from '../../src/exchange/explain/pair-warning.ts';
import { compiledFloorRule } from '../../src/exchange/snapshot/floor-rule.ts';
import { noFloorRules } from '../../src/exchange/snapshot/floor-rules.ts';
import { createFloorIndex } from '../../src/exchange/targeting/index/floor-index.ts';
import { listsWith, objectWith } from './targeting/samples.ts';

const emptyIndex = createFloorIndex(await listsWith([]));

type Side<K> = readonly [entity: K, values?: Readonly<Record<string, unknown>>];
type Row = readonly [
  what: string,
  supply: Side<SupplyKind>,
  demand: Side<DemandKindName>,
  told?: readonly [wanted: number, met: number] | undefined,
  floorRule?: Readonly<Record<string, unknown>>,
];

const tag: Side<SupplyKind> = ['VastTag', { Bidfloor: 5 }];
const cheap: Side<DemandKindName> = ['Campaign', { Cpm: 2 }];

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
  ['a rule that lowers the floor', tag, cheap, undefined, { Floor: 2 }],
  ['a rule that does not lower it enough', tag, cheap, [2.5, 2], { Floor: 2.5 }],
  ['a rule that raises the floor', tag, cheap, [5, 2], { Floor: 9 }],
  ['a rule for the tag', tag, cheap, undefined, { VastTags: [1], Floor: 1 }],
  ['a rule for the publisher', tag, cheap, undefined, { Publishers: [1], Floor: 1 }],
  ['a rule for another tag', tag, cheap, [5, 2], { VastTags: [2], Floor: 1 }],
  ['a rule for the bids of others', tag, cheap, [5, 2], { DspRtbEps: [1], Floor: 1 }],
  ['a rule that is always skipped', tag, cheap, [5, 2], { Floor: 1, SkipPercent: 100 }],
  ['a rule in another currency', tag, cheap, undefined, { Floor: 9, Currency: 'EUR' }],
  ['a floor that Auto may find', tag, cheap, undefined, { Floor: 4, Auto: 1, AutoMin: 2, AutoMax: 9 }],
  [
    'what an endpoint admits, beside a rule',
    ['RtbEp', { VideoEnabled: 1, MinBidfloor: 3 }],
    cheap,
    [3, 2],
    { Floor: 1 },
  ],
  ['floors that requests tell', ['RtbEp', { VideoEnabled: 1 }], ['Campaign', { Cpm: 2 }]],
];

for (const [what, supply, demand, told, floorRule] of rows) {
  test(`prices: ${what}`, () => {
    const publisher = objectWith('Publisher');
    const demandObject = objectWith(demand[0], {
      ...(demand[0] === 'Campaign' && { Type: 1 }),
      ...demand[1],
    });
    const pair = { supply: objectWith(...supply), demand: demandObject, publisher };
    const [Wanted, Met] = told ?? [];
    const expected = told && { Rule: 'below_floor', Field: 'Bidfloor', Wanted, Met };
    const rules = floorRule ? [compiledFloorRule(objectWith('FloorRule', floorRule))] : [];
    const { of: floorsOf } = runAtOnce(noFloorRules.after(rules, emptyIndex));
    assert.deepEqual(pairWarning(pair, { nowMs: Date.UTC(2027, 5, 15), floorsOf }), expected);
  });
}
