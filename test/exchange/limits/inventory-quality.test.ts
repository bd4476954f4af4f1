import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  createInventoryQuality,
  estimatedShare,
  inventoryQualityMemory,
} from '../../../src/exchange/limits/inventory-quality.ts';
import { seeded } from '../../support/seed.ts';
import { midnightMs } from './limited.ts';

const news = { kind: 'VastTag', id: 3, publisherId: 1, place: 'news.example' };
/** Estimated of all that is known, if nothing else of the publisher is: three levels, each with 100 events of prior. */
const alone = (invalid: number, total: number) => {
  const step = (prior: number) => (invalid + 100 * prior) / (total + 100);
  return 100 * step(step(step(0)));
};
const minuteMs = 60_000;

const cases = [
  { name: 'nothing is invalid of what was never seen', valid: 0, invalid: 0, ageMs: 0, percent: 0 },
  { name: 'little traffic says little', valid: 0, invalid: 3, ageMs: 0, percent: alone(3, 3) },
  { name: 'much of it says how it is', valid: 15_000, invalid: 5000, ageMs: 0, percent: alone(5000, 20_000) },
  {
    name: 'events of the last hour count',
    valid: 90,
    invalid: 10,
    ageMs: 54 * minuteMs,
    percent: alone(10, 100),
  },
  { name: 'older ones do not', valid: 90, invalid: 10, ageMs: 65 * minuteMs, percent: 0 },
];

