import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventBatch } from '../../src/statistics/event-counts.ts';
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
