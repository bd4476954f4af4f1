import { type Random, seededRandom } from '../../src/simulation/random.ts';
import {
  type Bid,
  drawer,
  floorCpmMicros,
  hourMs,
  hours,
  type SimulatedAuction,
  segmentsCount,
  segmentsOf,
  timesOf,
} from './market.ts';

/** A day of DSPs whose bids depend on the segment: each bids in a seeded third of them. */
export interface SegmentDay {
  readonly seed: number;
  readonly auctions: number;
  /** Of 100 calls where it bids at all, how many a DSP answers with a bid. */
  readonly bidPercent: number;
  /** From this hour on, the first DSP bids in all segments it did not bid in before, and in none of the others. */
  readonly changesAtHour?: number;
  /** Another day's traffic: each auction in so many has a site that nobody has seen before. */
  readonly unseenEvery?: number;
}

const dsps = 10;

/** Whether a DSP bids in a segment, and how much, as USD CPM. */
function tastesOf(random: Random) {
  return Array.from({ length: dsps }, () =>
    Array.from({ length: segmentsCount }, () => ({
      bids: random() < 1 / 3,
      level: 0.3 + 3 * random() ** 2,
    })),
  );
}

/** The day's auctions, one after the other. */
export function* segmentMarket(day: SegmentDay): Generator<SimulatedAuction> {
  const random = seededRandom(day.seed);
  const segments = segmentsOf(random);
  const tastes = tastesOf(random);
  const weights = segments.map(({ weight }) => weight);
  const draw = drawer(weights, random);
  const changeMs = (day.changesAtHour ?? hours) * hourMs;
  for (const [at, timeMs] of timesOf(day.auctions)) {
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
    yield { timeMs, place, shown, bids, dsps, hasBegun };
  }
}
