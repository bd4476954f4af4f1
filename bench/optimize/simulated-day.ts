import { broughtBy } from '../../src/exchange/auction/brought.ts';
import { rank, type Terms } from '../../src/exchange/auction/clear.ts';
import { createOutcomes, outcomesMemory } from '../../src/exchange/worth/outcomes.ts';
import { createWorth, type Judged, type Weighing, type WorthOptions } from '../../src/exchange/worth/worth.ts';
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
  /** Minutes until the first DSP was asked for half of the auctions that it began to bid in, by segment: the median. */
  readonly noticedMinutes: number | undefined;
}

const dsps = 10;
const segmentsCount = 200;
const hours = 24;
const hourMs = 3_600_000;
const minuteMs = 60_000;
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

/** Holds a day's auctions; with `options`, calls that are not worth it are saved. */
export function simulateDay(day: SimulatedDay, options?: WorthOptions): DayFigures {
  const random = seededRandom(day.seed);
  const segments = segmentsOf(random);
  const tastes = tastesOf(random);
  const draw = drawer(
    segments.map(({ weight }) => weight),
    random,
  );
  const worth = options && createWorth(createOutcomes(outcomesMemory(1 << 16, day.seed)), options);
  const terms: Terms = { auctionType: day.auctionType, floorCpmMicros, publisherProfitShare: 100 };
  const figures = { revenue: 0, calls: 0, saved: 0, atRisk: 0 };
  const changeMs = (day.changesAtHour ?? hours) * hourMs;
  const noticed = createNotice(changeMs);
  for (let at = 0; at < day.auctions; at += 1) {
    const timeMs = (at / day.auctions) * hours * hourMs;
    const isCounted = timeMs >= hourMs;
    const place = draw();
    const shown = segments[place] as (typeof segments)[number];
    const isUnseen = day.unseenEvery !== undefined && at % day.unseenEvery === 0;
    const site = isUnseen ? `unseen-${at}.example` : shown.site;
    const weighing = worth?.of(supply, { ...shown, site, auctionId: `${day.seed}-${at}` });
    const bids: Bid[] = [];
    const asked: { dsp: number; explored: Judged | undefined }[] = [];
    for (let dsp = 0; dsp < dsps; dsp += 1) {
      const { bids: likes, level } = tastes[dsp]?.[place] ?? { bids: false, level: 0 };
      const isChanged = dsp === 0 && timeMs >= changeMs;
      // Drawn whoever is asked, so that both days have the same bids.
      const [lot, noise] = [random(), random()];
      const bidsHere = !isUnseen && likes !== isChanged && lot * 100 < day.bidPercent;
      const judged = judgedBy(weighing, dsp);
      if (dsp === 0 && isChanged && !likes && !isUnseen) noticed.note(place, judged === undefined, timeMs);
      const isSaved = judged !== undefined && !judged.isExplored;
      if (isCounted) {
        figures[isSaved ? 'saved' : 'calls'] += 1;
        if (isSaved) figures.atRisk += judged.expectedNanos;
      }
      if (isSaved) continue;
      asked.push({ dsp, explored: judged });
      const priceCpmMicros = Math.round(1e6 * level * (0.5 + noise));
      if (bidsHere && priceCpmMicros >= floorCpmMicros) bids.push({ dsp, priceCpmMicros });
    }
    const [winner, ...behind] = rank(bids, () => 0);
    const brought = winner && broughtBy(winner, behind, terms);
    if (brought && isCounted) figures.revenue += brought.winner;
    if (!weighing) continue;
    for (const { dsp, explored } of asked) {
      const nanos =
        dsp === winner?.dsp ? brought?.winner : dsp === behind[0]?.dsp ? brought?.second : 0;
      weighing.learn(demandOf(dsp), { nanos: nanos ?? 0, timeMs, explored });
    }
  }
  return { ...figures, noticedMinutes: noticed.median() };
}

const demandOf = (dsp: number) => ({ kind: 'DspRtbEp', id: dsp + 1 }) as const;

function judgedBy(weighing: Weighing | undefined, dsp: number) {
  const judged = weighing?.judge(demandOf(dsp));
  return judged && { ...judged, isExplored: weighing?.explores(demandOf(dsp)) === true };
}

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