describe('quality of an inventory', () => {
  for (const { name, valid, invalid, ageMs, percent } of cases) {
    test(name, () => {
      const memory = inventoryQualityMemory(64);
      const [writer, reader] = [createInventoryQuality(memory), createInventoryQuality(memory)];
      for (let index = 0; index < valid + invalid; index += 1) {
        writer.count(news, index < invalid, midnightMs);
        writer.count({ ...news, publisherId: 2, place: 'other.example' }, false, midnightMs);
      }
      assert.equal(reader.invalidPercent(news, midnightMs + ageMs), percent);
    });
  }

  test('what was counted by a clock that has been set back since is over', () => {
    const quality = createInventoryQuality(inventoryQualityMemory(64));
    for (let minutes = 0; minutes < 100; minutes += 1)
      quality.count(news, false, midnightMs + minutes * minuteMs);
    const earlierMs = midnightMs - 60 * minuteMs;
    for (let event = 0; event < 100; event += 1) quality.count(news, true, earlierMs);
    assert.equal(quality.invalidPercent(news, earlierMs), alone(100, 100));
  });

  test('a publisher’s other traffic says what to expect of a new object or site, another publisher’s nothing', () => {
    const quality = createInventoryQuality(inventoryQualityMemory(64));
    for (let event = 0; event < 300; event += 1) quality.count(news, true, midnightMs);
    const of = (other: Partial<typeof news>) => quality.invalidPercent({ ...news, ...other }, midnightMs);
    const [site, publisher, stranger] = [
      of({ id: 4 }),
      of({ place: 'new.example' }),
      of({ id: 4, publisherId: 2 }),
    ];
    assert.deepEqual([site, publisher, stranger], [93.75, 75, 0]);
    assert.ok(of({}) > site);
  });

  const events = fc
    .record({ total: fc.nat(100_000), part: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map(({ total, part }) => ({ total, invalid: Math.floor(total * part) }));
  const coarser = fc.array(events, { maxLength: 3 });

  test('law: an estimate lies between its prior and what was observed', () => {
    fc.assert(
      fc.property(coarser, events, (levels, own) => {
        const [prior, estimate] = [estimatedShare(levels), estimatedShare([...levels, own])];
        const observed = own.total === 0 ? prior : own.invalid / own.total;
        assert.ok(
          estimate >= Math.min(prior, observed) - 1e-12 && estimate <= Math.max(prior, observed) + 1e-12,
        );
        assert.ok(estimate >= 0 && estimate <= 1);
      }),
      seeded(500),
    );
  });

  test('law: more invalid events never lower it, and more valid ones never raise it', () => {
    fc.assert(
      fc.property(coarser, events, fc.nat(1000), (levels, own, more) => {
        const estimate = estimatedShare([...levels, own]);
        const worse = { total: own.total + more, invalid: own.invalid + more };
        assert.ok(estimatedShare([...levels, worse]) >= estimate - 1e-12);
        assert.ok(estimatedShare([...levels, { ...own, total: worse.total }]) <= estimate + 1e-12);
      }),
      seeded(500),
    );
  });

  test('law: the more events of its own, the closer it comes to what was observed', () => {
    fc.assert(
      fc.property(coarser, events, fc.integer({ min: 2, max: 1000 }), (levels, own, times) => {
        const observed = own.total === 0 ? estimatedShare(levels) : own.invalid / own.total;
        const distance = (by: number) =>
          Math.abs(
            estimatedShare([...levels, { total: own.total * by, invalid: own.invalid * by }]) - observed,
          );
        assert.ok(distance(times) <= distance(1) + 1e-12);
        assert.ok(own.total === 0 || distance(1e6) <= 1e-4);
      }),
      seeded(500),
    );
  });

  /** The former hash of 38 bits began at a known number, so that anybody could find domains that share it. */
  function unseeded(place: string): bigint {
    let [low, high] = [0x811c9dc5 ^ news.id, 0x1b873593 ^ news.id];
    for (const text of [news.kind, place]) {
      for (const character of text) {
        low = Math.imul(low ^ character.charCodeAt(0), 0x01000193);
        high = Math.imul(high ^ character.charCodeAt(0), 0x85ebca6b) ^ (high >>> 13);
      }
    }
    return (BigInt((high ^ (high >>> 16)) & 0x3f) << 32n) | BigInt(low >>> 0);
  }

  test('a stranger’s domain that shares the former hash does not spoil another’s quality', () => {
    const [one, other] = ['nvxe5.example', 'n1lv9h.example'] as const;
    const quality = createInventoryQuality(inventoryQualityMemory(64));
    for (let event = 0; event < 100; event += 1) {
      quality.count({ ...news, place: one }, false, midnightMs);
      quality.count({ ...news, publisherId: 2, place: other }, true, midnightMs);
    }
    assert.equal(unseeded(one), unseeded(other));
    assert.equal(quality.invalidPercent({ ...news, place: one }, midnightMs), 0);
    const spoiled = { ...news, publisherId: 2, place: other };
    assert.equal(quality.invalidPercent(spoiled, midnightMs), alone(100, 100));
  });

  test('where an inventory lies follows from the seed, and the whole key tells inventories apart', () => {
    const entryOf = (seed: number, place: string) => {
      const memory = inventoryQualityMemory(1 << 12, seed);
      createInventoryQuality(memory).count({ ...news, place }, false, midnightMs);
      return new Int32Array(memory.inventories.words).findIndex((word) => word !== 0);
    };
    const places = Array.from({ length: 50 }, (_, n) => `n${n}.example`);
    const same = places.filter((place) => entryOf(1, place) === entryOf(2, place));
    assert.ok(same.length < 5, `${same.length} of 50 lie at the same place for two seeds`);

    const memory = inventoryQualityMemory(64, 1);
    const quality = createInventoryQuality(memory);
    for (let event = 0; event < 100; event += 1) quality.count(news, true, midnightMs);
    assert.equal(quality.invalidPercent(news, midnightMs), alone(100, 100));
    const words = new Int32Array(memory.inventories.words);
    // As others would have left them that lie in the same buckets.
    const marks = words.keys().filter((at) => at % memory.inventories.wordsPerEntry === 0);
    for (const at of marks) if (words[at] !== 0) words[at] = (words[at] ?? 0) ^ 1;
    assert.equal(quality.invalidPercent(news, midnightMs), 0);
  });

  test('entries without an event in the last hour make room for others', () => {
    const quality = createInventoryQuality(inventoryQualityMemory());
    for (let n = 0; n < 200_000; n += 1)
      quality.count({ ...news, place: `n${n}.invented.example` }, false, midnightMs);
    const laterMs = midnightMs + 65 * minuteMs;
    const places = Array.from({ length: 200 }, (_, n) => `n${n}.example`);
    for (const place of places)
      for (let event = 0; event < 200; event += 1) quality.count({ ...news, place }, true, laterMs);
    assert.deepEqual(
      places.filter((place) => quality.invalidPercent({ ...news, place }, laterMs) < 75),
      [],
    );
  });

  test('an entry with events goes on, also where those before it have become free', () => {
    const quality = createInventoryQuality(inventoryQualityMemory(16));
    const inventories = [1, 2, 3, 4].map((id) => ({ ...news, publisherId: id, id }));
    for (let minutes = 0; minutes <= 120; minutes += 1)
      // Only one of them has events all the time; a new one comes after an hour.
      for (const [index, inventory] of inventories.entries())
        if (index === 2 || minutes === 0) quality.count(inventory, true, midnightMs + minutes * minuteMs);
    const laterMs = midnightMs + 120 * minuteMs;
    const [fresh, lasting] = [9, 3].map((id) => ({ ...news, publisherId: id, id })) as [
      typeof news,
      typeof news,
    ];
    for (let event = 0; event < 100; event += 1) quality.count(fresh, false, laterMs);
    for (let event = 0; event < 100; event += 1) quality.count(lasting, true, laterMs);
    assert.equal(quality.invalidPercent(fresh, laterMs), 0);
    assert.ok(quality.invalidPercent(lasting, laterMs) > alone(100, 100));
  });

  test('inventories beyond the room count as without events, and break nothing', () => {
    const quality = createInventoryQuality(inventoryQualityMemory(4));
    const inventories = Array.from({ length: 100 }, (_, id) => ({ ...news, publisherId: id, id }));
    for (const inventory of inventories)
      for (let event = 0; event < 100; event += 1) quality.count(inventory, true, midnightMs);
    const known = inventories.filter((inventory) => quality.invalidPercent(inventory, midnightMs) > 0);
    assert.ok(known.length > 0 && known.length <= 4);
  });
});
