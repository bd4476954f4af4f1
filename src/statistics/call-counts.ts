import type { ObjectKey, TrafficCounts } from '../store/statistics/interface.ts';
import { addDeltas, type CounterDeltas, type CounterRow, forms } from './counter-rows.ts';
import { hourOf } from './days.ts';
import { getOrMake, type Kinds, newMap, objectsIn } from './nested-maps.ts';

const hoursPerDay = 24;

export interface CallCounter {
  count(demand: ObjectKey | undefined, sheet: CounterDeltas, timeMs: number): void;
  /** Since the last call. */
  take(): TrafficCounts[];
}

export function createCallCounter(): CallCounter {
  let hours = new Map<number, Kinds<CounterRow>>();
  return {
    count(demand, { call }, timeMs) {
      if (!demand || call.length === 0) return;
      const kinds: Kinds<CounterRow> = getOrMake(hours, hourOf(timeMs), newMap);
      const ids: Map<number, CounterRow> = getOrMake(kinds, demand.kind, newMap);
      addDeltas(getOrMake(ids, demand.id, forms.call.empty), call);
    },
    take() {
      const taken = hours;
      hours = new Map();
      return [...taken].flatMap(([hour, kinds]) =>
        objectsIn(kinds).map(([demand, counts]) => ({
          ...({ cube: 'call', day: Math.floor(hour / hoursPerDay), hour, supply: undefined } as const),
          demand,
          values: [],
          counts: forms.call.countsOf(counts),
        })),
      );
    },
  };
}
