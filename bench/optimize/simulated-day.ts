import { broughtBy } from '../../src/exchange/auction/brought.ts';
import { rank, type Terms } from '../../src/exchange/auction/clear.ts';
import { createOutcomes, outcomesMemory } from '../../src/exchange/worth/outcomes.ts';
import {
  createWorth,
  type Judged,
  type Weighing,
  type WorthOptions,
} from '../../src/exchange/worth/worth.ts';
import { seededRandom } from '../../src/simulation/random.ts';

/** A simulated day: what its traffic and its DSPs are like. */
export interface SimulatedDay {
  readonly seed: number;
  readonly auctions: number;
  /** Of 100 calls where it bids at all, how many a DSP answers with a bid. */
  readonly bidPercent: number;
  readonly auctionType: 1 | 2;
  /** From this hour on, the first DSP bids in all segments it did not bid in before, and in none of the others. */
  readonly changesAtHour?: number;
  /** Another day's traffic: each auction in so many has a site that nobody has seen before. */
  readonly unseenEvery?: number;
}

/** What came of a day, its first hour left out. */
export interface DayFigures {
  /** Nano-USD of 1,000 impressions each, at clearing prices. */
  readonly revenue: number;
  readonly calls: number;
  readonly saved: number;
  /** What was expected of the calls that were saved. */
  readonly atRisk: number;
  /** Minutes from the day's beginning until half of the calls of some thousand auctions were saved. */
  readonly learntMinutes: number | undefined;
  /** Minutes until the first DSP was asked for half of the auctions that it began to bid in, by segment: the median. */
  readonly noticedMinutes: number | undefined;
}

const dsps = 10;
const segmentsCount = 200;
const hours = 24;
const hourMs = 3_600_000;
const minuteMs = 60_000;
/** Of the auctions before, each counts so much for the share of calls that are saved now. */
const kept = 0.999;
const floorCpmMicros = 100_000;
const supply = { kind: 'RtbEp', id: 1 } as const;
const countries = ['US', 'DE', 'FR', 'GB', 'IT', 'BR', 'IN', 'JP', 'CA', 'ES'];
const sizes = [
  [300, 250],
  [728, 90],
  [320, 50],
  [640, 360],
] as const;

/** 200 segments, of which a few have most of the traffic. */
function segmentsOf(random: () => number) {
  return Array.from({ length: segmentsCount }, (_, at) => {
    const [width, height] = sizes[Math.floor(random() * sizes.length)] as readonly [number, number];
    const country = countries[Math.floor(random() * countries.length)] as string;
    const place = { country, deviceType: random() < 0.5 ? 2 : 4, site: `site-${at % 60}.example` };
    return { ...place, medium: 'banner', width, height, weight: 1 / (at + 10) };
  });
}

/** Whether a DSP bids in a segment, and how much, as USD CPM. */
function tastesOf(random: () => number) {
  return Array.from({ length: dsps }, () =>
    Array.from({ length: segmentsCount }, () => ({
      bids: random() < 1 / 3,
      level: 0.3 + 3 * random() ** 2,
    })),
  );
}

function drawer(weights: readonly number[], random: () => number): () => number {
  const sums: number[] = [];
  let sum = 0;
  for (const weight of weights) {
    sum += weight;
    sums.push(sum);
  }
  return () => {
    const lot = random() * sum;
    return sums.findIndex((upTo) => lot < upTo);
  };
}

interface Bid {
  readonly dsp: number;
  readonly priceCpmMicros: number;
}

const demandOf = (dsp: number) => ({ kind: 'DspRtbEp', id: dsp + 1 }) as const;

/** When each segment was found to be worth asking again after a change, in minutes. */
function createNotice(changeMs: number) {
  const afterMs = new Map<number, number>();
  return {
    note(place: number, isAsked: boolean, timeMs: number): void {
      if (isAsked && !afterMs.has(place)) afterMs.set(place, timeMs - changeMs);
    },
    median(): number | undefined {
      const times = [...afterMs.values()].sort((one, other) => one - other);
      const ms = times[Math.floor(times.length / 2)];
      return ms === undefined ? undefined : ms / minuteMs;
    },
  };
}

