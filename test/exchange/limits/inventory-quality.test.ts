import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  createInventoryQuality,
  inventoryQualityMemory,
} from '../../../src/exchange/limits/inventory-quality.ts';
import { midnightMs } from './limited.ts';

const news = { kind: 'VastTag', id: 3, place: 'news.example' };
const minuteMs = 60_000;

const cases = [
  { name: 'nothing is known of what was never seen', valid: 0, invalid: 0, ageMs: 0, percent: undefined },
  { name: 'nothing is said below 100 events', valid: 0, invalid: 99, ageMs: 0, percent: undefined },
  { name: 'share of the invalid', valid: 150, invalid: 50, ageMs: 0, percent: 25 },
  { name: 'events of the last hour count', valid: 90, invalid: 10, ageMs: 54 * minuteMs, percent: 10 },
  { name: 'older ones do not', valid: 90, invalid: 10, ageMs: 65 * minuteMs, percent: undefined },
];

describe('quality of an inventory', () => {
  for (const { name, valid, invalid, ageMs, percent } of cases) {
    test(name, () => {
      const memory = inventoryQualityMemory(64);
      const [writer, reader] = [createInventoryQuality(memory), createInventoryQuality(memory)];
      for (let index = 0; index < valid + invalid; index += 1) {
        writer.count(news, index < invalid, midnightMs);
        writer.count({ ...news, place: 'other.example' }, false, midnightMs);
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
    assert.equal(quality.invalidPercent(news, earlierMs), 100);
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
      quality.count({ ...news, place: other }, true, midnightMs);
    }
    assert.equal(unseeded(one), unseeded(other));
    assert.equal(quality.invalidPercent({ ...news, place: one }, midnightMs), 0);
    assert.equal(quality.invalidPercent({ ...news, place: other }, midnightMs), 100);
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
    assert.equal(quality.invalidPercent(news, midnightMs), 100);
    const words = new Int32Array(memory.inventories.words);
    const entry = words.findIndex((word) => word !== 0);
    // As another inventory would have left it that lies in the same bucket.
    words[entry] = (words[entry] ?? 0) ^ 1;
    assert.equal(quality.invalidPercent(news, midnightMs), undefined);
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
      places.filter((place) => quality.invalidPercent({ ...news, place }, laterMs) !== 100),
      [],
    );
  });

  test('an entry with events goes on, also where one before it has become free', () => {
    const quality = createInventoryQuality(inventoryQualityMemory(4));
    const inventories = [1, 2, 3, 4].map((id) => ({ ...news, id }));
    for (let minutes = 0; minutes <= 120; minutes += 1)
      // Only one of them has events all the time; a new one comes after an hour.
      for (const [index, inventory] of inventories.entries())
        if (index === 2 || minutes === 0) quality.count(inventory, true, midnightMs + minutes * minuteMs);
    const laterMs = midnightMs + 120 * minuteMs;
    for (let event = 0; event < 100; event += 1) quality.count({ ...news, id: 9 }, false, laterMs);
    for (let event = 0; event < 100; event += 1) quality.count({ ...news, id: 3 }, true, laterMs);
    assert.equal(quality.invalidPercent({ ...news, id: 9 }, laterMs), 0);
    assert.equal(quality.invalidPercent({ ...news, id: 3 }, laterMs), 100);
  });

  test('inventories beyond the room are not known, and break nothing', () => {
    const quality = createInventoryQuality(inventoryQualityMemory(4));
    for (let id = 0; id < 100; id += 1) {
      for (let event = 0; event < 100; event += 1) quality.count({ ...news, id }, true, midnightMs);
    }
    const known = Array.from({ length: 100 }, (_, id) =>
      quality.invalidPercent({ ...news, id }, midnightMs),
    ).filter((percent) => percent !== undefined);
    assert.deepEqual(known, [100, 100, 100, 100]);
  });
});
