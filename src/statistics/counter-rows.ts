import {
  type CounterName,
  type CountsIn,
  type CountTableName,
  counterNames,
  countersIn,
  type OnceEvent,
  ownCounters,
} from '../reference/counters.ts';
import type { CountOf } from './events.ts';

/** Each at its counter's index. */
export type CounterRow = Float64Array;

export interface CounterRowForm<By extends CountTableName> {
  /** Undefined if the table does not have it. */
  placeOf(name: CounterName): number | undefined;
  empty(): CounterRow;
  isAny(tally: CounterRow): boolean;
  countsOf(tally: CounterRow): CountsIn<By>;
}

function tallyForm<By extends CountTableName>(table: By): CounterRowForm<By> {
  const names = countersIn(table);
  const places = new Map<CounterName, number>(names.map((name, place) => [name as CounterName, place]));
  return {
    placeOf: (name) => places.get(name),
    empty: () => new Float64Array(names.length),
    isAny: (tally) => tally.some((count) => count !== 0),
    countsOf: (tally) => Object.fromEntries(names.map((name, place) => [name, tally[place]])) as CountsIn<By>,
  };
}

export const forms = {
  pair: tallyForm('pair'),
  traffic: tallyForm('traffic'),
  call: tallyForm('call'),
  deal: tallyForm('deal'),
} as const;

type FormName = keyof typeof forms;
const formNames = Object.keys(forms) as FormName[];

/** Not all events have a counter. */
export type CountedName = CounterName | OnceEvent;

interface Places extends Readonly<Record<FormName, number | undefined>> {
  /** With a demand object it counts for that only: the supply object's traffic does not have it. */
  readonly isOwn: boolean;
}

const own: ReadonlySet<CounterName> = new Set(ownCounters);
const placesOf = new Map<CountedName, Places>(
  counterNames.map((name) => {
    const [pair, traffic, call, deal] = formNames.map((form) => forms[form].placeOf(name));
    return [name, { pair, traffic, call, deal, isOwn: own.has(name) }];
  }),
);

/** In memory that is reused. */
interface Additions {
  length: number;
  readonly places: number[];
  readonly by: number[];
}

/** Of one demand object, or the supply object alone, by form. */
export type CounterDeltas = Readonly<Record<FormName, Additions>>;

const additions = (): Additions => ({ length: 0, places: [], by: [] });

export const noDeltas = (): CounterDeltas => ({
  pair: additions(),
  traffic: additions(),
  call: additions(),
  deal: additions(),
});

function write(to: Additions, place: number | undefined, by: number): void {
  if (place === undefined) return;
  to.places[to.length] = place;
  to.by[to.length] = by;
  to.length += 1;
}

/** Overwrites `into`. */
export function writeDeltas(
  { pair, traffic, call, deal }: CounterDeltas,
  counts: readonly CountOf<CountedName>[],
  hasDemand: boolean,
  hasDeal: boolean,
): void {
  pair.length = 0;
  traffic.length = 0;
  call.length = 0;
  deal.length = 0;
  for (const count of counts) {
    // Not destructured, which would go through an iterator.
    const by = count[1];
    const places = placesOf.get(count[0]);
    if (!places) continue;
    write(pair, places.pair, by);
    if (!(hasDemand && places.isOwn)) write(traffic, places.traffic, by);
    if (hasDemand) write(call, places.call, by);
    if (hasDeal) write(deal, places.deal, by);
  }
}

export function addDeltas(tally: CounterRow, { length, places, by }: Additions): void {
  for (let index = 0; index < length; index += 1) {
    const place = places[index] as number;
    tally[place] = (tally[place] as number) + (by[index] as number);
  }
}
