import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  type CounterName,
  type Counts,
  countersIn,
  noCounts,
  type OnceEvent,
  playedEvents,
  type UnbilledCounter,
} from '../../src/reference/counters.ts';
import {
  type AdFacts,
  type Cube,
  type CubeName,
  cubes,
  type Traffic,
  unknownAd,
} from '../../src/reference/cubes.ts';
import { dimensionRows, isTimeUnit } from '../../src/reference/dimensions.ts';
import { latencyCounterOf } from '../../src/reference/latency.ts';
import { type Measure, type MeasureName, measureRows, measures } from '../../src/reference/measures.ts';
import type { Reason } from '../../src/reference/reason-help.ts';
import type { Random } from '../../src/simulation/random.ts';
import type { RetentionState } from '../../src/statistics/asking/plan-report.ts';
import type { ReportQuestion } from '../../src/statistics/asking/question.ts';
import { runReport } from '../../src/statistics/asking/run-report.ts';
import { intervalsOf } from '../../src/statistics/asking/zones.ts';
import type { EventSink, LocalRate, Pair } from '../../src/statistics/events.ts';
import { standardKeptDays } from '../../src/statistics/forgetting.ts';
import type { Store } from '../../src/store/interface.ts';
import type { ObjectKey } from '../../src/store/statistics/interface.ts';
import { dayMs, startMs } from './counting.ts';

/** One thing that was counted, with all that is known of it. */
export interface Fact {
  readonly timeMs: number;
  readonly supply: ObjectKey;
  readonly demand: ObjectKey | undefined;
  readonly subId: string;
  readonly traffic: Traffic;
  readonly ad: AdFacts | undefined;
  /** Why something was refused, where the counts are of refusals. */
  readonly reason?: Reason;
  readonly counts: Partial<Counts>;
  /** Of objects that are not in USD, at the time of a bill. */
  readonly localRates?: readonly LocalRate[];
}

/** The objects of a simulation, with their accounts. */
export interface Market {
  readonly teamId: number;
  readonly supplies: readonly (ObjectKey & { readonly owner: number })[];
  readonly demands: readonly (ObjectKey & { readonly owner: number })[];
}

const days = 3;

function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)];
  assert.ok(value !== undefined);
  return value;
}

function trafficOf(random: Random): Traffic {
  return {
    country: pick(random, ['DE', 'US', '']),
    deviceType: pick(random, [0, 2, 4]),
    os: pick(random, ['Android', 'iOS', '']),
    browser: pick(random, ['Chrome', 'Safari']),
    medium: pick(random, ['video', 'banner']),
    size: pick(random, ['640x360', '300x250', '']),
    site: pick(random, ['news.example', 'other', '\\x', 'a"b,c', '=1+1', 'com.example.app', '']),
    region: pick(random, ['us-east', 'eu']),
    consent: pick(random, ['not_required', 'given', 'refused', '']),
  };
}

/** The rates move between auctions, and an object may change its currency. */
function localRatesOf(random: Random): readonly LocalRate[] {
  const rateOf = (side: LocalRate['side'], currency: string, usual: number): LocalRate[] =>
    currency === '' ? [] : [{ side, currency, usdPerUnit: usual * (0.9 + random() / 5) }];
  return [
    ...rateOf('supply', pick(random, ['', 'EUR']), 1.0857),
    ...(random() < 0.5
      ? rateOf('demand', 'JPY', 0.00667)
      : rateOf('demand', pick(random, ['', 'EUR']), 1.0857)),
  ];
}

/** A bill's cost is in the currency of supply, its revenue in that of demand; all else is in USD. */
function inCurrencies(fact: Fact): readonly (Fact & { readonly currency: string })[] {
  const { counts, localRates = [] } = fact;
  const { spentNanos = 0, revenueNanos = 0, ...others } = counts;
  const local = (side: LocalRate['side'], nanos: number) => {
    const { currency = '', usdPerUnit = 1 } = localRates.find((one) => one.side === side) ?? {};
    return { currency, nanos: Math.round(nanos / usdPerUnit) };
  };
  const [cost, revenue] = [local('supply', spentNanos), local('demand', revenueNanos)];
  const own = { spentNanos, localSpentNanos: cost.nanos };
  const paid = { revenueNanos, localRevenueNanos: revenue.nanos };
  return [
    { ...fact, currency: '', counts: others },
    { ...fact, currency: cost.currency, counts: own },
    { ...fact, currency: revenue.currency, counts: paid },
  ];
}

