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
