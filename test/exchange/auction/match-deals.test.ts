import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newCandidate } from '../../../src/exchange/auction/auction.ts';
import { matchDeals } from '../../../src/exchange/auction/match-deals.ts';
import type { DealObject } from '../../../src/exchange/configuration.ts';
import type { AuctionRates } from '../../../src/exchange/currency.ts';
import { createLimits, limitsMemory } from '../../../src/exchange/limits/create-limits.ts';
import { nanosOf } from '../../../src/exchange/money.ts';
import { CompiledDeal } from '../../../src/exchange/snapshot/deal.ts';
import { dealIndex } from '../../../src/exchange/snapshot/deal-index.ts';
import { auctionAt, smallSize } from '../limits/limited.ts';
import { settingsOf } from '../settings-of.ts';
import { unrestrictedDemand, unrestrictedSupply } from '../unrestricted.ts';

const rates: AuctionRates = { of: (currency) => (currency === 'EUR' ? 1.0857 : undefined) };

type Sent = Readonly<Record<string, unknown>>;

function dealOf(id: number, settings: Sent, connections: DealObject['connections'] = {}, more: object = {}) {
  const object = {
    entity: 'Deal',
    id,
    teamId: 1,
    ownerId: undefined,
    status: 0,
    connections,
    ...more,
  } as const;
  return new CompiledDeal(
    { ...object, settings: settingsOf('Deal', { Code: `d${id}`, ...settings }) },
    () => [],
  );
}

const demands = [
  unrestrictedDemand('DspRtbEp', { id: 1 }),
  unrestrictedDemand('DspRtbEp', { id: 2 }),
  unrestrictedDemand('DspVastTag', { id: 1 }),
  unrestrictedDemand('Campaign', { id: 1 }),
  unrestrictedDemand('DspPopFeed', { id: 1 }),
];

/** Codes of the deals of each candidate of VAST Tag 1. */
function matched(deals: readonly CompiledDeal[], pmp?: object): readonly (readonly string[] | undefined)[] {
  const index = dealIndex(deals);
  const supply = unrestrictedSupply('VastTag', { id: 1 });
  const candidates = demands.map((demand) => newCandidate(demand));
  const auction = {
    supply: { ...supply, ...index.of({ entity: 'VastTag', id: 1, teamId: 1 }) },
    opportunity: {
      timeMs: 0,
      rates,
      media: 'video',
      ...(pmp && { original: { request: {}, imp: { pmp } } }),
    },
    candidates,
    refusal: undefined,
    refusals: undefined,
  };
  void matchDeals(auction as unknown as Parameters<typeof matchDeals>[0]);
  return candidates.map(({ deals: own }) => own?.map(({ deal }) => deal.settings.Code));
}

const none = [undefined, undefined, undefined, undefined, undefined];

test('a deal is for the supply and the buyers that it names', () => {
  const rows: readonly (readonly [DealObject['connections'], ReturnType<typeof matched>])[] = [
    [{}, [['d1'], ['d1'], undefined, undefined, undefined]],
    [{ DspRtbEps: [2] }, [undefined, ['d1'], undefined, undefined, undefined]],
    [{ DspVastTags: [1] }, [undefined, undefined, ['d1'], undefined, undefined]],
    [{ Campaigns: [1], DspRtbEps: [1] }, [['d1'], undefined, undefined, ['d1'], undefined]],
    [{ VastTags: [1], DspRtbEps: [1] }, [['d1'], undefined, undefined, undefined, undefined]],
    [{ VastTags: [2] }, none],
    [{ RtbEps: [1] }, none],
    [{ BannerEps: [1], VastTags: [1] }, [['d1'], ['d1'], undefined, undefined, undefined]],
  ];
  for (const [connections, expected] of rows)
    assert.deepEqual(matched([dealOf(1, {}, connections)]), expected, JSON.stringify(connections));
});

test('an inactive deal, and one of another team, is not offered', () => {
  assert.deepEqual(matched([dealOf(1, {}, {}, { status: 1 }), dealOf(2, {}, {}, { teamId: 2 })]), none);
});

