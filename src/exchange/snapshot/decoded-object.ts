import type { ServedObject } from '../configuration.ts';
import type { Check } from '../targeting/rule.ts';
import type { MatchFlags, ObjectLimits } from './exchange-object.ts';

/** Undefined while evicted. It refers to nothing else of the object, so that replaced objects can go. */
export interface DecodedObject<O extends ServedObject = ServedObject> {
  object: O | undefined;
  settings: O['settings'] | undefined;
  limits: ObjectLimits | undefined;
  match: MatchFlags | undefined;
  checks: readonly Check[] | undefined;
  /** Whether it was used since the clock's hand last passed. */
  isRecent: boolean;
}

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

/** Per thread; about 3 KB each. */
const decodedMax = 8192;

/**
 * A clock cache: evicts first what was not used since its hand last passed.
 * @internal
 */
export function createClockCache<One extends InRing>(most: number, close: (one: One) => void) {
  const ring: One[] = [];
  let hand = 0;
  return {
    /** Evicts another one if there is no room. */
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

/** Of this thread. */
export const decodedObjects = createClockCache<DecodedObject>(decodedMax, (decoded) => {
  Object.assign(decoded, undecoded());
});
