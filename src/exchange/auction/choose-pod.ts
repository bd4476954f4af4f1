import { priorities } from '../../reference/priorities.ts';
import type { CpmMicros } from '../money.ts';

/** As `slotinpod` (AdCOM, list Slot Position in Pod): 1 = first, -1 = last, 2 = first or last, 0 = any. */
export type PodSlot = -1 | 0 | 1 | 2;

export interface PodBid {
  readonly priceCpmMicros: CpmMicros;
  /** The lower number first; absent = an open bid. */
  readonly priority?: number;
  readonly durationMs: number;
  readonly slot: PodSlot;
  /** Two ads with one of these in common do not stand in one pod. */
  readonly separatedBy: readonly string[];
}

export interface PodBounds {
  /** Infinity = any. */
  readonly durationMsMax: number;
  readonly adsMax: number;
}

/** The highest bids take part; their sets are bits of a number. */
export const podBidsMax = 30;
/** Of one search: all sets of 14 bids of a priority. A search that needs more ends with the best set found so far. */
const stepsMax = 2 ** 15;
/** Of all searches of an auction: about 20 ms. */
const stepsOfAuctionMax = 2 ** 17;

interface Chosen {
  readonly set: number;
  /** Bids that cannot stand beside those chosen. */
  readonly blocked: number;
  readonly priceCpmMicros: CpmMicros;
  readonly durationMs: number;
  readonly ads: number;
}

interface Search {
  /** As they are ranked. */
  readonly bids: readonly PodBid[];
  /** Behind the last of `bids` of the priority that is searched. */
  readonly end: number;
  /** Places of that priority in `bids`, the highest price for each second first. */
  readonly byDensity: readonly number[];
  /** A bit for each bid that cannot stand beside this one. */
  readonly conflicts: readonly number[];
  readonly bounds: PodBounds;
  stepsLeft: number;
  best: Chosen;
}

export const isSeparated = (one: PodBid, other: PodBid) =>
  one.separatedBy.some((name) => other.separatedBy.includes(name));

/** Both want the one first place, or the one last. */
const isSamePlace = (one: PodBid, other: PodBid) =>
  one.slot === other.slot && (one.slot === 1 || one.slot === -1);

function conflictsOf(bids: readonly PodBid[]): number[] {
  return bids.map((one) =>
    bids.reduce((mask, other, place) => {
      const isApart = one !== other && (isSeparated(one, other) || isSamePlace(one, other));
      return isApart ? mask | (1 << place) : mask;
    }, 0),
  );
}

const isIn = (set: number, place: number) => ((set >>> place) & 1) === 1;

/** What the bids from `from` on could add at most: as if parts of ads could be shown, or their time did not matter. */
function mostFrom({ bids, end, byDensity, bounds }: Search, from: number, chosen: Chosen): number {
  let adsLeft = bounds.adsMax - chosen.ads;
  let byNumber = 0;
  for (let place = from; place < end && adsLeft > 0; place += 1) {
    if (isIn(chosen.blocked, place)) continue;
    byNumber += bids[place]?.priceCpmMicros ?? 0;
    adsLeft -= 1;
  }
  let msLeft = bounds.durationMsMax - chosen.durationMs;
  let byTime = 0;
  for (const place of byDensity) {
    if (place < from || isIn(chosen.blocked, place)) continue;
    const { priceCpmMicros, durationMs } = bids[place] as PodBid;
    const share = durationMs <= msLeft ? 1 : msLeft / durationMs;
    byTime += priceCpmMicros * share;
    msLeft -= durationMs * share;
    if (share < 1) break;
  }
  return Math.min(byNumber, byTime);
}

const isSlotted = ({ slot }: PodBid) => slot !== 0;

function withBid(search: Search, chosen: Chosen, place: number): Chosen | undefined {
  const { bids, conflicts, bounds } = search;
  const { priceCpmMicros, durationMs, slot } = bids[place] as PodBid;
  const lasts = chosen.durationMs + durationMs;
  if (isIn(chosen.blocked, place) || chosen.ads === bounds.adsMax || lasts > bounds.durationMsMax)
    return undefined;
  const slotted = slot === 0 ? 0 : bids.filter((bid, at) => isIn(chosen.set, at) && isSlotted(bid)).length;
  if (slotted === 2) return undefined;
  return {
    set: chosen.set | (1 << place),
    blocked: chosen.blocked | (conflicts[place] as number),
    priceCpmMicros: chosen.priceCpmMicros + priceCpmMicros,
    durationMs: lasts,
    ads: chosen.ads + 1,
  };
}

/** Branch and bound, each bid first with and then without. */
function look(search: Search, place: number, chosen: Chosen): void {
  if (chosen.priceCpmMicros > search.best.priceCpmMicros) search.best = chosen;
  if (place === search.end || search.stepsLeft <= 0) return;
  search.stepsLeft -= 1;
  if (chosen.priceCpmMicros + mostFrom(search, place, chosen) <= search.best.priceCpmMicros) return;
  const more = withBid(search, chosen, place);
  if (more) look(search, place + 1, more);
  look(search, place + 1, chosen);
}

/** The slotted ads at the ends, between them the others in their order. */
function inPlaces<B extends PodBid>(chosen: readonly B[]): B[] {
  const atEither = chosen.filter(({ slot }) => slot === 2);
  const first = chosen.find(({ slot }) => slot === 1) ?? atEither.shift();
  const last = chosen.find(({ slot }) => slot === -1) ?? atEither.shift();
  const between = chosen.filter(({ slot }) => slot === 0);
  return [...(first ? [first] : []), ...between, ...(last ? [last] : [])];
}

const nothing: Chosen = { set: 0, blocked: 0, priceCpmMicros: 0, durationMs: 0, ads: 0 };

/** Places of each priority, the most important first. */
const tiersOf = (bids: readonly PodBid[]) =>
  Map.groupBy(bids.keys(), (place) => (bids[place] as PodBid).priority ?? priorities.open).values();

/**
 * Sets of at most `podBidsMax` bids, ranked by priority and price. Of each priority those that bring the most beside
 * what is taken by higher ones; of equal sets the first found.
 */
export function createPodChooser(bounds: PodBounds) {
  let stepsLeft = stepsOfAuctionMax;
  return <B extends PodBid>(bids: readonly B[]): B[] => {
    const density = (place: number) => (bids[place] as B).priceCpmMicros / (bids[place] as B).durationMs;
    const conflicts = conflictsOf(bids);
    let chosen = nothing;
    for (const places of tiersOf(bids)) {
      const [first = 0] = places;
      const given = Math.min(stepsMax, Math.max(stepsLeft, places.length));
      const byDensity = places.toSorted((one, other) => density(other) - density(one));
      const end = first + places.length;
      const search = { bids, end, byDensity, conflicts, bounds, stepsLeft: given, best: chosen };
      look(search, first, chosen);
      stepsLeft -= given - search.stepsLeft;
      chosen = search.best;
    }
    return inPlaces(bids.filter((_, place) => isIn(chosen.set, place)));
  };
}
