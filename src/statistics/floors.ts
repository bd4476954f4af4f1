import { secondPricePlus } from '../reference/second-price.ts';
import type { BidSamples } from '../store/statistics/interface.ts';

/** 1 = First Price, 2 = Second Price Plus. */
export type AuctionType = 1 | 2;

/** USD, with the bounds that 95 of 100 such samples keep. */
export interface Estimate {
  readonly usd: number;
  readonly low: number;
  readonly high: number;
}

export interface FloorEstimate {
  /** USD CPM. */
  readonly floor: number;
  readonly revenue: Estimate;
  /** Of 100 auctions with bids. */
  readonly soldPercent: number;
}

export interface FloorCurve {
  readonly auctionType: AuctionType;
  readonly floors: readonly FloorEstimate[];
  /** At the current floor, and at the best one. */
  readonly now: FloorEstimate;
  readonly best: FloorEstimate;
  /** How much more the best one would have earned. */
  readonly gain: Estimate;
  /** Hardly by chance, although the best of many floors was picked. */
  readonly isSure: boolean;
}

/** Of an hour and country, partly sampled. */
type Stratum = Pick<BidSamples, 'auctions' | 'sampled'>;

const floorsMax = 40;
const microsPerUsd = 1_000_000;
const nanosPerUsd = 1_000_000_000;
/** Normal distribution: 95 of 100 on both sides, and the same for the best of 40 floors (Bonferroni). */
const [bound, boundOfBest] = [1.96, 3.2];
/** Fewer sampled auctions say too little. */
const enough = 200;

export const isEnough = (strata: readonly Stratum[]): boolean =>
  strata.reduce((sum, { sampled }) => sum + sampled.length, 0) >= enough;

/** Nano-USD that an auction earns at a floor: a price in micro-USD of CPM is the same number. */
type Earned = (auction: readonly number[], floorMicros: number) => number;

const earnedBy =
  (type: AuctionType): Earned =>
  ([own = 0, first = 0, second = 0], floorMicros) => {
    const floor = Math.max(own, floorMicros);
    if (first < floor) return 0;
    return type === 1 ? first : secondPricePlus(first, second >= floor ? second : 0, floor);
  };

/** Of a floor rule (`RuleSample`): the bid whose floor it decides wins unless it is below that or the other bids. */
const earnedByRule: Earned = ([own = 0, first = 0, second = 0, other = 0], floorMicros) => {
  const floor = Math.max(own, floorMicros);
  if (first < floor || first < other) return other;
  return secondPricePlus(first, Math.max(second >= floor ? second : 0, other), floor);
};

