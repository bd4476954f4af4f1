import type { ServedObject } from '../configuration.ts';
import type { Check } from '../targeting/rule.ts';
import type { MatchFlags, ObjectLimits } from './exchange-object.ts';

/** What auctions ask of an object, read and compiled. */
export interface Values<O extends ServedObject = ServedObject> {
  /** The object with all of its values. */
  readonly object: O;
  readonly limits: ObjectLimits;
  readonly match: MatchFlags;
  /** Compiled when they are first asked for. */
  checks: readonly Check[] | undefined;
}

/**
 * The values of an object, which can be closed at any time. Nothing else of the object hangs on it, so that what was
 * replaced is not kept by being open.
 */
export interface Opened<O extends ServedObject = ServedObject> {
  values: Values<O> | undefined;
  /** Whether it was asked for since it was last considered to be closed. */
  isRecent: boolean;
}

/** Open objects of a thread; about 3 KB each. */
const openMax = 8192;

/**
 * Keeps so many open, and closes those first that were not asked for since it last came by: a clock, whose hand goes
 * over them when there is no room.
 */
export function createOpenRing(most: number) {
  const ring: Pick<Opened, 'values' | 'isRecent'>[] = [];
  let hand = 0;
  return {
    /** Takes one in that was opened, and closes another one where there is no room. */
    add(one: Pick<Opened, 'values' | 'isRecent'>): void {
      if (ring.length < most) {
        ring.push(one);
        return;
      }
      for (let steps = 0; steps < most; steps += 1) {
        const opened = ring[hand];
        if (!opened?.isRecent) break;
        opened.isRecent = false;
        hand = (hand + 1) % most;
      }
      const closed = ring[hand];
      if (closed) closed.values = undefined;
      ring[hand] = one;
      hand = (hand + 1) % most;
    },
  };
}

/** The objects that are open in this thread. */
export const openObjects = createOpenRing(openMax);
