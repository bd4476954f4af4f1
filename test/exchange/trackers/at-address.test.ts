import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atAddressOf } from '../../../src/exchange/trackers/at-address.ts';
import { unlimited, unrestrictedDemand, unrestrictedSupply } from '../unrestricted.ts';

const perIp = { limits: { ...unlimited, impressionsPerIp: 3 } };
const [supply, demand] = [
  unrestrictedSupply('VastTag', { id: 1 }),
  unrestrictedDemand('Campaign', { id: 2 }),
];
const [limitedSupply, limitedDemand] = [
  { ...supply, ...perIp },
  { ...demand, ...perIp },
];
const [ofSupply, ofDemand] = [
  { kind: 'VastTag', id: 1 },
  { kind: 'Campaign', id: 2 },
];

const cases: readonly {
  readonly name: string;
  readonly ip?: string;
  readonly objects: Parameters<typeof atAddressOf>[1];
  /** The address and the objects that count it; undefined = none is kept. */
  readonly kept?: readonly [address: string, objects: readonly object[]];
}[] = [
  {
    name: 'of both sides',
    objects: [limitedSupply, limitedDemand],
    kept: ['203.0.113.7', [ofSupply, ofDemand]],
  },
  { name: 'of the one that limits it', objects: [supply, limitedDemand], kept: ['203.0.113.7', [ofDemand]] },
  {
    name: 'of one whose other is gone',
    objects: [limitedSupply, undefined],
    kept: ['203.0.113.7', [ofSupply]],
  },
  { name: 'of a network', ip: '2001:db8::7', objects: [limitedSupply], kept: ['2001:db8::', [ofSupply]] },
  { name: 'of nobody who does not limit it', objects: [supply, demand] },
  { name: 'that was not told', ip: '', objects: [limitedSupply, limitedDemand] },
];

for (const { name, ip = '203.0.113.7', objects, kept } of cases) {
  test(`an address ${name}: ${kept ? 'kept for the day' : 'not kept'}`, () => {
    const [address, counted] = kept ?? [];
    const expected = kept && { address, timeMs: 1000, objects: counted };
    assert.deepEqual(atAddressOf({ ip, auctionMs: 1000 }, objects), expected);
  });
}
