import { attributeValue } from '../reference/cubes.ts';
import type { ObjectKey, TrafficCounts } from '../store/statistics/interface.ts';
import { addDeltas, type CounterDeltas, type CounterRow, forms } from './counter-rows.ts';
import { hourOf } from './days.ts';
import type { Pair } from './events.ts';
import { getOrMake } from './nested-maps.ts';

const hoursPerDay = 24;

interface Cell extends Pick<Pair, 'supply' | 'demand'> {
  readonly hour: number;
  readonly deal: string;
  readonly counts: CounterRow;
}

const nameOf = (object: ObjectKey | undefined) => (object ? `${object.kind} ${object.id}` : '');

export interface DealCounter {
  count(
    { supply, demand }: Pick<Pair, 'supply' | 'demand'>,
    deal: string,
    sheet: CounterDeltas,
    timeMs: number,
  ): void;
  /** Since the last call. */
  take(): TrafficCounts[];
}

/** Of what is under deals only: the rest follows from `Cube.openIn`. */
export function createDealCounter(): DealCounter {
  let cells = new Map<string, Cell>();
  return {
    count({ supply, demand }, deal, sheet, timeMs) {
      if (sheet.deal.length === 0) return;
      const hour = hourOf(timeMs);
      const { counts } = getOrMake(
        cells,
        [hour, nameOf(supply), nameOf(demand), deal].join('\n'),
        (): Cell => ({ hour, supply, demand, deal: attributeValue(deal), counts: forms.deal.empty() }),
      );
      addDeltas(counts, sheet.deal);
    },
    take() {
      const taken = cells;
      cells = new Map();
      return [...taken.values()].map(({ hour, supply, demand, deal, counts }) => ({
        ...({ cube: 'deal', day: Math.floor(hour / hoursPerDay), hour } as const),
        supply: { kind: supply.kind, id: supply.id },
        demand: demand && { kind: demand.kind, id: demand.id },
        values: [deal],
        counts: forms.deal.countsOf(counts),
      }));
    },
  };
}
