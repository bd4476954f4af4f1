import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConsumedRange, CountBatch, StatisticsStore } from '../store/statistics/interface.ts';
import { assertStorable, claimsOf, countsOf } from './event-counts.ts';
import { type EventRecord, NewerRecord, readEventRecord } from './event-records.ts';
import type { BillableEvent } from './events.ts';
import { factOfEvent, withRefusals } from './fact-recorder.ts';
import { halveCounts, type PendingCounts } from './pending-counts.ts';
import { createTopValues } from './top-values.ts';
import { isRefused } from './with-retries.ts';

const eventsPerLotMax = 500;

/** Of one writer, in order: earlier ones were taken. */
export interface SentRecords {
  /** Unique, now and later. */
  readonly source: string;
  readonly records: readonly Buffer[];
  /** One per record, above 0, rising within a source. */
  readonly places: readonly number[];
}

export interface EventConsumerOptions {
  readonly statistics: Pick<StatisticsStore, 'add' | 'bill' | 'takenUntil'>;
  readonly now: () => number;
  /** Gets single events; absent if nobody wants them. */
  readonly leaveTo?: string | undefined;
  /** For records from elsewhere; its answer throws for a record that names unknown objects. */
  readonly assertKnown?: (all: readonly EventRecord[]) => Promise<(recorded: EventRecord) => void>;
  /** For a record that will never be taken, and is left out. */
  readonly onSetAside: (error: unknown, record: string) => void;
}

/**
 * Adds an outbox's records to the store once, however often they come. Rejects, to be repeated, if the store is away or
 * a record is from a newer program. Of two concurrent calls one is rejected.
 */
export type ConsumeEvents = (sent: SentRecords) => Promise<void>;

interface PlacedRecord {
  readonly place: number;
  readonly recorded: EventRecord;
}

const textMax = 2000;

/** Events without shared claims, or one batch of counts. */
type Step = { readonly until: number } & (
  | { readonly events: readonly BillableEvent[] }
  | { readonly lot: PendingCounts }
);

/** Events that share a claim go into different batches: only the database knows which gets it. */
function stepsOf(placed: readonly PlacedRecord[]): Step[] {
  const steps: Step[] = [];
  let events: BillableEvent[] = [];
  let claimed = new Set<string>();
  let until = 0;
  const end = () => {
    if (events.length > 0) steps.push({ events, until });
    events = [];
    claimed = new Set();
  };
  for (const { place, recorded } of placed) {
    if (recorded.kind === 'lot') {
      end();
      steps.push({ lot: recorded.lot, until: place });
      continue;
    }
    const { event } = recorded;
    const names = claimsOf(event).map((name) => JSON.stringify([event.auctionId, name]));
    if (events.length >= eventsPerLotMax || names.some((name) => claimed.has(name))) end();
    events.push(event);
    for (const name of names) claimed.add(name);
    until = place;
  }
  end();
  return steps;
}

const nothing: Omit<CountBatch, 'id' | 'timeMs'> = { pairs: [], subIds: [], addresses: [] };

/** Without malformed ones. Throws for one of a newer program. */
function placedIn(
  { records, places }: SentRecords,
  from: number,
  onSetAside: EventConsumerOptions['onSetAside'],
): PlacedRecord[] {
  return records.flatMap((record, index) => {
    const place = places[index] ?? 0;
    if (place <= from) return [];
    try {
      const recorded = readEventRecord(record);
      if (recorded.kind === 'event') assertStorable(recorded.event);
      else for (const { error, row } of recorded.faults) onSetAside(error, JSON.stringify(row));
      return [{ place, recorded }];
    } catch (error) {
      if (error instanceof NewerRecord) throw error;
      onSetAside(error, record.toString('latin1').slice(0, textMax));
      return [];
    }
  });
}

/** Without records of unknown objects. */
async function knownOf(
  placed: readonly PlacedRecord[],
  assertKnown: EventConsumerOptions['assertKnown'],
  setAside: (error: unknown, value: unknown) => void,
): Promise<readonly PlacedRecord[]> {
  const assertOne = await assertKnown?.(placed.map(({ recorded }) => recorded));
  return placed.filter(({ recorded }) => {
    try {
      assertOne?.(recorded);
      return true;
    } catch (error) {
      setAside(error, recorded);
      return false;
    }
  });
}

export function createEventConsumer(options: EventConsumerOptions): ConsumeEvents {
  const { statistics, now, leaveTo, onSetAside, assertKnown } = options;
  const topValues = createTopValues();
  const setAside = (error: unknown, value: unknown) =>
    onSetAside(error, JSON.stringify(value).slice(0, textMax));
  const counted = (event: BillableEvent) => {
    const fact = leaveTo === undefined ? undefined : factOfEvent(event);
    return { ...countsOf(event, topValues), ...(fact && { fact }) };
  };
  const bill = async (events: readonly BillableEvent[], taken: ConsumedRange): Promise<void> => {
    const more = { leaveTo, taken };
    try {
      await statistics.bill(randomUUID(), events.map(counted), more);
    } catch (error) {
      const [first, ...others] = events;
      if (!isRefused(error) || !first) throw error;
      if (others.length > 0) return billHalves(events, taken);
      setAside(error, first);
      await statistics.bill(randomUUID(), [], more);
    }
  };
  /** One bad event must not fail others. Until the last is counted, none counts as taken. */
  const billHalves = async (events: readonly BillableEvent[], taken: ConsumedRange): Promise<void> => {
    const middle = Math.ceil(events.length / 2);
    const { from } = taken;
    await bill(events.slice(0, middle), { ...taken, until: from });
    await bill(events.slice(middle), taken);
  };
  const add = async (counts: PendingCounts, taken: ConsumedRange): Promise<void> => {
    try {
      await statistics.add(withRefusals({ ...counts, timeMs: now() }, leaveTo), taken);
    } catch (error) {
      if (!isRefused(error)) throw error;
      const [first, second] = halveCounts(counts);
      if (first && second) {
        // IDs stay the same when the batch is sent again.
        await add({ ...first, id: `${counts.id}/0` }, { ...taken, until: taken.from });
        return add({ ...second, id: `${counts.id}/1` }, taken);
      }
      setAside(error, counts);
      await statistics.add({ id: randomUUID(), timeMs: now(), ...nothing }, taken);
    }
  };
  return async (sent) => {
    const { source, places } = sent;
    let from = await statistics.takenUntil(source);
    const last = places.at(-1) ?? 0;
    if (last <= from) return;
    for (const step of stepsOf(await knownOf(placedIn(sent, from, onSetAside), assertKnown, setAside))) {
      const taken = { source, from, until: step.until };
      if ('events' in step) await bill(step.events, taken);
      else await add(step.lot, taken);
      from = step.until;
      await nextTurn();
    }
    // Tells other processes that figures have moved; also passes what was set aside at the end.
    await statistics.add({ id: randomUUID(), timeMs: now(), ...nothing }, { source, from, until: last });
  };
}
