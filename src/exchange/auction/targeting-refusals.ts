import type { EventSink } from '../../statistics/events.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { RefusedCounts } from '../targeting/index/refused-counts.ts';

/** Counts in a compact form until the statistics take them. */
export interface TargetingRefusals {
  of(supply: Supply, timeMs: number): RefusedCounts;
}

interface Pending {
  readonly supply: Supply;
  readonly hour: number;
  readonly timeMs: number;
  readonly counts: RefusedCounts;
}

const hourMs = 3_600_000;
/** Auctions between two checks of the memory in use, and its bound in words: 32 MiB. */
const auctionsPerLook = 256;
const wordsMax = 8_388_608;
/** Reported at once when memory runs short. */
const rowsAtOnce = 2000;

/** Counts by index for each supply object, so that an auction pays little however much demand it refuses. */
export function createTargetingRefusals(events: Pick<EventSink, 'refuse' | 'onTake'>): TargetingRefusals {
  const pending = new Map<Supply['candidates'], Pending>();
  let auctions = 0;
  const tell = (key: Supply['candidates'], { supply, timeMs, counts }: Pending): number => {
    pending.delete(key);
    let rows = 0;
    counts.tell((demand, reason, count) => {
      rows += 1;
      events.refuse({ supply, demand }, reason, timeMs, { count, lostNanos: 0 });
    });
    return rows;
  };
  /** Reports those that have waited longest, at most `rowsMax` rows; true if others wait. */
  const tellSome = (rowsMax: number): boolean => {
    let rows = 0;
    for (const [key, one] of pending) {
      if (rows >= rowsMax) return true;
      rows += tell(key, one);
    }
    return false;
  };
  const words = () => pending.values().reduce((sum, { counts }) => sum + counts.size(), 0);
  events.onTake(tellSome);
  return {
    of(supply, timeMs) {
      const { candidates } = supply;
      const hour = Math.floor(timeMs / hourMs);
      const known = pending.get(candidates);
      if (known?.hour === hour) return known.counts;
      if (known) tell(candidates, known);
      auctions += 1;
      if (auctions % auctionsPerLook === 0 && words() > wordsMax) tellSome(rowsAtOnce);
      const counts = candidates.refusedCounts();
      pending.set(candidates, { supply, hour, timeMs, counts });
      return counts;
    },
  };
}
