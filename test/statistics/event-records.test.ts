import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Refusal } from '../../src/fields/fault.ts';
import { unknownAd, unknownTraffic } from '../../src/reference/cubes.ts';
import { createEventConsumer } from '../../src/statistics/consume-events.ts';
import { assertStorable, eventBatch } from '../../src/statistics/event-counts.ts';
import { eventRecord, NewerRecord, readEventRecord } from '../../src/statistics/event-records.ts';
import type { Notice } from '../../src/statistics/events.ts';
import { createTopValues } from '../../src/statistics/top-values.ts';
import { impression, pairOf } from './counting.ts';

const billing: Notice = { kind: 'billing', url: 'https://dsp.example/bill?p=1' };
const pair = { ...pairOf({ kind: 'RtbEp', id: 1 }, { kind: 'DspRtbEp', id: 1 }), ad: undefined };
const event = impression('a', pair, { event: 'bills', notices: [billing], isWin: true });

describe('an event that is also the impression', () => {
  const shown = impression('a', pair, { event: 'bills', isImpression: true });
  test('is read as it was, in a form that older programs leave where it is', () => {
    assert.deepEqual(readEventRecord(eventRecord(shown)), { kind: 'event', event: shown });
    assert.equal(eventRecord(shown)[0], 3);
  });
  test('counts as both, and claims both', () => {
    const { claims, countsOf } = eventBatch([shown], createTopValues());
    assert.deepEqual(claims[0]?.names, ['bills', 'impressions']);
    const [counted] = countsOf(new Set(claims)).pairs;
    assert.deepEqual([counted?.counts.bills, counted?.counts.impressions], [1, 1]);
  });
});

test('an event of objects in other currencies is read with their rates, and refused with a wrong one', () => {
  const localRates = [{ side: 'supply', currency: 'EUR', usdPerUnit: 1.0857 }] as const;
  const billed = { ...impression('a', pair, { event: 'bills' }), localRates };
  assert.deepEqual(readEventRecord(eventRecord(billed)), { kind: 'event', event: billed });
  for (const wrong of [{ usdPerUnit: 0 }, { usdPerUnit: Number.POSITIVE_INFINITY }, { currency: 'euro' }]) {
    const rates = [{ ...localRates[0], ...wrong }];
    assert.throws(() => assertStorable({ ...billed, localRates: rates }), /is not valid/);
  }
});

describe('an event with notices as a record', () => {
  test('is read as it was', () => {
    assert.deepEqual(readEventRecord(eventRecord(event)), { kind: 'event', event });
  });
  test('has a form of its own, which who does not know notices leaves where it is', () => {
    assert.equal(eventRecord({ ...event, notices: [], isWin: undefined })[0], 1);
    assert.equal(eventRecord(event)[0], 2);
  });
  test('with a notice of another kind is of a newer program', () => {
    const record = eventRecord({ ...event, notices: [{ ...billing, kind: 'other' as 'win' }] });
    assert.throws(() => readEventRecord(record), NewerRecord);
  });
});

describe('what is set aside is logged without what may tell of a viewer:', () => {
  const key = { kind: 'VastTag', id: 1 };
  const atAddress = { address: '203.0.113.7', timeMs: 1, objects: [key] };
  const notices = [{ ...billing, url: 'https://dsp.example/"bill\\?user=someone' }];
  const shown = { ...impression('a', pair), notices };
  const lot = {
    id: 'a',
    pairs: [],
    subIds: [],
    addresses: [{ ...key, hour: 'x', address: '203.0.113.7', impressions: 0, promised: 1 }],
    traffic: [],
  };
  const text = JSON.stringify({ ...shown, atAddress });
  const cases: readonly (readonly [string, number, string, refused?: Error])[] = [
    ['an event that the database refuses', 1, text, new Refusal('invalid', 'refused')],
    ['an event with a wrong time', 1, JSON.stringify({ ...shown, atAddress, timeMs: 'x' })],
    ['a record that is cut off in an address', 1, text.slice(0, text.indexOf('203') + 5)],
    ['a record that is cut off in a notice', 1, text.slice(0, text.indexOf('someone') + 4)],
    ['a row of a lot', 2, JSON.stringify(lot)],
  ]; // biome-ignore format: a table
  for (const [name, kind, json, refused] of cases) {
    test(name, async () => {
      const aside: string[] = [];
      const consume = createEventConsumer({
        statistics: {
          takenUntil: async () => 0,
          add: async ([first]) => {
            if (refused && first?.events?.claims.length) throw refused;
            return { events: new Set() } as never;
          },
        },
        now: () => 1,
        onSetAside: (_, record) => aside.push(record),
      });
      const record = Buffer.concat([Buffer.of(2, kind), Buffer.from(json)]);
      await consume({ source: 'a', records: [record], places: [1] });
      assert.equal(aside.length, 1);
      for (const told of ['203.0', 'dsp.example', 'some']) assert.ok(!aside.join().includes(told), told);
      assert.match(aside.join(), /…/);
    });
  }
});

describe('a member that this version does not know', () => {
  const key = { kind: 'VastTag', id: 1 };
  const whole = {
    ...impression('a', { ...pair, traffic: unknownTraffic, ad: unknownAd }),
    atAddress: { address: '203.0.113.7', timeMs: 1, objects: [key] },
    promisedBy: { holder: 1, to: 'ad', objects: [key] },
    notices: [billing],
  };
  const counts = { requests: 1 };
  const lot = {
    id: 'a',
    pairs: [{ hour: 1, quarter: 0, minute: 0, supply: key, demand: key, counts }],
    subIds: [],
    addresses: [{ ...key, hour: 1, address: '203.0.113.7', impressions: 0, promised: 1 }],
    traffic: [{ cube: 'call', day: 1, hour: 24, supply: key, demand: key, values: [], counts }],
  };
  /** The value with a further member in each of its objects in turn. */
  function* grown(value: unknown): Generator<unknown> {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) yield { ...value, views: 1 };
    for (const [name, member] of Object.entries(value))
      for (const more of grown(member))
        yield Array.isArray(value) ? value.with(Number(name), more) : { ...value, [name]: more };
  }
  for (const [name, kind, value, objects] of [
    ['an event', 1, whole, 11],
    ['a lot', 2, lot, 10],
  ] as const) {
    const record = (of: unknown) => Buffer.concat([Buffer.of(2, kind), Buffer.from(JSON.stringify(of))]);
    test(`keeps ${name} for a newer program, in whichever of its objects it is`, () => {
      assert.equal(readEventRecord(record(value)).kind, name === 'an event' ? 'event' : 'lot');
      const all = [...grown(value)];
      assert.equal(all.length, objects);
      for (const one of all)
        assert.throws(() => readEventRecord(record(one)), NewerRecord, JSON.stringify(one));
    });
  }
});