/** Simulates one auction, and tells each thing that it counts: those of `bill` must be durable. */
function* auctionOf(random: Random, { supplies, demands }: Market): Generator<Played> {
  const timeMs = startMs + Math.floor(random() * days * dayMs);
  const { kind, id } = pick(random, supplies);
  const about = {
    timeMs,
    supply: { kind, id },
    subId: pick(random, ['', 'a', 'b']),
    traffic: trafficOf(random),
  };
  const ofSupply = { ...about, demand: undefined, ad: undefined };
  const refused = (pair: Fact, reasons: readonly Reason[], lostNanos: number) => ({
    ...pair,
    reason: pick(random, reasons),
    counts: { refusals: 1, lostNanos },
  });
  if (random() < 0.2) {
    yield refused({ ...ofSupply, counts: {} }, ['max_qps', 'country_not_targeted'], 0);
    // That could not be read: nobody else's.
    if (random() < 0.3)
      yield { ...ofSupply, reason: 'invalid_request', counts: { refusals: 1, lostNanos: 0, invalid: 1 } };
    return;
  }
  yield { ...ofSupply, counts: { requests: 1 } };
  // Held nevertheless.
  if (random() < 0.2) yield { ...ofSupply, reason: 'known_bot', counts: { invalid: 1 } };
  yield { ...ofSupply, counts: { opportunities: 1 } };
  const deals = ['d1', 'd2', 'other'].filter(() => random() < 0.3);
  const under = (deal: string) => ({ ad: { ...unknownAd, deal } });
  for (const deal of deals) yield { ...ofSupply, ...under(deal), counts: { dealRequests: 1 } };
  const asked = demands.filter(() => random() < 0.6);
  for (const { kind: ofKind, id: ofId } of demands) {
    const own = { ...about, demand: { kind: ofKind, id: ofId }, ad: undefined };
    if (!asked.some(({ kind: one, id: other }) => one === ofKind && other === ofId)) {
      yield refused({ ...own, counts: {} }, ['country_not_targeted', 'inactive'], 0);
      continue;
    }
    yield { ...own, counts: { calls: 1 } };
    for (const deal of deals) yield { ...own, ...under(deal), counts: { dealCalls: 1 } };
    const deal = under(pick(random, ['', ...deals]));
    const end = pick(random, ['answers', 'timeouts', 'errors'] as const);
    yield { ...own, counts: { [end]: 1 } };
    if (end === 'answers') yield { ...own, counts: { [latencyCounterOf(random() * 4000)]: 1 } };
    if (end === 'answers') yield { ...own, ...deal, counts: { bids: 1 } };
    const bidNanos = Math.floor(random() * 1e7);
    if (end === 'answers') yield { ...own, ...deal, counts: { bidNanos } };
    if (end === 'answers') yield refused({ ...own, ...deal, counts: {} }, ['below_floor', 'lost'], bidNanos);
    else yield refused({ ...own, counts: {} }, [end === 'timeouts' ? 'timed_out' : 'unreachable'], 0);
  }
  const winner = asked[0];
  if (!winner) return;
  const ad = {
    seat: pick(random, ['s1', '']),
    adDomain: pick(random, ['b.example', 'other']),
    creative: pick(random, ['c1', 'c2']),
    deal: pick(random, ['d1', '']),
  };
  const shown = { ...about, demand: { kind: winner.kind, id: winner.id }, ad };
  yield { ...shown, counts: { wins: 1 } };
  if (random() < 0.3) return;
  const revenueNanos = Math.floor(random() * 1e8);
  const price = { revenueNanos, spentNanos: Math.floor(revenueNanos * random()) };
  if (random() < 0.2) yield { ...shown, reason: 'visitor_refused', counts: { invalid: 1 } };
  const localRates = localRatesOf(random);
  yield { ...shown, counts: { bills: 1, ...price }, localRates, billed: 'bills' };
  yield { ...shown, counts: { impressions: 1 }, billed: 'impressions' };
  for (const event of ['clicks', ...playedEvents] as const) {
    if (random() < 0.4) yield { ...shown, counts: { [event]: 1 }, billed: event };
  }
}

/** A fact, and the event that counts it once, if one does. */
export type Played = Fact & { readonly billed?: OnceEvent };

/** Everything that an auction counts. */
export const auctionFacts = (random: Random, market: Market): readonly Played[] => [
  ...auctionOf(random, market),
];

