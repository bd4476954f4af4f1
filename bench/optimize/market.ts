import type { Random } from '../../src/simulation/random.ts';

/** A bid of a DSP, by its number from 0. */
export interface Bid {
  readonly dsp: number;
  readonly priceCpmMicros: number;
}

/** An auction of a simulated day, with the bids that its DSPs have if they are asked. */
export interface SimulatedAuction {
  readonly timeMs: number;
  readonly place: number;
  readonly shown: Segment & { readonly auctionId: string };
  readonly bids: readonly Bid[];
  /** How many DSPs are connected, the first ones. */
  readonly dsps: number;
  /** Whether the first DSP bids here since it has changed its mind. */
  readonly hasBegun: boolean;
}

/** Where ads are shown, and how often. */
export interface Segment {
  readonly country: string;
  readonly deviceType: number;
  readonly site: string;
  readonly medium: string;
  readonly width: number;
  readonly height: number;
  readonly weight: number;
}

/** Milliseconds of an hour. */
export const hourMs = 3_600_000;
export const hours = 24;
/** The floor of each auction: 0.1 USD CPM. */
export const floorCpmMicros = 100_000;
export const segmentsCount = 200;
const countries = ['US', 'DE', 'FR', 'GB', 'IT', 'BR', 'IN', 'JP', 'CA', 'ES'];
const sizes = [
  [300, 250],
  [728, 90],
  [320, 50],
  [640, 360],
] as const;

/** 200 segments, of which a few have most of the traffic. */
export function segmentsOf(random: Random): readonly Segment[] {
  return Array.from({ length: segmentsCount }, (_, at) => {
    const [width, height] = sizes[Math.floor(random() * sizes.length)] as readonly [number, number];
    const country = countries[Math.floor(random() * countries.length)] as string;
    const place = { country, deviceType: random() < 0.5 ? 2 : 4, site: `site-${at % 60}.example` };
    return { ...place, medium: 'banner', width, height, weight: 1 / (at + 10) };
  });
}

export function drawer(weights: readonly number[], random: Random): () => number {
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

export function* timesOf(auctions: number): Generator<readonly [at: number, timeMs: number]> {
  for (let at = 0; at < auctions; at += 1) yield [at, (at / auctions) * hours * hourMs];
}
