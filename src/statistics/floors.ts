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

/** Nano-USD: a price in micro-USD of CPM is the same number. */
function earned([own = 0, first = 0, second = 0]: readonly number[], floorMicros: number, type: AuctionType) {
  const floor = Math.max(own, floorMicros);
  if (first < floor) return 0;
  return type === 1 ? first : secondPricePlus(first, second >= floor ? second : 0, floor);
}

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

/** Micro-USD of CPM: the current one, and even steps up to the highest bid. */
function candidateFloors(strata: readonly Stratum[], nowMicros: number): number[] {
  const highest = strata
    .flatMap(({ sampled }) => sampled)
    .reduce((most, [, first = 0]) => Math.max(most, first), 0);
  const powers = Array.from({ length: 8 }, (_, power) => 10_000 * 10 ** power);
  const step = powers
    .flatMap((power) => [power, 2 * power, 5 * power])
    .find((one) => highest / one < floorsMax);
  const count = step === undefined ? 0 : Math.floor(highest / step);
  const even = Array.from({ length: count + 1 }, (_, index) => index * (step ?? 0));
  return [...new Set([nowMicros, ...even])].sort((one, other) => one - other);
}

/** `nowFloor`: the current one, in USD CPM. */
export function floorCurve(strata: readonly Stratum[], nowFloor: number, type: AuctionType): FloorCurve {
  const nowMicros = Math.round(nowFloor * microsPerUsd);
  const auctions = strata.reduce((sum, one) => sum + (one.sampled.length > 0 ? one.auctions : 0), 0);
  const at = (micros: number): FloorEstimate => {
    const sold = total(strata, (auction) => Number(earned(auction, micros, type) > 0));
    return {
      floor: micros / microsPerUsd,
      revenue: estimate(
        total(strata, (auction) => earned(auction, micros, type)),
        0,
      ),
      soldPercent: auctions === 0 ? 0 : rounded((100 * sold.sum) / auctions),
    };
  };
  const floors = candidateFloors(strata, nowMicros).map(at);
  const now = floors.find(({ floor }) => floor === nowMicros / microsPerUsd) ?? at(nowMicros);
  const best = floors.reduce((most, one) => (one.revenue.usd > most.revenue.usd ? one : most), now);
  const bestMicros = Math.round(best.floor * microsPerUsd);
  const more = total(
    strata,
    (auction) => earned(auction, bestMicros, type) - earned(auction, nowMicros, type),
  );
  const gain = estimate(more, Number.NEGATIVE_INFINITY);
  return { auctionType: type, floors, now, best, gain, isSure: more.sum - boundOfBest * more.error > 0 };
}
