import { setImmediate as nextTurn } from 'node:timers/promises';
import { columnName } from '../reference/column-name.ts';
import { countedAs } from '../reference/counters.ts';
import {
  type Attribute,
  attributeValue,
  chosenAttributes,
  unknownAd,
  unknownTraffic,
} from '../reference/cubes.ts';
import { factCounters, isOfDemandRows } from '../reference/fact-cubes.ts';
import { ownMember, setOwnMember } from '../reference/own-member.ts';
import type { CountBatch, Fact, StatisticsStore, TrafficCounts } from '../store/statistics/interface.ts';
import { hourMs } from './days.ts';
import type { BillableEvent, CountedPart, EventSink, Pair } from './events.ts';
import { isUnavailable } from './with-retries.ts';

/** Waiting in memory; what comes beyond is not kept. */
const auctionsMax = 50_000;
/** Waiting for a database that is away. */
const rowsMax = 200_000;
/** Auctions per tick. */
const auctionsPerTurn = 50;

const columns = new Map(factCounters.map((name) => [name as string, columnName(name)]));
const attributes = [...new Set<Attribute>([...keysOf(unknownTraffic), ...keysOf(unknownAd), 'subId'])].map(
  (name) => ({ name, column: columnName(name), isChosen: chosenAttributes.has(name) }),
);

function keysOf<T extends object>(of: T): (keyof T)[] {
  return Object.keys(of) as (keyof T)[];
}

/** By an auction, or one event. */
interface RecordedParts {
  readonly of: Omit<Pair, 'demand' | 'ad'>;
  readonly parts: readonly CountedPart[];
  readonly timeMs: number;
}

type Row = Record<string, string | number>;

function addAttributes(row: Row, values: Partial<Record<Attribute, string | number>>): Row {
  for (const { name, column, isChosen } of attributes) {
    const value = values[name] ?? '';
    if (value !== '' && value !== 0)
      setOwnMember(row, column, isChosen ? attributeValue(String(value), name) : value);
  }
  return row;
}

/** Empty ones are left out. */
const columnsOf = ({ supply, traffic = unknownTraffic, subId }: RecordedParts['of']): Row =>
  addAttributes({ supply_kind: supply.kind, supply_id: supply.id }, { ...traffic, subId });

function demandColumns({ demand, ad }: Pick<Pair, 'demand' | 'ad'>): Row {
  if (!demand) return {};
  const row = { demand_kind: demand.kind, demand_id: demand.id };
  return ad ? addAttributes(row, { ...ad }) : row;
}

function countColumns({ demand, counts }: CountedPart, weight: number): Row | undefined {
  let row: Row | undefined;
  for (const [name, by] of counts) {
    const column = columns.get(name);
    if (column === undefined || by === 0 || (demand && !isOfDemandRows(name))) continue;
    row ??= {};
    setOwnMember(row, column, Number(ownMember(row, column) ?? 0) + by * weight);
  }
  return row;
}

/** One without demand, and one for each demand object. */
function factsOf({ of, parts, timeMs }: RecordedParts, weight: number): Fact[] {
  const common = { time: timeMs, ...(weight > 1 && { weight }), ...columnsOf(of) };
  return parts.flatMap((part) => {
    const counts = countColumns(part, weight);
    return counts ? [{ ...common, ...demandColumns(part), ...counts }] : [];
  });
}

/** One for each that it counts as; amounts are in the first. */
export function factsOfEvent(billed: BillableEvent): Fact[] {
  const { pair, auctionId, timeMs, revenueNanos } = billed;
  // As in statistics: the publisher is never paid more than was earned.
  const spentNanos = Math.min(billed.spentNanos, revenueNanos);
  const common = { time: timeMs, auction_id: auctionId, ...columnsOf(pair), ...demandColumns(pair) };
  const amounts = {
    ...(spentNanos !== 0 && { spent_nanos: spentNanos }),
    ...(revenueNanos !== 0 && { revenue_nanos: revenueNanos }),
  };
  return countedAs(billed).flatMap((event, index) => {
    const column = columns.get(event);
    if (column === undefined) return [];
    return [{ ...common, event, [column]: 1, ...(index === 0 && amounts) }];
  });
}