test('a deal in a currency without a rate is not offered', () => {
  assert.deepEqual(matched([dealOf(1, { Currency: 'GBP' })]), none);
  for (const Currency of ['', 'USD', 'EUR'])
    assert.deepEqual(matched([dealOf(1, { Currency })])[0], ['d1'], Currency);
});

test('the most important comes first, and the list is the same for all who are offered the same', () => {
  const deals = [dealOf(1, {}), dealOf(2, { Priority: 1 }, { VastTags: [1] }), dealOf(3, { Priority: 20 })];
  assert.deepEqual(matched(deals)[0], ['d2', 'd1', 'd3']);
});

test('a deal of an exchange is offered with its ID alone, in a currency with a rate, to whom both admit', () => {
  const own = {
    UpstreamCode: 'U',
    Price: 1,
    SeatListMode: 1,
    SeatList: 'a\nb',
    AdvertiserDomains: 'x.example',
  };
  const rows: readonly (readonly [upstream: object, isOffered: boolean])[] = [
    [{ id: 'U' }, true],
    [{ id: 'V' }, false],
    [{ id: 'U', bidfloor: 2 }, true],
    [{ id: 'U', bidfloor: 2, bidfloorcur: 'eur' }, true],
    [{ id: 'U', bidfloor: 2, bidfloorcur: 'GBP' }, false],
    [{ id: 'U', bidfloorcur: 'GBP' }, true],
    [{ id: 'U', wseat: ['b', 'c'] }, true],
    [{ id: 'U', wseat: ['c'] }, false],
    [{ id: 'U', wadomain: ['X.example'] }, true],
    [{ id: 'U', wadomain: ['y.example'] }, false],
  ];
  for (const [upstream, isOffered] of rows) {
    const [first] = matched([dealOf(1, own)], { deals: [upstream] });
    assert.deepEqual(first, isOffered ? ['d1'] : undefined, JSON.stringify(upstream));
  }
  assert.deepEqual(matched([dealOf(1, own)]), none);
});

test('a deal is not offered while its limits are reached, or while it is on plan', () => {
  const timeMs = Date.UTC(2027, 0, 1, 12);
  const time = { Type: 4, Units: 4, StartTime: '2027-01-01', EndTime: '2027-01-01' };
  const rows: readonly (readonly [settings: Sent, offered: number])[] = [
    [{}, 9],
    [{ MaxQps: 2 }, 2],
    [{ Units: 3 }, 3],
    [{ ImpressionsDailyLimit: 4 }, 3],
    [{ RevenueDailyLimit: 0.002 }, 2],
    // Half of it is due, and one more may be sold ahead.
    [time, 3],
    [{ ...time, EndTime: '' }, 4],
  ];
  for (const [settings, expected] of rows) {
    const limits = createLimits(limitsMemory({ startMs: timeMs, ratesFromMs: 0 }, smallSize), () => 0);
    const deal = dealOf(1, settings);
    const index = dealIndex([deal]);
    const supply = unrestrictedSupply('VastTag', { id: 1 });
    const offered = Array.from({ length: 9 }, () => {
      const auction = {
        supply: { ...supply, ...index.of({ entity: 'VastTag', id: 1, teamId: 1 }) },
        opportunity: { timeMs, media: 'video' },
        candidates: [newCandidate(unrestrictedDemand('DspRtbEp', { id: 1 }))],
        services: { limits },
      };
      void matchDeals(auction as unknown as Parameters<typeof matchDeals>[0]);
      const isOffered = auction.candidates[0]?.deals !== undefined;
      if (isOffered) limits.reserve(deal, auctionAt(timeMs), nanosOf(0.001));
      return isOffered;
    });
    assert.equal(offered.filter(Boolean).length, expected, JSON.stringify(settings));
  }
});

test('a guaranteed deal with a plan comes before all others', () => {
  const time = { Type: 4, Units: 4, StartTime: '2027-01-01', EndTime: '2027-01-01', Priority: 20 };
  const deals = [dealOf(1, { Priority: 1 }), dealOf(2, time), dealOf(3, { ...time, Units: 0 })];
  const index = dealIndex(deals).of({ entity: 'VastTag', id: 1, teamId: 1 });
  assert.deepEqual(
    index.deals?.map(({ id }) => id),
    [2, 1, 3],
  );
});
