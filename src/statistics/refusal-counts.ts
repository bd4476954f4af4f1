import type { Reason } from '../reference/reason-help.ts';
import type { ObjectKey, TrafficCounts } from '../store/statistics/interface.ts';
import { hourOf } from './days.ts';
import type { Pair, RefusalCount } from './events.ts';
import { getOrMake, type Kinds, newMap, objectsIn } from './nested-maps.ts';

type Tally = { refusals: number; lostNanos: number; invalid: number };
type ByReason = Map<Reason, Tally>;

interface SupplyRefusals {
  readonly hour: number;
  readonly supply: ObjectKey;
  /** Before demand was looked at. */
  readonly own: ByReason;
  readonly demand: Kinds<ByReason>;
  rows: number;
}

export interface RefusalCounter {
  refuse(pair: Pick<Pair, 'supply' | 'demand'>, reason: Reason, timeMs: number, refused: RefusalCount): void;
  /** The oldest rows, about `rowsMax`. */
  take(rowsMax: number): TrafficCounts[];
  isEmpty(): boolean;
}

const hoursPerDay = 24;

function rowsOf({ hour, supply, own, demand }: SupplyRefusals): TrafficCounts[] {
  const rowOf = (
    object: ObjectKey | undefined,
    [reason, counts]: readonly [Reason, Tally],
  ): TrafficCounts => ({
    ...({ cube: 'refusal', day: Math.floor(hour / hoursPerDay), hour } as const),
    supply,
    demand: object,
    values: [reason],
    counts,
  });
  return [
    ...[...own].map((counted) => rowOf(undefined, counted)),
    ...objectsIn(demand).flatMap(([object, reasons]) =>
      [...reasons].map((counted) => rowOf(object, counted)),
    ),
  ];
}

/** An auction's refusals come in a row, so its supply object is looked up once. */
export function createRefusalCounter(): RefusalCounter {
  const supplies = new Map<string, SupplyRefusals>();
  let last: SupplyRefusals | undefined;
  const refusalsOf = ({ kind, id }: ObjectKey, hour: number): SupplyRefusals => {
    if (last?.hour === hour && last.supply.id === id && last.supply.kind === kind) return last;
    last = getOrMake(supplies, `${hour} ${kind} ${id}`, () => ({
      hour,
      supply: { kind, id },
      own: new Map(),
      demand: new Map(),
      rows: 0,
    }));
    return last;
  };
  return {
    refuse({ supply, demand }, reason, timeMs, { count, lostNanos, invalid = 0 }) {
      const refusals = refusalsOf(supply, hourOf(timeMs));
      const reasons = demand
        ? getOrMake<number, ByReason>(getOrMake(refusals.demand, demand.kind, newMap), demand.id, newMap)
        : refusals.own;
      const known = reasons.get(reason);
      if (known) {
        known.refusals += count;
        known.lostNanos += lostNanos;
        known.invalid += invalid;
        return;
      }
      reasons.set(reason, { refusals: count, lostNanos, invalid });
      refusals.rows += 1;
    },
    take(rowsMax) {
      const taken: SupplyRefusals[] = [];
      let rows = 0;
      for (const [name, refusals] of supplies) {
        if (rows >= rowsMax) break;
        supplies.delete(name);
        taken.push(refusals);
        rows += refusals.rows;
      }
      last = undefined;
      return taken.flatMap(rowsOf);
    },
    isEmpty: () => supplies.size === 0,
  };
}