/** By pair, reason and hour. */
function refusalFacts(traffic: readonly TrafficCounts[]): Fact[] {
  return traffic.flatMap(({ cube, hour = 0, supply, demand, values: [reason = ''], counts }) => {
    if (cube !== 'refusal' || !supply) return [];
    const { refusals = 0, lostNanos = 0, invalid = 0 } = counts;
    const objects = {
      supply_kind: supply.kind,
      supply_id: supply.id,
      ...(demand && { demand_kind: demand.kind, demand_id: demand.id }),
    };
    return [
      {
        time: hour * hourMs,
        ...objects,
        reason,
        refusals,
        ...(lostNanos !== 0 && { lost_nanos: lostNanos }),
        ...(invalid !== 0 && { invalid }),
      },
    ];
  });
}

/** Leaves rows of a batch's refusals for whoever wants single events. */
export function withRefusals(batch: CountBatch, leaveTo: string | undefined): CountBatch {
  return leaveTo === undefined ? batch : { ...batch, facts: refusalFacts(batch.traffic ?? []), leaveTo };
}

export interface RecorderOptions {
  readonly statistics: Pick<StatisticsStore, 'withOwners'>;
  /** One auction of this many is kept; it counts for all of them. */
  readonly sampleOneIn: number;
  /** From 0 to less than 1. */
  readonly random: () => number;
  /** False if there is no room. */
  readonly write: (facts: readonly Fact[]) => Promise<boolean>;
  readonly onFailure: (error: unknown, what: string) => void;
}

/** Besides what is added up. */
export interface FactRecorder {
  readonly note: EventSink['countAll'];
  /** Never rejects. */
  flush(): Promise<void>;
  /** For a database that is away, to be written by a later flush. */
  isWaiting(): boolean;
  /** Rows lost because the outbox was full or failed. */
  dropped(): number;
}

/** With the owners of their objects; counts lost rows. */
function createFactWriting({ statistics, write, onFailure }: RecorderOptions) {
  let waiting: (readonly Fact[])[] = [];
  let dropped = 0;
  const drop = (facts: readonly Fact[], error: unknown, what: string) => {
    dropped += facts.length;
    onFailure(error, what);
  };
  /** Facts wait for the database, which alone knows their objects' owners. */
  const writeFacts = async (facts: readonly Fact[]) => {
    try {
      if (await write(await statistics.withOwners(facts))) return;
      drop(
        facts,
        new Error('it is full'),
        'the outbox accepts no more auctions: they are counted, but not stored one by one',
      );
    } catch (error) {
      const hasRoom = waiting.reduce((sum, { length }) => sum + length, 0) < rowsMax;
      if (isUnavailable(error) && hasRoom) waiting.push(facts);
      else drop(facts, error, 'single auctions could not be stored; they are counted');
    }
  };
  return {
    writeFacts,
    dropped: () => dropped,
    isWaiting: () => waiting.length > 0,
    lose: () => {
      dropped += 1;
    },
    /** To be tried again. */
    takeWaiting(): readonly (readonly Fact[])[] {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}

export function createFactRecorder(options: RecorderOptions): FactRecorder {
  const { sampleOneIn, random } = options;
  const { writeFacts, dropped, isWaiting, lose, takeWaiting } = createFactWriting(options);
  let rows: RecordedParts[] = [];
  const flush = async () => {
    const recorded = rows;
    rows = [];
    for (const facts of takeWaiting()) await writeFacts(facts);
    for (let from = 0; from < recorded.length; from += auctionsPerTurn) {
      const some = recorded.slice(from, from + auctionsPerTurn);
      const facts = some.flatMap((one) => factsOf(one, sampleOneIn));
      if (facts.length > 0) await writeFacts(facts);
      await nextTurn();
    }
  };
  let underWay = Promise.resolve();
  return {
    isWaiting,
    dropped,
    note(of, parts, timeMs) {
      if (sampleOneIn > 1 && random() * sampleOneIn >= 1) return;
      if (rows.length < auctionsMax) rows.push({ of, parts, timeMs });
      else lose();
    },
    flush() {
      underWay = underWay.then(flush);
      return underWay;
    },
  };
}