function variance(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/**
 * Sum over all auctions with its standard error, by hour and country (stratified sampling, Cochran 1977, chapter 5).
 * The day is one of many, so fully sampled strata are uncertain too. A lone auction is taken to vary as all do.
 */
function total(strata: readonly Stratum[], of: (auction: readonly number[]) => number) {
  const values = strata.map(({ sampled }) => sampled.map(of));
  const pooled = variance(values.flat());
  let [sum, squares] = [0, 0];
  values.forEach((own, index) => {
    const { auctions = 0 } = strata[index] ?? {};
    if (own.length === 0) return;
    sum += (auctions * own.reduce((all, value) => all + value, 0)) / own.length;
    squares += (auctions ** 2 * (own.length < 2 ? pooled : variance(own))) / own.length;
  });
  return { sum, error: Math.sqrt(squares) };
}

const rounded = (usd: number) => Math.round(usd * microsPerUsd) / microsPerUsd;

function estimate({ sum, error }: ReturnType<typeof total>, least: number): Estimate {
  const [usd, margin] = [sum / nanosPerUsd, (bound * error) / nanosPerUsd];
  return { usd: rounded(usd), low: rounded(Math.max(least, usd - margin)), high: rounded(usd + margin) };
}

const highestBid = (strata: readonly Stratum[]) =>
  strata.flatMap(({ sampled }) => sampled).reduce((most, [, first = 0]) => Math.max(most, first), 0);

const powers = Array.from({ length: 8 }, (_, power) => 10_000 * 10 ** power);

/** Micros of CPM: even steps between two floors. */
function evenFloors(lowest: number, highest: number): number[] {
  const step = powers
    .flatMap((power) => [power, 2 * power, 5 * power])
    .find((one) => (highest - lowest) / one < floorsMax);
  if (step === undefined) return [];
  const first = Math.ceil(lowest / step);
  const count = Math.max(0, Math.floor(highest / step) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}

const ascending = (floors: readonly number[]) => [...new Set(floors)].sort((one, other) => one - other);

/** How much more a floor earns than another, and whether that is hardly chance. */
function gainOf(strata: readonly Stratum[], earned: Earned, bestMicros: number, nowMicros: number) {
  const more = total(strata, (auction) => earned(auction, bestMicros) - earned(auction, nowMicros));
  return {
    gain: estimate(more, Number.NEGATIVE_INFINITY),
    isSure: more.sum - boundOfBest * more.error > 0,
  };
}

/** `nowFloor`: the current one, in USD CPM. */
export function floorCurve(strata: readonly Stratum[], nowFloor: number, type: AuctionType): FloorCurve {
  const earned = earnedBy(type);
  const nowMicros = Math.round(nowFloor * microsPerUsd);
  const auctions = strata.reduce((sum, one) => sum + (one.sampled.length > 0 ? one.auctions : 0), 0);
  const at = (micros: number): FloorEstimate => {
    const sold = total(strata, (auction) => Number(earned(auction, micros) > 0));
    return {
      floor: micros / microsPerUsd,
      revenue: estimate(
        total(strata, (auction) => earned(auction, micros)),
        0,
      ),
      soldPercent: auctions === 0 ? 0 : rounded((100 * sold.sum) / auctions),
    };
  };
  const floors = ascending([nowMicros, ...evenFloors(0, highestBid(strata))]).map(at);
  const now = floors.find(({ floor }) => floor === nowMicros / microsPerUsd) ?? at(nowMicros);
  const best = floors.reduce((most, one) => (one.revenue.usd > most.revenue.usd ? one : most), now);
  const bestMicros = Math.round(best.floor * microsPerUsd);
  return { auctionType: type, floors, now, best, ...gainOf(strata, earned, bestMicros, nowMicros) };
}

/** A floor rule's bounds and its floor in force, as CPM in its currency. */
export interface AutoBounds {
  readonly now: number;
  readonly least: number;
  readonly most: number;
  /** What one unit of its currency is worth. */
  readonly usdPerUnit: number;
}

/**
 * As CPM in the rule's currency: of its bounds and the even steps between them, what would have earned most, if that is
 * hardly chance; else the one in force. Undefined if the auctions say too little.
 */
export function favouredFloor(
  strata: readonly Stratum[],
  { now, least, most, usdPerUnit }: AutoBounds,
): number | undefined {
  if (!isEnough(strata)) return undefined;
  const [nowMicros, leastMicros, mostMicros] = [now, least, most].map((cpm) =>
    Math.round(cpm * microsPerUsd),
  ) as [number, number, number];
  const highest = Math.min(mostMicros, Math.max(leastMicros, highestBid(strata) / usdPerUnit));
  const earned: Earned = (auction, micros) => earnedByRule(auction, Math.round(micros * usdPerUnit));
  const sumAt = (micros: number) => total(strata, (auction) => earned(auction, micros)).sum;
  let best = { micros: nowMicros, sum: sumAt(nowMicros) };
  for (const micros of ascending([leastMicros, ...evenFloors(leastMicros, highest), mostMicros])) {
    const sum = sumAt(micros);
    if (sum > best.sum) best = { micros, sum };
  }
  return gainOf(strata, earned, best.micros, nowMicros).isSure ? best.micros / microsPerUsd : now;
}
