import type { Opportunity } from '../../opportunity.ts';
import type { Reason } from '../../reasons.ts';
import type { Demand } from '../../snapshot/demand.ts';
import { inactivity } from '../../snapshot/inactivity.ts';
import type { IndexedRule } from '../rule.ts';
import { demandRules } from '../rules.ts';
import type { KeyRefusals } from './key-refusals.ts';

/** Exact counts of why connected demand was refused by targeting. */
export interface RefusedCounts {
  /** Counts inactive demand, and refusals by rules on keys. */
  add(opportunity: Opportunity): void;
  /** `rule`: index in `demandRules`; `place`: index among the active demand. */
  addRefused(place: number, rule: number): void;
  /** Where several media decide together: one more, or one less than was counted. */
  change(demand: Demand, reason: Reason, by: 1 | -1): void;
  /** Words of memory. */
  size(): number;
  /** To be called once, at the end. */
  tell(tell: (demand: Demand, reason: Reason, count: number) => void): void;
}

const placeOf = new Map<IndexedRule, number>(demandRules.map((rule, place) => [rule, place]));
const reasons = demandRules.map(({ reason }) => reason);
const width = demandRules.length;
/** Flattens the tree of keys into plain counts before it takes more than this. */
const keyWordsMax = 65_536;

/** One cell for each object of a bitmap. */
function addAt(cells: Int32Array, rule: number, objects: Int32Array, by: number): void {
  for (let word = 0; word < objects.length; word += 1) {
    for (let left = objects[word] as number; left !== 0; left &= left - 1) {
      const cell = ((word << 5) + 31 - Math.clz32(left & -left)) * width + rule;
      cells[cell] = (cells[cell] as number) + by;
    }
  }
}

/** `keys` counts by index among those that serve. */
export function createRefusedCounts(
  connected: readonly Demand[],
  serving: readonly Demand[],
  keys: KeyRefusals,
): RefusedCounts {
  const refused = new Int32Array(serving.length * width);
  const keyPlaces = keys.rules.map((rule) => placeOf.get(rule) ?? 0);
  let auctions = 0;
  let places: ReadonlyMap<Demand, number> | undefined;
  const settleKeys = () =>
    keys.take((rule, objects, by) => addAt(refused, keyPlaces[rule] as number, objects, by));
  return {
    add(opportunity) {
      auctions += 1;
      keys.add(opportunity);
      if (keys.size() > keyWordsMax) settleKeys();
    },
    addRefused(place, rule) {
      const cell = place * width + rule;
      refused[cell] = (refused[cell] as number) + 1;
    },
    change(demand, reason, by) {
      places ??= new Map(serving.map((one, place) => [one, place]));
      const place = places.get(demand);
      const cell = (place ?? 0) * width + reasons.indexOf(reason);
      if (place !== undefined) refused[cell] = (refused[cell] as number) + by;
    },
    size: () => refused.length + keys.size(),
    tell(tell) {
      settleKeys();
      for (let cell = 0; cell < refused.length; cell += 1) {
        const count = refused[cell] as number;
        if (count > 0)
          tell(serving[Math.floor(cell / width)] as Demand, reasons[cell % width] as Reason, count);
      }
      if (serving.length === connected.length) return;
      for (const demand of connected) {
        const inactive = inactivity(demand, 'AdvertiserId');
        if (inactive) tell(demand, inactive.reason, auctions);
      }
    },
  };
}
