import type { CounterName } from '../reference/counters.ts';
import { countersIn } from '../reference/counters.ts';
import type { ObjectKey, TrafficCounts } from '../store/statistics/interface.ts';
import type { CountedName } from './counter-rows.ts';
import { hourOf } from './days.ts';
import type { CountOf, FloorUse } from './events.ts';
import { getOrMake } from './nested-maps.ts';

const hoursPerDay = 24;
const counted: ReadonlySet<CountedName> = new Set(countersIn('floor'));

type Cell = Omit<TrafficCounts, 'counts'> & { readonly counts: Partial<Record<CounterName, number>> };

export interface FloorCounter {
  /** What the table does not have is left out. */
  count(supply: ObjectKey, use: FloorUse, counts: readonly CountOf<CountedName>[], timeMs: number): void;
  /** Since the last call. */
  take(): TrafficCounts[];
}

/** Of auctions that floor rules were for, by rule and group. */
export function createFloorCounter(): FloorCounter {
  let cells = new Map<string, Cell>();
  return {
    count({ kind, id }, { ruleId, isControl }, counts, timeMs) {
      const hour = hourOf(timeMs);
      const cell = getOrMake(
        cells,
        `${hour} ${kind} ${id} ${ruleId} ${isControl}`,
        (): Cell => ({
          ...({ cube: 'floorRule', day: Math.floor(hour / hoursPerDay), hour, demand: undefined } as const),
          supply: { kind, id },
          values: [ruleId, isControl ? 'control' : 'floor'],
          counts: {},
        }),
      );
      for (const [name, by] of counts)
        if (counted.has(name)) {
          const of = name as CounterName;
          cell.counts[of] = (cell.counts[of] ?? 0) + by;
        }
    },
    take() {
      const taken = cells;
      cells = new Map();
      return [...taken.values()];
    },
  };
}
