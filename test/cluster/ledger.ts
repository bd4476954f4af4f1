import { dayOf } from '../../src/exchange/limits/day-line.ts';
import type { Offer } from './market.ts';

/** An ad that a machine has answered, and what became of its impression. */
export interface Ad {
  readonly offer: Offer;
  readonly address: string;
  /** When its player got it. */
  readonly answeredMs: number;
  /** Path and query of the impression's tracker, the same on all machines. */
  readonly tracker: string;
  /** Whether any machine was asked for it. */
  isSent: boolean;
  /** When a machine acknowledged it first. */
  shownMs: number | undefined;
}

/** What a limit has let through. */
export interface Overshoot {
  readonly name: string;
  /** What it allowed, and what came, where most came beyond it. */
  readonly allowed: number;
  readonly came: number;
  /** How many more came than it allowed, in all rounds and at all addresses. */
  readonly over: number;
}

/** What players have seen: the truth that limits and figures are judged by. */
export interface Ledger {
  note(ad: Omit<Ad, 'isSent' | 'shownMs'>): Ad;
  readonly ads: readonly Ad[];
  /** By kind of limit. */
  overshoot(nowMs: number): readonly Overshoot[];
}

const secondMs = 1000;

/** The most that came within a second, by when the answers came. */
function mostInASecond(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  let [most, first] = [0, 0];
  for (const [index, time] of sorted.entries()) {
    while ((sorted[first] ?? time) <= time - secondMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** Numbers that an offer's limit counts, each by itself: one a day, an address or the busiest second. */
function countsOf({ counted }: Offer['of'], ads: readonly Ad[]): number[] {
  const sizes = (groups: ReadonlyMap<unknown, readonly Ad[]>) =>
    [...groups.values()].map(({ length }) => length);
  const shown = ads.filter(({ shownMs }) => shownMs !== undefined);
  const day = ({ answeredMs }: Ad) => dayOf(answeredMs);
  switch (counted) {
    case 'answered':
      return sizes(Map.groupBy(ads, day));
    case 'shown':
      return sizes(Map.groupBy(shown, day));
    case 'at an address':
      return sizes(Map.groupBy(shown, (ad) => `${day(ad)} ${ad.address}`));
    case 'in a second':
      return [mostInASecond(ads.map(({ answeredMs }) => answeredMs))];
  }
}

export function createLedger(): Ledger {
  const ads: Ad[] = [];
  return {
    ads,
    note(answered) {
      const ad = { ...answered, isSent: false, shownMs: undefined };
      ads.push(ad);
      return ad;
    },
    overshoot(nowMs) {
      const byOffer = Map.groupBy(ads, ({ offer }) => offer);
      const rows = [...byOffer].flatMap(([offer, its]) => {
        const allowed = offer.line(nowMs);
        return countsOf(offer.of, its).map((came) => ({
          name: offer.of.name,
          allowed,
          came,
          over: came - allowed,
        }));
      });
      return [...Map.groupBy(rows, ({ name }) => name)].map(([name, its]) => {
        const worst = its.reduce((most, one) => (one.over > most.over ? one : most));
        const over = its.reduce((sum, one) => sum + Math.max(0, one.over), 0);
        return { name, allowed: worst.allowed, came: worst.came, over };
      });
    },
  };
}
