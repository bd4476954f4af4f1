import type { AddressCounts, ObjectKey, PairCounts, TrafficCounts } from '../store/statistics/interface.ts';
import { createCallCounter } from './call-counts.ts';
import {
  addDeltas,
  type CountedName,
  type CounterRow,
  forms,
  noDeltas,
  writeDeltas,
} from './counter-rows.ts';
import { dayOf, hourOf, minuteOf, stepsOf } from './days.ts';
import { createDealCounter } from './deal-counts.ts';
import type { AtAddress, CountedPart, CountOf, Pair } from './events.ts';
import { createFloorCounter, type FloorCounter } from './floor-counts.ts';
import { getOrMake, type Kinds, newMap, objectsIn } from './nested-maps.ts';
import { createRefusalCounter, type RefusalCounter } from './refusal-counts.ts';
import type { TopValues } from './top-values.ts';
import { createTrafficCounter } from './traffic-counts.ts';

/** In a minute, or in what is left of a quarter hour. */
interface SupplyTally {
  /** Without a demand object. */
  readonly own: CounterRow;
  readonly demand: Map<string, Map<number, CounterRow>>;
}

export interface Counters {
  count(of: Omit<Pair, 'demand' | 'ad'>, parts: readonly CountedPart<CountedName>[], timeMs: number): void;
  /** Of a deal, which is neither supply nor demand. */
  countUse(supply: ObjectKey, deal: ObjectKey, counts: readonly CountOf<CountedName>[], timeMs: number): void;
  countAddress(at: AtAddress, by: Pick<AddressCounts, 'impressions' | 'promised'>): void;
  countDeal(
    of: Pick<Pair, 'supply' | 'demand'>,
    deal: string,
    counts: readonly CountOf[],
    timeMs: number,
  ): void;
  readonly countFloor: FloorCounter['count'];
  readonly refuse: RefusalCounter['refuse'];
  /** Since the last call, of refusals about as many rows as given. */
  take(refusalsMax: number): DrainedCounts;
  /** Refusals that the last call has left. */
  hasMore(): boolean;
}

export interface DrainedCounts {
  readonly pairs: readonly PairCounts[];
  readonly addresses: readonly AddressCounts[];
  readonly traffic: readonly TrafficCounts[];
}

const minutesPerQuarter = 15;
/** If nobody takes them, further minutes count as the first of their quarter hour. */
const defaultMinutesMax = 15;
/** While the database is away, further addresses and viewers are not stored. */
const addressesMax = 200_000;

function pairsOf(minute: number, supply: ObjectKey, { own, demand }: SupplyTally): PairCounts[] {
  const time = stepsOf(minute);
  const { isAny, countsOf } = forms.pair;
  const alone = isAny(own) ? [{ ...time, supply, demand: undefined, counts: countsOf(own) }] : [];
  return [
    ...alone,
    ...objectsIn(demand).map(([object, counts]) => ({
      ...time,
      supply,
      demand: object,
      counts: countsOf(counts),
    })),
  ];
}

/** They reach the database within a second. */
function createAddresses() {
  let counted = new Map<string, AddressCounts>();
  return {
    count(
      { address, timeMs, untilMs, objects }: AtAddress,
      by: Pick<AddressCounts, 'impressions' | 'promised'>,
    ): void {
      const hour = hourOf(timeMs);
      const until = untilMs === undefined ? {} : { untilDay: dayOf(untilMs) };
      for (const { kind, id } of objects) {
        const name = JSON.stringify([kind, id, hour, address, until]);
        const before = counted.get(name);
        if (!before && counted.size >= addressesMax) continue;
        const impressions = (before?.impressions ?? 0) + by.impressions;
        const promised = (before?.promised ?? 0) + by.promised;
        counted.set(name, { hour, kind, id, address, impressions, promised, ...until });
      }
    },
    take(): readonly AddressCounts[] {
      const taken = counted;
      counted = new Map();
      return [...taken.values()].filter(({ impressions, promised }) => impressions !== 0 || promised !== 0);
    },
  };
}

/**
 * A count is a few map look-ups, without locks. One row per pair and minute (15 at most, then quarter hours), and per
 * cube row; of refusals per pair, hour and reason.
 */
export function createCounters(topValues: TopValues, minutesMax = defaultMinutesMax): Counters {
  let minutes = new Map<number, Kinds<SupplyTally>>();
  const traffic = createTrafficCounter(topValues);
  const refusals = createRefusalCounter();
  const calls = createCallCounter();
  const deals = createDealCounter();
  const floors = createFloorCounter();
  const addresses = createAddresses();
  const supplyTally = ({ kind, id }: ObjectKey, timeMs: number): SupplyTally => {
    const minute = minuteOf(timeMs);
    const isFull = minutes.size >= minutesMax && !minutes.has(minute);
    const key = isFull ? minute - (minute % minutesPerQuarter) : minute;
    const kinds: Kinds<SupplyTally> = getOrMake(minutes, key, newMap);
    const ids: Map<number, SupplyTally> = getOrMake(kinds, kind, newMap);
    return getOrMake(ids, id, () => ({ own: forms.pair.empty(), demand: new Map() }));
  };
  const sheet = noDeltas();
  const countPair = (tally: SupplyTally, demand: ObjectKey | undefined) => {
    if (demand) {
      const ids: Map<number, CounterRow> = getOrMake(tally.demand, demand.kind, newMap);
      addDeltas(getOrMake(ids, demand.id, forms.pair.empty), sheet.pair);
    } else {
      addDeltas(tally.own, sheet.pair);
    }
  };
  return {
    count(of, parts, timeMs) {
      let tally: SupplyTally | undefined;
      for (const part of parts) {
        const { demand, ad } = part;
        writeDeltas(sheet, part.counts, demand !== undefined, Boolean(ad?.deal));
        if (sheet.pair.length > 0) {
          tally ??= supplyTally(of.supply, timeMs);
          countPair(tally, demand);
        }
        traffic.count(of, part, sheet, timeMs);
        calls.count(demand, sheet, timeMs);
        if (ad?.deal) deals.count({ supply: of.supply, demand }, ad.deal, sheet, timeMs);
      }
    },
    countDeal(pair, deal, counts, timeMs) {
      writeDeltas(sheet, counts, true, true);
      deals.count(pair, deal, sheet, timeMs);
    },
    countFloor: floors.count,
    countUse(supply, deal, counts, timeMs) {
      writeDeltas(sheet, counts, true, false);
      countPair(supplyTally(supply, timeMs), deal);
    },
    countAddress: addresses.count,
    refuse: refusals.refuse,
    hasMore: () => !refusals.isEmpty(),
    take(refusalsMax) {
      const taken = [...minutes].flatMap(([minute, kinds]) =>
        objectsIn(kinds).map(([supply, tally]) => ({ minute, supply, tally })),
      );
      minutes = new Map();
      return {
        pairs: taken.flatMap(({ minute, supply, tally }) => pairsOf(minute, supply, tally)),
        addresses: addresses.take(),
        traffic: [
          ...traffic.take(),
          ...calls.take(),
          ...deals.take(),
          ...floors.take(),
          ...refusals.take(refusalsMax),
        ],
      };
    },
  };
}
