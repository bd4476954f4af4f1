import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Config, ConfigurationError } from '../config.ts';
import { counter, gauge, type Metric } from '../exchange/metrics/metric.ts';
import { createFaultLog, type FaultLog } from '../fault-log.ts';
import { createOutboxWriter } from '../outbox/outbox-writer.ts';
import { bytesIn } from '../outbox/segments.ts';
import { foldersIn, type OutboxPart, type Slot, takeFirstSlot } from '../outbox/slots.ts';
import type { EventOutbox } from '../statistics/billing.ts';
import type { ProcessClaims } from '../statistics/process-claims.ts';
import type { NumberedThread } from '../threads/thread-channel.ts';
import type { ConsumerFigures, LogConsumer } from './consume-log.ts';

/** The part of the configuration that the log needs. */
export type EventLogConfig = Pick<Config, 'outboxFolder' | 'outboxMegabytes'>;

/** Where the records of a process are. */
export interface LogPart {
  /** Of all processes' parts. */
  readonly root: string;
  readonly own: OutboxPart;
  readonly onFailure: FaultLog;
}

export interface EventLogOptions {
  readonly config: EventLogConfig;
  /** Name of the installation's folder in the outbox: events of several do not meet. */
  readonly folderName: string;
  /** Starts who takes what is written; in the first thread alone. */
  readonly consume: (part: LogPart) => LogConsumer | Promise<LogConsumer>;
  /** Whether a start waits until all that was acknowledged before is received, and fails if that cannot be. */
  readonly waitsForEvents: boolean;
  readonly threadGroup: NumberedThread & { readonly claims: ProcessClaims; readonly process: string };
  readonly logger: Logger;
  readonly now: () => number;
  /** What the first thread has taken of the outbox; it takes it itself. */
  readonly part?: OutboxPart | undefined;
}

/** What a thread counts, on this machine's disk until consumers have it. */
export interface EventLog {
  readonly part: OutboxPart;
  readonly outbox: EventOutbox;
  metrics(): Metric[];
  /** Consumers get what was written until now; rejects if one refuses. Of the first thread alone. */
  receiveAll(): Promise<void>;
  /** To be called when nothing is counted any more. */
  close(): Promise<void>;
}

const bytesPerMegabyte = 1024 * 1024;
const topic = 'events in the log';
/** Then the consumer starts anyway, to look for what others have left. */
const startAfterMs = 60_000;

async function bytesOf(folders: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const folder of folders) bytes += await bytesIn(folder);
  return bytes;
}

function metricsOf(figures: ConsumerFigures | undefined, unkept: number, now: () => number): Metric[] {
  const refused = counter(
    'bourse_events_unkept_total',
    'Records that the outbox did not accept: billable events were refused, counts waited',
    [{ labels: {}, value: unkept }],
  );
  if (!figures) return [refused];
  return [
    refused,
    gauge(
      'bourse_events_waiting_bytes',
      'What was counted and waits for the database; on an edge, for its home',
      figures.waitingBytes,
    ),
    gauge(
      'bourse_events_oldest_seconds',
      'Maximum age of the oldest of it',
      Math.max(0, now() - figures.wholeUntilMs) / 1000,
    ),
    counter(
      'bourse_events_set_aside_total',
      'Events and counts whose values were not accepted; the log has each of them',
      [{ labels: {}, value: figures.setAside }],
    ),
    counter('bourse_events_lost_bytes_total', 'Bytes of the outbox that could not be read', [
      { labels: {}, value: figures.lostBytes },
    ]),
  ];
}

/** Of the first thread. Throws a `ConfigurationError` if the folder cannot be used. */
function takePart({ config: { outboxFolder } }: EventLogOptions, root: string): Slot {
  try {
    return takeFirstSlot(root);
  } catch (error) {
    throw new ConfigurationError(
      `BOURSE_OUTBOX: ${outboxFolder} cannot be used: ${error instanceof Error ? error.message : error}; what is counted is written there first, so choose a folder that can be written to`,
      { cause: error },
    );
  }
}

/** What was acknowledged before: limits go on with what is counted. */
async function receiveFirst({ receiveAll }: LogConsumer): Promise<void> {
  await receiveAll().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : error;
    throw new Error(`What was counted before cannot be written to the database: ${reason}`, { cause: error });
  });
}

/** Starts it with the first record, or at once if any were left: a server without traffic needs none. */
async function startWhenNeeded(
  { consume, waitsForEvents, threadGroup: { channel }, now }: EventLogOptions,
  slot: Slot,
  part: LogPart,
) {
  let starting: Promise<LogConsumer> | undefined;
  let consumer: LogConsumer | undefined;
  const start = () => {
    starting ??= Promise.resolve(consume(part)).then((started) => {
      consumer = started;
      return started;
    });
    return starting;
  };
  const wake = () => void start().catch((error) => part.onFailure(error, 'what is counted is not consumed'));
  const isAlone = readdirSync(part.root).length === 1;
  if (!isAlone || slot.writers().length > 0) {
    const started = await start();
    if (waitsForEvents) await receiveFirst(started);
  }
  channel.subscribe(topic, wake);
  const timer = setTimeout(wake, startAfterMs).unref();
  return {
    wake,
    figures: (): ConsumerFigures =>
      consumer?.figures() ?? { waitingBytes: 0, wholeUntilMs: now(), setAside: 0, lostBytes: 0 },
    receiveAll: async () => (await starting)?.receiveAll(),
    async close() {
      clearTimeout(timer);
      await (await starting?.catch(() => undefined))?.close();
      slot.release();
    },
  };
}

/**
 * The log of this thread: what is billable is on the node's own disk before it is acknowledged, so that nobody waits
 * for a database that is away, or far. Rejects with a `ConfigurationError` if the outbox cannot be used.
 */
export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  const { config, threadGroup, logger, now } = options;
  const { number, channel, claims, process } = threadGroup;
  const onFailure = createFaultLog(logger, () => performance.now());
  const root = join(config.outboxFolder, `events-${options.folderName}`);
  const slot = options.part ? undefined : takePart(options, root);
  const { folder, id } = options.part ?? (slot as Slot);
  const part = { folder, id };
  const consumer = slot && (await startWhenNeeded(options, slot, { root, own: part, onFailure }));
  const wake = consumer?.wake ?? (() => channel.publish(topic, undefined));
  let unkept = 0;
  let hasWritten = false;
  const writer = createOutboxWriter({
    // A name of its own each time: what is taken of a folder is never told of another one.
    folder: join(folder, `thread-${number}-${randomUUID()}-${process}`),
    bytesMax: config.outboxMegabytes * bytesPerMegabyte,
    bytesNow: () => bytesOf(foldersIn(folder)),
  });
  return {
    part,
    outbox: {
      async append(record) {
        const isKept = await writer.append(record);
        if (!hasWritten) wake();
        hasWritten = true;
        return isKept;
      },
      claims,
      onUnkept(error) {
        unkept += 1;
        onFailure(error, 'the outbox does not accept what is counted; billable events are refused meanwhile');
      },
    },
    metrics: () => metricsOf(consumer?.figures(), unkept, now),
    receiveAll: async () => consumer?.receiveAll(),
    async close() {
      await writer.close();
      await consumer?.close();
    },
  };
}
