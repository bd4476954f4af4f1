import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConsumedRange, CountBatch, StatisticsStore } from '../store/statistics/interface.ts';
import { assertStorable, claimsOf, countsOf } from './event-counts.ts';
import { type EventRecord, NewerRecord, readEventRecord } from './event-records.ts';
import type { BillableEvent } from './events.ts';
import { type FactRecorder, withRefusals } from './fact-recorder.ts';
import { halveCounts, type PendingCounts } from './pending-counts.ts';
import { createTopValues } from './top-values.ts';
import { isRefused } from './with-retries.ts';

const eventsPerLotMax = 500;

/** Records of one writer, in their order: none of those before them is left out that was not taken. */
export interface SentRecords {
  /** Whose they are: a name that nobody else has, now or later. */
  readonly source: string;
  readonly records: readonly Buffer[];
  /** Of each record a whole number above 0, greater than those of all records of the source before it. */
  readonly places: readonly number[];
}

/** What taking records works with. */
export interface EventConsumerOptions {
  readonly statistics: Pick<StatisticsStore, 'add' | 'bill' | 'takenUntil'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What keeps events singly, where somebody wants them. */
  readonly facts?: Pick<FactRecorder, 'factOfEvent' | 'leaveTo'> | undefined;
  /**
   * Asked of all records of a delivery, where they come from elsewhere; it answers what throws for a record that names
   * objects that there are not.
   */
  readonly assertKnown?: (all: readonly EventRecord[]) => Promise<(recorded: EventRecord) => void>;
  /** Told of a record that will never be taken, with the reason: it is left out. */
  readonly onSetAside: (error: unknown, record: string) => void;
}

/**
 * Takes what an outbox has sent, its own or another server's: adds it to the store, once, however often and whenever it
 * comes. Rejects where the store is away, or for a record of a newer program: then it is to be sent again. Sent by two at
 * a time, one of them is rejected.
 */
export type ConsumeEvents = (sent: SentRecords) => Promise<void>;

interface PlacedRecord {
  readonly place: number;
  readonly recorded: EventRecord;
}

const textMax = 2000;

/** What is counted together: some events that share no claims, or one lot of counts. */
type Step = { readonly until: number } & (
  | { readonly events: readonly BillableEvent[] }
  | { readonly lot: PendingCounts }
);

/** Events in lots: who shares a claim with one of a lot comes later, as only the database knows who gets it. */
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

/** The records behind a place, without those that make no sense. Throws for one of a newer program. */
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
      return [{ place, recorded }];
    } catch (error) {
      if (error instanceof NewerRecord) throw error;
      onSetAside(error, record.toString('latin1').slice(0, textMax));
      return [];
    }
  });
}

/** Without records of what is not known. */
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

/** Makes what takes records into a store. */
export function createEventConsumer(options: EventConsumerOptions): ConsumeEvents {
  const { statistics, now, facts, onSetAside, assertKnown } = options;
  const topValues = createTopValues();
  const setAside = (error: unknown, value: unknown) =>
    onSetAside(error, JSON.stringify(value).slice(0, textMax));
  const counted = (event: BillableEvent) => {
    const fact = facts?.factOfEvent(event);
    return { ...countsOf(event, topValues), ...(fact && { fact }) };
  };
  const bill = async (events: readonly BillableEvent[], taken: ConsumedRange): Promise<void> => {
    const more = { leaveTo: facts?.leaveTo, taken };
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
  /** One bad event must not fail those beside it. Until the last of them is counted, none counts as taken. */
  const billHalves = async (events: readonly BillableEvent[], taken: ConsumedRange): Promise<void> => {
    const middle = Math.ceil(events.length / 2);
    const { from } = taken;
    await bill(events.slice(0, middle), { ...taken, until: from });
    await bill(events.slice(middle), taken);
  };
  const add = async (counts: PendingCounts, taken: ConsumedRange): Promise<void> => {
    try {
      await statistics.add(withRefusals({ ...counts, timeMs: now() }, facts), taken);
    } catch (error) {
      if (!isRefused(error)) throw error;
      const [first, second] = halveCounts(counts);
      if (first && second) {
        // Their IDs stay the same when the lot is sent again.
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
    // Other processes see by a lot that figures have moved; it also passes what was set aside at the end.
    await statistics.add({ id: randomUUID(), timeMs: now(), ...nothing }, { source, from, until: last });
  };
}