/** Sends what an auction counts to a sink; each fact is told once it is sent, those of `billed` once they are durable. */
export async function play(
  facts: readonly Played[],
  sink: EventSink,
  tell: (fact: Fact) => void = () => undefined,
  auctionId: string = randomUUID(),
): Promise<void> {
  for (const { billed, ...fact } of facts) {
    const { supply, demand, subId, traffic, ad, timeMs, counts, reason, localRates } = fact;
    const pair: Pair = { supply, demand, subId, traffic, ...(ad && { ad }) };
    if (reason) {
      const { refusals = 0, lostNanos = 0, invalid = 0 } = counts;
      const refused = { count: refusals, lostNanos, invalid, deal: ad?.deal ?? '' };
      sink.refuse({ supply, demand }, reason, timeMs, refused);
      tell(fact);
      continue;
    }
    if (!billed) {
      const isBid = 'bids' in counts || 'bidNanos' in counts;
      const isOfDeals = 'dealRequests' in counts || 'dealCalls' in counts;
      const all = Object.entries(counts) as [UnbilledCounter, number][];
      if (ad?.deal && (isBid || isOfDeals)) sink.countDeal({ supply, demand }, ad.deal, all, timeMs);
      const of: Pair = isBid ? { supply, demand, subId, traffic } : pair;
      if (!isOfDeals) for (const [name, by] of all) sink.count(of, name, timeMs, by);
      tell(fact);
      continue;
    }
    const { revenueNanos = 0, spentNanos = 0 } = counts;
    const expiresMs = startMs + 40 * dayMs;
    const price = { revenueNanos, spentNanos, localRates };
    await sink.bill({ pair, event: billed, auctionId, timeMs, expiresMs, ...price });
    tell(fact);
  }
}

const adCounter =
  /^(wins|bills|impressions|clicks|starts|\w+Quartiles|midpoints|completes|skips|adErrors|spentNanos|revenueNanos)$/;

const ofExchange: ReadonlySet<CounterName> = new Set([
  ...countersIn('pair'),
  ...countersIn('traffic'),
  ...countersIn('call'),
  ...countersIn('refusal'),
  ...countersIn('deal'),
  ...countersIn('currency'),
]);
const ofOneCube: readonly CounterName[] = [
  ...(['dealRequests', 'dealCalls', 'localSpentNanos', 'localRevenueNanos'] as const),
];
/** Whether the exchange itself counts something. */
export const isPlayed = (name: CounterName): boolean => ofExchange.has(name);

/**
 * Measures that a cube answers: of refusals their own; of ads only what comes after the win; of demand nothing that is of
 * supply alone.
 */
export function measuresOf(name: CubeName): readonly MeasureName[] {
  const cube: Cube = cubes[name];
  const isOfDemand = cube.objects.join() === 'demand';
  const isOfTable = cube.counts === 'deal' || cube.counts === 'currency';
  const own: ReadonlySet<CounterName> = new Set(isOfTable ? countersIn(cube.counts) : []);
  return measureRows.flatMap(([measure, { from }]) => {
    if (isOfTable) return from.every((counter) => own.has(counter)) ? [measure] : [];
    // What partners report is nothing that the exchange counts.
    if (from.some((counter) => !isPlayed(counter) || ofOneCube.includes(counter))) return [];
    if (measure === 'Invalid') return cube.counts === 'pair' || cube.counts === 'refusal' ? [measure] : [];
    const isOfRefusals = from.some((counter) => counter === 'refusals' || counter === 'lostNanos');
    if (isOfRefusals !== (cube.counts === 'refusal')) return [];
    const isOfCalls = from.every((counter) =>
      /^(calls|answers|timeouts|errors|noBids|latency\w+)$/.test(counter),
    );
    if (cube.counts === 'call') return isOfCalls ? [measure] : [];
    if (from.some((counter) => counter.startsWith('latency'))) return [];
    if (cube.isOfAds) return from.every((counter) => adCounter.test(counter)) ? [measure] : [];
    const isOfSupply = from.some((counter) => counter === 'requests' || counter === 'opportunities');
    return isOfDemand && isOfSupply ? [] : [measure];
  });
}
/** Whether sums of several currencies would mean nothing. */
export const isByCurrency = (name: MeasureName): boolean => {
  const { by }: Measure = measures[name];
  return by === 'Currency';
};

/** Whether it outlives a kill. */
export const isDurable = ({ billed }: Played) =>
  billed !== undefined && !playedEvents.some((event) => event === billed);

/** Measures of billable events. */
export const billedMeasures: readonly MeasureName[] = measureRows.flatMap(([name, { from }]) =>
  from.every((counter) => ['bills', 'impressions', 'clicks', 'spentNanos', 'revenueNanos'].includes(counter))
    ? [name]
    : [],
);

/** What reports show of a value that strangers choose. */
const shownName = (value: string) => (value === 'other' || value.startsWith('\\') ? `\\${value}` : value);

