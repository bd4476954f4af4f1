import type { ServedObject } from '../configuration.ts';
import type { Check } from '../targeting/rule.ts';
import type { MatchFlags, ObjectLimits } from './exchange-object.ts';

/**
 * What auctions ask of an object, read and compiled; each is undefined while it is closed. Nothing else of the object
 * hangs on it, so that what was replaced is not kept by being open. One object for all, as every auction asks it.
 */
export interface DecodedObject<O extends ServedObject = ServedObject> {
  object: O | undefined;
  settings: O['settings'] | undefined;
  limits: ObjectLimits | undefined;
  match: MatchFlags | undefined;
  /** Compiled when they are first asked for. */
  checks: readonly Check[] | undefined;
  /** Whether it was asked for since it was last considered to be closed. */
  isRecent: boolean;
}

/** Something of which nothing is open yet. */
export function undecoded<O extends ServedObject>(): DecodedObject<O> {
  return {
    object: undefined,
    settings: undefined,
    limits: undefined,
    match: undefined,
    checks: undefined,
    isRecent: false,
  };
}

type InRing = { isRecent: boolean };

/** Open objects of a thread; about 3 KB each. */
const decodedMax = 8192;

/**
 * Keeps so many open, and closes those first that were not asked for since it last came by: a clock, whose hand goes
 * over them when there is no room.
 * @internal
 */
export function createClockCache<One extends InRing>(most: number, close: (one: One) => void) {
  const ring: One[] = [];
  let hand = 0;
  return {
    /** Takes one in that was opened, and closes another one where there is no room. */
    add(one: One): void {
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
      close(ring[hand] as One);
      ring[hand] = one;
      hand = (hand + 1) % most;
    },
  };
}

/** The objects that are open in this thread. */
export const decodedObjects = createClockCache<DecodedObject>(decodedMax, (decoded) => {
  Object.assign(decoded, undecoded());
});
