import { type Random, randomIn, seededRandom } from '../../src/simulation/random.ts';
import {
  type Bid,
  drawer,
  floorCpmMicros,
  hourMs,
  type Segment,
  type SimulatedAuction,
  segmentsOf,
  timesOf,
} from './market.ts';

/** A day of DSPs of which some know a few users, for whom they pay much, wherever those are. */
export interface UserDay {
  readonly seed: number;
  readonly auctions: number;
}

/** How a DSP of this market bids. */
interface Bidder {
  /** The hour at which it is connected; the first ones are there from the start. */
  readonly fromHour: number;
  chance(segment: Segment, place: number, hour: number): number;
  /** USD CPM. */
  readonly price: { readonly min: number; readonly max: number };
}

const ordinary = { min: 0.5, max: 3 };
const always = (chance: number) => () => chance;
const retargeter = { chance: always(1 / 250), price: { min: 20, max: 40 } };
const bidders: readonly Bidder[] = [
  ...[0.6, 0.4, 0.2].map((chance) => ({ fromHour: 0, chance: always(chance), price: ordinary })),
  // Bids in two countries of ten.
  { fromHour: 0, chance: ({ country }) => (country === 'DE' || country === 'JP' ? 0.6 : 0), price: ordinary },
  // Two never bid.
  ...[0, 0].map((chance) => ({ fromHour: 0, chance: always(chance), price: ordinary })),
  { fromHour: 0, ...retargeter },
  { fromHour: 0, chance: always(1 / 2000), price: { min: 60, max: 120 } },
  // Every three hours it bids in the other half of the segments.
  {
    fromHour: 0,
    price: ordinary,
    chance: (_, place, hour) => ((place + Math.floor(hour / 3)) % 2 === 0 ? 0.5 : 0),
  },
  // Its budget is spent from 6 to 12.
  { fromHour: 0, price: ordinary, chance: (_segment, _place, hour) => (hour >= 6 && hour < 12 ? 0 : 0.5) },
  { fromHour: 6, chance: always(0.5), price: ordinary },
  { fromHour: 6, ...retargeter },
];

function bidsOf(segment: Segment, place: number, hour: number, random: Random): Bid[] {
  return bidders.flatMap((bidder, dsp) => {
    const [lot, price] = [random(), randomIn(bidder.price, random)];
    const isBid = hour >= bidder.fromHour && lot < bidder.chance(segment, place, hour);
    const priceCpmMicros = Math.max(floorCpmMicros, Math.round(1e6 * price));
    return isBid ? [{ dsp, priceCpmMicros }] : [];
  });
}

/** The day's auctions, one after the other. */
export function* userMarket({ seed, auctions }: UserDay): Generator<SimulatedAuction> {
  const random = seededRandom(seed);
  const segments = segmentsOf(random);
  const draw = drawer(
    segments.map(({ weight }) => weight),
    random,
  );
  for (const [at, timeMs] of timesOf(auctions)) {
    const place = draw();
    const segment = segments[place] as Segment;
    const hour = timeMs / hourMs;
    const bids = bidsOf(segment, place, hour, random);
    const dsps = bidders.filter(({ fromHour }) => hour >= fromHour).length;
    yield { timeMs, place, shown: { ...segment, auctionId: `${seed}-${at}` }, bids, dsps, hasBegun: false };
  }
}