/** A day's auctions, one after the other, each with the bids that its DSPs have if they are asked. */
function* auctionsOf(day: SimulatedDay) {
  const random = seededRandom(day.seed);
  const segments = segmentsOf(random);
  const tastes = tastesOf(random);
  const weights = segments.map(({ weight }) => weight);
  const draw = drawer(weights, random);
  const changeMs = (day.changesAtHour ?? hours) * hourMs;
  for (let at = 0; at < day.auctions; at += 1) {
    const timeMs = (at / day.auctions) * hours * hourMs;
    const place = draw();
    const segment = segments[place] as (typeof segments)[number];
    const isUnseen = day.unseenEvery !== undefined && at % day.unseenEvery === 0;
    const shown = {
      ...segment,
      auctionId: `${day.seed}-${at}`,
      ...(isUnseen && { site: `new-${at}.example` }),
    };
    const bids: Bid[] = [];
    for (let dsp = 0; dsp < dsps; dsp += 1) {
      const { bids: likes, level } = tastes[dsp]?.[place] ?? { bids: false, level: 0 };
      const isChanged = dsp === 0 && timeMs >= changeMs;
      const [lot, noise] = [random(), random()];
      const priceCpmMicros = Math.round(1e6 * level * (0.5 + noise));
      const isBid = likes !== isChanged && lot * 100 < day.bidPercent && priceCpmMicros >= floorCpmMicros;
      if (isBid && !isUnseen) bids.push({ dsp, priceCpmMicros });
    }
    const hasBegun = timeMs >= changeMs && !isUnseen && tastes[0]?.[place]?.bids === false;
    yield { timeMs, place, shown, bids, hasBegun };
  }
}

/** What became of one auction: the DSPs that were asked, and what those that were not had been expected to bring. */
function askIn(weighing: Weighing | undefined) {
  const asked = new Map<number, Judged | undefined>();
  let atRisk = 0;
  for (let dsp = 0; dsp < dsps; dsp += 1) {
    const judged = weighing?.judge(demandOf(dsp));
    if (!judged || weighing?.explores(demandOf(dsp))) asked.set(dsp, judged);
    else atRisk += judged.expectedNanos;
  }
  return { asked, atRisk };
}

/** Holds a day's auctions; with `options`, calls that are not worth it are saved. */
export function simulateDay(day: SimulatedDay, options?: WorthOptions): DayFigures {
  const worth = options && createWorth(createOutcomes(outcomesMemory(1 << 16, day.seed)), options);
  const terms: Terms = { auctionType: day.auctionType, floorCpmMicros, publisherProfitShare: 100 };
  const figures = { revenue: 0, calls: 0, saved: 0, atRisk: 0 };
  const learning = { saved: 0, auctions: 0, learntMs: Number.POSITIVE_INFINITY };
  const noticed = createNotice((day.changesAtHour ?? hours) * hourMs);
  for (const { timeMs, place, shown, bids, hasBegun } of auctionsOf(day)) {
    const weighing = worth?.of(supply, shown);
    const { asked, atRisk } = askIn(weighing);
    learning.saved = learning.saved * kept + dsps - asked.size;
    learning.auctions = learning.auctions * kept + dsps;
    if (learning.saved >= learning.auctions / 2) learning.learntMs = Math.min(learning.learntMs, timeMs);
    if (hasBegun) noticed.note(place, asked.has(0) && asked.get(0) === undefined, timeMs);
    const [winner, ...behind] = rank(
      bids.filter(({ dsp }) => asked.has(dsp)),
      () => 0,
    );
    const brought = winner && broughtBy(winner, behind, terms);
    if (timeMs >= hourMs) {
      figures.calls += asked.size;
      figures.saved += dsps - asked.size;
      figures.atRisk += atRisk;
      figures.revenue += brought?.winner ?? 0;
    }
    const nanosOf = new Map([
      [winner?.dsp, brought?.winner ?? 0],
      [behind[0]?.dsp, brought?.second ?? 0],
    ]);
    for (const [dsp, explored] of asked)
      weighing?.learn(demandOf(dsp), { nanos: nanosOf.get(dsp) ?? 0, timeMs, explored });
  }
  const learntMinutes =
    learning.learntMs === Number.POSITIVE_INFINITY ? undefined : learning.learntMs / minuteMs;
  return { ...figures, learntMinutes, noticedMinutes: noticed.median() };
}
