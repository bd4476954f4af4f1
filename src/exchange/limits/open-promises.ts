import { dayKey } from '../../shared/limit-days.ts';
import type { Nanos } from '../money.ts';
import type { Limited } from '../snapshot/limited.ts';
import { type AdUnits, allBits, bitsLimited, type HasDays } from './ad-units.ts';
import type { RestoredPromises } from './limits.ts';
import { minuteOf, minutesAhead, type PromiseMinutes } from './promise-minutes.ts';
import { minutesFor, type Promised, type PromisedIn, type PromisedTo } from './promised.ts';
import type { PromisedSum } from './promised-minutes.ts';
import type { Quotas } from './quotas.ts';

/** Reservations whose ads may still be shown, and who says what becomes of them. */
export interface OpenPromises {
  /** What an object's ads take of: a bit for each. */
  bitsOf(object: Limited): number;
  /** What a promise must remember of that. */
  sharesOf(object: Limited): Pick<Promised, 'holder' | 'shares'>;
  /** To be called before limits are looked at. */
  endOld(slot: number, object: HasDays, timeMs: number): void;
  /** Adds to what is open; false where its minute is too far from the others. */
  add(slot: number, object: HasDays, auction: PromisedIn, sum: PromisedSum): boolean;
  /** Gives an ad's units back. */
  release(slot: number, object: HasDays, promised: Promised, auction: PromisedIn): void;
  /** What of a shown ad has not been used yet; undefined: nothing, whatever it cost. */
  commit(
    slot: number,
    promised: Promised | undefined,
    auction: PromisedIn,
    nanos: Nanos,
  ): PromisedSum | undefined;
  restore(slot: number, made: RestoredPromises): void;
}

/**
 * An impression that comes in the last moment takes seconds to be durable, or longer while the database is away. So
 * promises are held a minute longer.
 */
const heldMinutes: Readonly<Record<PromisedTo, number>> = {
  ad: minutesFor.ad + 1,
  offer: minutesFor.offer + 1,
};
const kinds = ['ad', 'offer'] as const satisfies readonly PromisedTo[];
const minuteMs = 60_000;

/** Of a process that is alone: all comes to it, and what does not come in time is given back. */
function promisesAlone(quotas: Quotas, units: AdUnits, made: PromiseMinutes): OpenPromises {
  const end = (slot: number, { timeMs, to }: PromisedIn, nanos: Nanos) =>
    quotas.promised[to].take(slot, made.of(timeMs), nanos);
  return {
    bitsOf: () => allBits,
    sharesOf: () => ({}),
    endOld(slot, object, timeMs) {
      const minute = minuteOf(timeMs);
      for (const to of kinds)
        quotas.promised[to].endOutside(
          slot,
          minute - heldMinutes[to] - 1,
          minute + minutesAhead,
          (ended, sum) => units.give(slot, object, allBits, ended * minuteMs, sum),
        );
    },
    add: (slot, { days }, { timeMs, to }, sum) =>
      quotas.promised[to].add(slot, made.of(timeMs), dayKey(days, timeMs), sum),
    release: (slot, object, { nanos }, auction) =>
      units.give(slot, object, allBits, auction.timeMs, end(slot, auction, nanos)),
    commit(slot, promised, auction, nanos) {
      const reserved = promised ? end(slot, auction, promised.nanos) : { impressions: 0, nanos: 0 };
      return { impressions: 1 - reserved.impressions, nanos: nanos - reserved.nanos };
    },
    restore(slot, { hour, to, promised, promisedNanos, days }) {
      const minute = made.restored(hour);
      const sum = { impressions: Math.max(0, promised), nanos: Math.max(0, promisedNanos) };
      const timeMs = minute * minuteMs;
      if (quotas.promised[to].add(slot, minute, dayKey(days, timeMs), sum))
        units.resume(slot, { days }, timeMs, sum);
    },
  };
}

/** Of one of several: ads may be shown at any of them, so that only the store knows, and the authority asks it. */
function promisesGranted(quotas: Quotas, units: AdUnits): OpenPromises {
  const add: OpenPromises['add'] = (slot, { days }, { timeMs, to }, sum) =>
    quotas.promised[to].add(slot, minuteOf(timeMs), dayKey(days, timeMs), sum);
  return {
    bitsOf: ({ limits }) => bitsLimited(limits),
    sharesOf({ limits }) {
      const shares = bitsLimited(limits);
      return shares === 0 ? {} : { holder: quotas.holder(), shares };
    },
    endOld: () => undefined,
    add,
    release(slot, object, { nanos, holder, shares = 0 }, auction) {
      // Without its shares it was handed out, and stays promised.
      if (shares === 0 || holder !== quotas.holder()) return;
      if (add(slot, object, auction, { impressions: -1, nanos: -nanos }))
        units.give(slot, object, shares, auction.timeMs, { impressions: 1, nanos });
    },
    commit: (_, promised, __, nanos) => (promised?.holder ? undefined : { impressions: 1, nanos }),
    restore: () => undefined,
  };
}

export const openPromises = (quotas: Quotas, units: AdUnits, made: PromiseMinutes): OpenPromises =>
  quotas.isAlone ? promisesAlone(quotas, units, made) : promisesGranted(quotas, units);
