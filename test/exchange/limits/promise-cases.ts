import assert from 'node:assert/strict';
import { nanosOf } from '../../../src/exchange/money.ts';
import { type Case, home, may, neighbour, noonMs, show } from './case.ts';
import { auctionAt, bookAt, dayMs, limited, midnightMs, promisedBy, refusedBy } from './limited.ts';

/** What is promised, and what becomes of it. */
export const promiseCases: readonly Case[] = [
  {
    name: 'a promise that is withdrawn makes room',
    limits: { impressionsDaily: 2 },
    before: (limits, object) => {
      assert.equal(refusedBy(limits, object, auctionAt(noonMs, 'ad', home)), undefined);
      assert.equal(refusedBy(limits, object, auctionAt(noonMs, 'ad', home)), undefined);
      assert.equal(
        refusedBy(limits, object, auctionAt(noonMs, 'ad', home))?.reason,
        'impressions_daily_limit',
      );
      limits.release(promisedBy(object), auctionAt(noonMs, 'ad'));
    },
    ask: may(home),
    refusal: undefined,
  },
  {
    name: 'room for one, and none again where nothing is promised',
    limits: { impressionsDaily: 2 },
    before: (limits, object) => {
      for (const promises of [1, 2]) {
        for (let made = 0; made < promises; made += 1)
          refusedBy(limits, object, auctionAt(noonMs, 'ad', home));
        limits.release(promisedBy(object), auctionAt(noonMs, 'ad'));
      }
      for (let times = 0; times < 3; times += 1) limits.release(promisedBy(object), auctionAt(noonMs, 'ad'));
      assert.equal(refusedBy(limits, object, auctionAt(noonMs, 'ad', home)), undefined);
      assert.equal(refusedBy(limits, object, auctionAt(noonMs, 'ad', home)), undefined);
    },
    ask: may(home),
    refusal: { reason: 'impressions_daily_limit', field: 'ImpressionsDailyLimit', wanted: 2, met: 2 },
  },
  {
    name: 'a promise that is not kept ends after an hour',
    limits: { impressionsDaily: 2 },
    before: (limits, object) => {
      refusedBy(limits, object, auctionAt(noonMs, 'ad', home));
      refusedBy(limits, object, auctionAt(noonMs, 'ad', home));
    },
    ask: may(home, noonMs + 62 * 60_000),
    refusal: undefined,
  },
  {
    name: "what was promised yesterday takes nothing of today's line",
    limits: { impressionsDaily: 24_000 },
    before: (limits, object) => {
      const lateMs = midnightMs + dayMs - 10 * 60_000;
      for (let made = 0; made < 1000; made += 1)
        assert.equal(refusedBy(limits, object, auctionAt(lateMs, 'ad', home)), undefined);
    },
    ask: may(home, midnightMs + dayMs + 1000),
    refusal: undefined,
  },
  {
    name: 'an auction of yesterday that is settled today asks for the rest of yesterday',
    limits: { impressionsDaily: 1 },
    before: (limits, object) => {
      assert.equal(refusedBy(limits, object, auctionAt(midnightMs + dayMs + 1, 'ad', home)), undefined);
      assert.equal(refusedBy(limits, object, auctionAt(midnightMs + dayMs - 1, 'ad', home)), undefined);
    },
    ask: may(home, midnightMs + dayMs - 1),
    refusal: { reason: 'impressions_daily_limit', field: 'ImpressionsDailyLimit', wanted: 1, met: 1 },
  },
  {
    name: 'a daily amount that is promised',
    limits: { amountDailyNanos: nanosOf(0.01) },
    before: (limits, object) => {
      assert.equal(refusedBy(limits, object, auctionAt(noonMs), nanosOf(0.006)), undefined);
      assert.equal(refusedBy(limits, object, auctionAt(noonMs, 'offer'), nanosOf(0.004)), undefined);
    },
    ask: may(home),
    refusal: { reason: 'revenue_daily_limit', field: 'RevenueDailyLimit', wanted: 0.01, met: 0.01 },
  },
  {
    name: 'an ad that does not fit into the rest of a daily amount',
    limits: { amountDailyNanos: nanosOf(0.01), amountTotalNanos: nanosOf(1) },
    before: (limits, object) => bookAt(limits, object, nanosOf(0.006), noonMs),
    ask: (limits, object) => refusedBy(limits, object, auctionAt(noonMs), nanosOf(0.005)),
    refusal: { reason: 'revenue_daily_limit', field: 'RevenueDailyLimit', wanted: 0.01, met: 0.006 },
  },
  {
    name: 'an ad that does not fit into the rest of a total amount',
    kind: 'Campaign',
    limits: { amountDailyNanos: nanosOf(1), amountTotalNanos: nanosOf(0.01) },
    before: (limits, object) => bookAt(limits, object, nanosOf(0.006), noonMs - dayMs),
    ask: (limits, object) => refusedBy(limits, object, auctionAt(noonMs), nanosOf(0.005)),
    refusal: { reason: 'spend_total_limit', field: 'SpendTotalLimit', wanted: 0.01, met: 0.006 },
  },
  {
    name: 'a total amount that was promised yesterday',
    kind: 'Campaign',
    limits: { amountTotalNanos: nanosOf(0.01) },
    before: (limits, object) =>
      assert.equal(refusedBy(limits, object, auctionAt(midnightMs + dayMs - 1), nanosOf(0.01)), undefined),
    ask: may(home, midnightMs + dayMs + 1),
    refusal: { reason: 'spend_total_limit', field: 'SpendTotalLimit', wanted: 0.01, met: 0.01 },
  },
  {
    name: 'what a refused ad had taken is free again: of impressions and of amounts',
    limits: { impressionsDaily: 1, amountDailyNanos: nanosOf(0.01), impressionsPerIp: 1 },
    before: (limits, object) => {
      show(limits, limited({ impressionsPerIp: 1 }), neighbour);
      const ofAmount = refusedBy(limits, object, auctionAt(noonMs, 'ad', home), nanosOf(0.02));
      const ofAddress = refusedBy(limits, object, auctionAt(noonMs, 'ad', neighbour), nanosOf(0.01));
      assert.deepEqual(
        [ofAmount?.reason, ofAddress?.reason],
        ['impressions_daily_limit', 'impressions_daily_limit'],
      );
    },
    ask: (limits) => {
      const roomy = limited({ impressionsDaily: 3, amountDailyNanos: nanosOf(0.01), impressionsPerIp: 1 });
      const reasons = [
        refusedBy(limits, roomy, auctionAt(noonMs, 'ad', home), nanosOf(0.02)),
        refusedBy(limits, roomy, auctionAt(noonMs, 'ad', neighbour), nanosOf(0.01)),
        refusedBy(limits, roomy, auctionAt(noonMs, 'ad', home), nanosOf(0.01)),
      ];
      return reasons.map((refusal) => refusal?.reason);
    },
    refusal: ['revenue_daily_limit', 'impressions_per_ip', undefined],
  },
  {
    name: 'an impression that is promised to an address',
    limits: { impressionsPerIp: 1 },
    before: (limits, object) =>
      assert.equal(refusedBy(limits, object, auctionAt(noonMs, 'ad', home)), undefined),
    ask: may(home, noonMs + 15 * 60_000),
    refusal: { reason: 'impressions_per_ip', field: 'ImpressionsLimitPerIp', wanted: 1, met: 1 },
  },
  {
    name: 'and no longer than it may be shown, and some moments',
    limits: { impressionsPerIp: 1 },
    before: (limits, object) =>
      assert.equal(refusedBy(limits, object, auctionAt(noonMs, 'ad', home)), undefined),
    ask: may(home, noonMs + 18 * 60_000),
    refusal: undefined,
  },
  {
    name: 'a promise to an address that was made by an auction that began a minute later',
    limits: { impressionsPerIp: 1 },
    before: (limits, object) =>
      assert.equal(refusedBy(limits, object, auctionAt(noonMs, 'ad', home)), undefined),
    ask: may(home, noonMs - 1),
    refusal: { reason: 'impressions_per_ip', field: 'ImpressionsLimitPerIp', wanted: 1, met: 1 },
  },
  {
    name: 'an amount that was promised by an auction that began a minute later',
    limits: { amountDailyNanos: nanosOf(0.01) },
    before: (limits, object) =>
      assert.equal(refusedBy(limits, object, auctionAt(noonMs), nanosOf(0.01)), undefined),
    ask: may(home, noonMs - 1),
    refusal: { reason: 'revenue_daily_limit', field: 'RevenueDailyLimit', wanted: 0.01, met: 0.01 },
  },
  {
    name: 'an ad of days ago that is shown now is booked in all, and leaves the amount of today',
    limits: { amountDailyNanos: nanosOf(0.01), amountTotalNanos: nanosOf(1) },
    before: (limits, object) => {
      bookAt(limits, object, nanosOf(0.01), noonMs);
      const auction = auctionAt(noonMs - 4 * dayMs);
      limits.commit(object, undefined, { auction, nanos: nanosOf(0.5), nowMs: noonMs });
    },
    ask: (limits, object) => [
      limits.mayReserve(object, auctionAt(noonMs), 1)?.met,
      limits.mayReserve(limited({ amountTotalNanos: 1 }, object.id), auctionAt(noonMs), 1)?.met,
    ],
    refusal: [0.01, 0.51],
  },
  {
    name: 'one that began a minute later may have been promised first',
    limits: { impressionsDaily: 1 },
    before: (limits, object) =>
      assert.equal(refusedBy(limits, object, auctionAt(noonMs, 'ad', home)), undefined),
    ask: may(home, noonMs - 1),
    refusal: { reason: 'impressions_daily_limit', field: 'ImpressionsDailyLimit', wanted: 1, met: 1 },
  },
  ...(
    [
      ['of this hour, for an hour', 'ad', 0, 61, 2],
      ['of this hour, and no longer', 'ad', 0, 62, 0],
      ['of the hour before, until its last one ends', 'ad', -1, 60, 2],
      ['of the hour before, and no longer', 'ad', -1, 61, 0],
      ['to offers, for their time', 'offer', 0, 6, 2],
      ['to offers, and no longer', 'offer', 0, 7, 0],
    ] as const
  ).map(([which, to, hour, minutes, met]): Case => {
    const startMs = noonMs + 31_234;
    const madeMs = startMs + hour * 3_600_000 - 2000;
    return {
      name: `what was promised before a restart still counts: ${which}`,
      limits: { impressionsDaily: 3 },
      startMs,
      before(limits, object) {
        const promised = [
          { ...object, hour: Math.floor(startMs / 3_600_000) + hour, to, promised: 3, promisedNanos: 0 },
        ];
        limits.restorePromises(promised);
        limits.release(promisedBy(object), auctionAt(madeMs, to));
      },
      ask: (limits, object) =>
        limits.mayReserve(
          limited({ impressionsDaily: 1 }, object.id),
          { ip: home, timeMs: startMs + minutes * 60_000 },
          0,
        )?.met ?? 0,
      refusal: met,
    };
  }),
];