/** The values of a fact by the columns of cubes. */
function columnsOf(
  { supply, demand, subId, traffic, ad, reason, currency }: Fact & { readonly currency: string },
  { supplies, demands }: Market,
) {
  const ownerOf = (objects: Market['supplies'], object: ObjectKey | undefined) =>
    objects.find(({ kind, id }) => kind === object?.kind && id === object.id)?.owner ?? 0;
  return {
    publisher_id: ownerOf(supplies, supply),
    supply_kind: supply.kind,
    supply_id: supply.id,
    advertiser_id: ownerOf(demands, demand),
    demand_kind: demand?.kind ?? '',
    demand_id: demand?.id ?? 0,
    country: traffic.country,
    device_type: traffic.deviceType,
    os: traffic.os,
    browser: traffic.browser,
    medium: traffic.medium,
    size: shownName(traffic.size),
    site: shownName(traffic.site),
    region: traffic.region,
    consent: traffic.consent,
    sub_id: shownName(subId),
    reason: reason ?? '',
    currency,
    seat: shownName(ad?.seat ?? ''),
    ad_domain: shownName(ad?.adDomain ?? ''),
    creative: shownName(ad?.creative ?? ''),
    deal: shownName(ad?.deal ?? ''),
  } as Readonly<Record<string, string | number>>;
}

/** The sums that a report should have, by its rows' values. */
function expected(facts: readonly Fact[], market: Market, question: ReportQuestion): Map<string, object> {
  const { groups, fromMs, untilMs, zone, filters } = question;
  const unit = groups.find(isTimeUnit);
  const intervals = unit ? [...intervalsOf(unit, fromMs, untilMs, zone)] : [];
  const dimensions = new Map(dimensionRows);
  const sums = new Map<string, Record<string, number>>();
  for (const fact of facts.flatMap(inCurrencies)) {
    if (fact.timeMs < fromMs || fact.timeMs >= untilMs) continue;
    const columns = columnsOf(fact, market);
    const valuesOf = (name: string) =>
      dimensions.get(name as never)?.columns.map((column) => columns[column]) ?? [];
    const isIn = filters.every(({ field, values, isNot }) => {
      const own = JSON.stringify(valuesOf(field));
      return values.some((value) => JSON.stringify(value) === own) !== isNot;
    });
    // What a demand object counts alone is nothing of supply.
    if (!isIn) continue;
    const time = intervals.find(
      ({ fromMs: from, untilMs: until }) => fact.timeMs >= from && fact.timeMs < until,
    )?.start;
    const values = groups.filter((name) => !isTimeUnit(name)).map(valuesOf);
    const key = JSON.stringify([time ?? null, ...values]);
    const sum = sums.get(key) ?? { ...noCounts };
    for (const [name, by] of Object.entries(fact.counts)) sum[name] = (sum[name] ?? 0) + by;
    sums.set(key, sum);
  }
  const figures = (counts: Record<string, number>) =>
    Object.fromEntries(question.measures.map((name) => [name, measures[name].of(counts as Counts)]));
  return new Map([...sums].map(([key, counts]) => [key, figures(counts)]));
}

const isAny = (figures: object) => Object.values(figures).some((value) => value !== 0 && value !== null);

/** A question about all the days of a simulation. */
export function questionOf(market: Market, more: Partial<ReportQuestion>): ReportQuestion {
  return {
    teamId: market.teamId,
    fromMs: startMs - dayMs,
    untilMs: startMs + (days + 1) * dayMs,
    zone: 'UTC',
    groups: [],
    measures: measuresOf('audience'),
    filters: [],
    orderBy: [],
    limit: undefined,
    hasTotal: false,
    compareTo: undefined,
    ...more,
  };
}

/** Everything that a database has ever counted is kept, at the time of the simulation. */
export const keptNow: RetentionState = {
  nowMs: startMs + days * dayMs,
  keptDays: standardKeptDays,
  starts: new Map(),
};

/** Asserts that a report has exactly the rows that the facts make; rows of nothing but zeros aside. */
export async function assertReported(
  { statistics }: Store,
  market: Market,
  facts: readonly Fact[],
  question: ReportQuestion,
): Promise<number> {
  const { rows, total } = await runReport(statistics, { ...question, hasTotal: true }, keptNow);
  const told = rows.map(
    ({ time, values, figures }) => [JSON.stringify([time ?? null, ...values]), figures] as const,
  );
  const due = [...expected(facts, market, question)].filter(([, figures]) => isAny(figures));
  const what = JSON.stringify([question.groups, question.zone, question.filters]);
  assert.deepEqual(
    new Map(told.filter(([, figures]) => isAny(figures)).sort(([a], [b]) => (a < b ? -1 : 1))),
    new Map(due.sort(([a], [b]) => (a < b ? -1 : 1))),
    what,
  );
  const [all] = expected(facts, market, { ...question, groups: [] }).values();
  const isOne = question.filters.some(
    ({ field, isNot, values }) => field === 'Currency' && !isNot && values.length === 1,
  );
  const mixed = question.measures.filter((name) => isByCurrency(name) && !isOne);
  const whole = { ...all, ...Object.fromEntries(mixed.map((name) => [name, null])) };
  if (all) assert.deepEqual(total?.figures, whole, `total of ${what}`);
  return due.length;
}
