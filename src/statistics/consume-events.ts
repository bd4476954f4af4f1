import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConsumedRange, CountBatch, StatisticsStore } from '../store/statistics/interface.ts';
import { assertStorable, eventBatch } from './event-counts.ts';
import { type EventRecord, NewerRecord, readEventRecord } from './event-records.ts';
import { withRefusals } from './fact-recorder.ts';
import { halveCounts, rowsIn } from './pending-counts.ts';
import { createTopValues } from './top-values.ts';
import { isRefused } from './with-retries.ts';

/** Of counts, and events, in a transaction. */
const rowsPerStepMax = 1000;

/** Of one writer, in order: earlier ones were taken. */
export interface SentRecords {
  /** Unique, now and later. */
  readonly source: string;
  readonly records: readonly Buffer[];
  /** One per record, above 0, rising within a source. */
  readonly places: readonly number[];
}

export interface EventConsumerOptions {
  readonly statistics: Pick<StatisticsStore, 'add' | 'takenUntil'>;
  readonly now: () => number;
  /** Gets single events; absent if nobody wants them. */
  readonly leaveTo?: string | undefined;
  /** For records from elsewhere; its answer throws for a record that names unknown objects. */
  readonly assertKnown?: (all: readonly EventRecord[]) => Promise<(recorded: EventRecord) => void>;
  /** For a record that will never be taken, and is left out; its text is fit for a log. */
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
/** Of JSON, also where it is cut off. */
const personal = /"(address|url)":"(?:[^"\\]|\\.)*(?:"|\\?$)/g;

/** For a log: without addresses of viewers, and notices, which may say anything of them. */
const loggedText = (json: string) => json.replaceAll(personal, '"$1":"…"').slice(0, textMax);

/** Counted in one transaction. */
interface Step {
  readonly records: readonly EventRecord[];
  readonly until: number;
}

const rowsOf = (recorded: EventRecord) => (recorded.kind === 'event' ? 1 : rowsIn(recorded.lot));

function stepsOf(placed: readonly PlacedRecord[]): Step[] {
  const steps: Step[] = [];
  let records: EventRecord[] = [];
  let rows = 0;
  let until = 0;
  const end = () => {
    if (records.length > 0) steps.push({ records, until });
    [records, rows] = [[], 0];
  };
  for (const { place, recorded } of placed) {
    if (rows + rowsOf(recorded) > rowsPerStepMax) end();
    records.push(recorded);
    rows += rowsOf(recorded);
    until = place;
  }
  end();
  return steps;
}

/** Two parts that are counted one after the other; none of an event, and a single row. */
function halvesOf(records: readonly EventRecord[]): readonly (readonly EventRecord[])[] {
  const [first, ...others] = records;
  if (others.length === 0)
    return first?.kind === 'lot'
      ? halveCounts(first.lot).map((lot) => [{ kind: 'lot', lot, faults: [] }])
      : [];
  const middle = Math.ceil(records.length / 2);
  return [records.slice(0, middle), records.slice(middle)];
}

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
      else for (const { error, row } of recorded.faults) onSetAside(error, loggedText(JSON.stringify(row)));
      return [{ place, recorded }];
    } catch (error) {
      if (error instanceof NewerRecord) throw error;
      onSetAside(error, loggedText(record.toString('latin1')));
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
  const setAside = (error: unknown, value: unknown) => onSetAside(error, loggedText(JSON.stringify(value)));
  /** Lots have IDs of their own, and events their keys. */
  const batchesOf = (records: readonly EventRecord[]): CountBatch[] => {
    const all = records.flatMap((recorded) => (recorded.kind === 'event' ? recorded.event : []));
    const events = eventBatch(all, topValues, { leavesFacts: leaveTo !== undefined });
    const lots = records.flatMap((recorded) => (recorded.kind === 'lot' ? recorded.lot : []));
    const timeMs = now();
    return [
      { id: randomUUID(), timeMs, pairs: [], addresses: [], events, leaveTo },
      ...lots.map((lot) => withRefusals({ ...lot, timeMs }, leaveTo)),
    ];
  };
  const take = async (records: readonly EventRecord[], taken: ConsumedRange): Promise<void> => {
    try {
      await statistics.add(batchesOf(records), taken);
    } catch (error) {
      if (!isRefused(error)) throw error;
      await takeHalves(records, taken, error);
    }
  };
  /** One bad row must not fail others. Until the last is counted, none counts as taken. */
  const takeHalves = async (records: readonly EventRecord[], taken: ConsumedRange, error: unknown) => {
    const [first, second] = halvesOf(records);
    if (first && second) {
      await take(first, { ...taken, until: taken.from });
      return take(second, taken);
    }
    for (const recorded of records)
      setAside(error, recorded.kind === 'event' ? recorded.event : recorded.lot);
    return take([], taken);
  };
  return async (sent) => {
    const { source, places } = sent;
    let from = await statistics.takenUntil(source);
    const last = places.at(-1) ?? 0;
    if (last <= from) return;
    for (const step of stepsOf(await knownOf(placedIn(sent, from, onSetAside), assertKnown, setAside))) {
      await take(step.records, { source, from, until: step.until });
      from = step.until;
      await nextTurn();
    }
    // What was set aside at the end.
    if (from < last) await take([], { source, from, until: last });
  };
}
