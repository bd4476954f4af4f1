import { attributeValue } from '../reference/cubes.ts';
import type { Reason } from '../reference/reason-help.ts';
import type { ObjectKey, TrafficCounts } from '../store/statistics/interface.ts';
import { hourOf } from './days.ts';
import type { Pair, RefusalCount } from './events.ts';
import { getOrMake, type Kinds, newMap, objectsIn } from './nested-maps.ts';

type Tally = { refusals: number; lostNanos: number; invalid: number };
interface Cell extends Pick<TrafficCounts, 'cube' | 'values'> {
  readonly tally: Tally;
}
/** By reason; under a deal by both. */
type Cells = Map<string, Cell>;

interface SupplyRefusals {
  readonly hour: number;
  readonly supply: ObjectKey;
  /** Before demand was looked at. */
  readonly own: Cells;
  readonly demand: Kinds<Cells>;
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
  const rowOf = (object: ObjectKey | undefined, { cube, values, tally }: Cell): TrafficCounts => ({
    cube,
    day: Math.floor(hour / hoursPerDay),
    hour,
    supply,
    demand: object,
    values,
    counts: tally,
  });
  return [
    ...[...own.values()].map((cell) => rowOf(undefined, cell)),
    ...objectsIn(demand).flatMap(([object, cells]) => [...cells.values()].map((cell) => rowOf(object, cell))),
  ];
}

function add(tally: Tally, { count, lostNanos, invalid = 0 }: RefusalCount): void {
  tally.refusals += count;
  tally.lostNanos += lostNanos;
  tally.invalid += invalid;
}

/** Returns how many rows that makes. */
function begin(cells: Cells, key: string, refused: RefusalCount, of: Pick<Cell, 'cube' | 'values'>): number {
  const tally = { refusals: 0, lostNanos: 0, invalid: 0 };
  add(tally, refused);
  cells.set(key, { ...of, tally });
  return 1;
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
    refuse({ supply, demand }, reason, timeMs, refused) {
      const refusals = refusalsOf(supply, hourOf(timeMs));
      const cells = demand
        ? getOrMake<number, Cells>(getOrMake(refusals.demand, demand.kind, newMap), demand.id, newMap)
        : refusals.own;
      const known = cells.get(reason);
      if (known) add(known.tally, refused);
      else refusals.rows += begin(cells, reason, refused, { cube: 'refusal', values: [reason] });
      const { deal } = refused;
      if (!deal) return;
      const values = [attributeValue(deal), reason];
      const key = values.join('\n');
      const underDeal = cells.get(key);
      if (underDeal) add(underDeal.tally, refused);
      else refusals.rows += begin(cells, key, refused, { cube: 'dealRefusal', values });
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
