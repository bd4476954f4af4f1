import { type CounterName, type CountsIn, countersIn } from '../reference/counters.ts';
import type { ObjectKey, TrafficCounts } from '../store/statistics/interface.ts';
import { hourOf } from './days.ts';
import { at, type Kinds, newMap, objectsIn } from './nested-maps.ts';

type Tally = Record<keyof CountsIn<'call'>, number>;

const names = countersIn('call');
const zeros = Object.fromEntries(names.map((name) => [name, 0])) as Tally;
const inCalls: ReadonlySet<CounterName> = new Set(names);
const hoursPerDay = 24;

/** Counts of calls to demand in the memory of one thread: a tally for each demand object and hour. */
export interface CallCounter {
  /** Counts what is of calls, and leaves all else. */
  count(demand: ObjectKey | undefined, counted: CounterName, timeMs: number, by: number): void;
  /** Takes out what was counted since the last call. */
  take(): TrafficCounts[];
}

/** Counts calls. Those of a demand object in an auction come one after the other, so it is looked up once. */
export function createCallCounter(): CallCounter {
  let hours = new Map<number, Kinds<Tally>>();
  let last: { readonly demand: ObjectKey; readonly hour: number; readonly tally: Tally } | undefined;
  const tallyOf = (demand: ObjectKey, hour: number): Tally => {
    const { kind, id } = demand;
    if (last?.hour === hour && last.demand.id === id && last.demand.kind === kind) return last.tally;
    const kinds: Kinds<Tally> = at(hours, hour, newMap);
    const tally = at<number, Tally>(at(kinds, kind, newMap), id, () => ({ ...zeros }));
    last = { demand, hour, tally };
    return tally;
  };
  return {
    count(demand, counted, timeMs, by) {
      if (demand && inCalls.has(counted)) tallyOf(demand, hourOf(timeMs))[counted as keyof Tally] += by;
    },
    take() {
      const taken = hours;
      hours = new Map();
      last = undefined;
      return [...taken].flatMap(([hour, kinds]) =>
        objectsIn(kinds).map(([demand, counts]) => ({
          ...({ cube: 'call', day: Math.floor(hour / hoursPerDay), hour, supply: undefined } as const),
          ...{ demand, values: [], counts },
        })),
      );
    },
  };
}
