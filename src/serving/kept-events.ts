import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { counter, gauge, type Metric } from '../exchange/metrics/metric.ts';
import { createOutboxWriter } from '../outbox/outbox-writer.ts';
import type { Receiver } from '../outbox/receiver.ts';
import { bytesIn, readRecords, segmentPath, segmentsIn } from '../outbox/segments.ts';
import { createShipping } from '../outbox/shipping.ts';
import { foldersIn, type Slot, takeAbandonedSlots, takeFirstSlot } from '../outbox/slots.ts';
import { claimsOf } from '../statistics/event-counts.ts';
import { readEventRecord } from '../statistics/event-records.ts';
import type { EventOutbox } from '../statistics/outbox-billing.ts';
import type { ProcessClaims } from '../statistics/process-claims.ts';
import type { ShippedProcess } from '../store/statistics/interface.ts';
import type { OutboxPart } from './analytics.ts';
import { createFaultLog, type FaultLog } from './fault-log.ts';
import type { ThreadGroup } from './thread-group.ts';

/** The part of the configuration that keeping events needs. */
export type KeptEventsConfig = Pick<Config, 'outboxFolder' | 'outboxMegabytes'>;

export interface EventReceiver extends Receiver {
  noteShipped(process: ShippedProcess): Promise<void>;
  /** How many records were refused for their values. */
  setAside(): number;
}

export interface KeptEventsOptions {
  readonly config: KeptEventsConfig;
  /** Name of the installation's folder in the outbox: events of several do not meet. */
  readonly folderName: string;
  /** Makes who takes what is kept; of the first thread alone. */
  readonly receiver: (onFailure: FaultLog) => EventReceiver;
  /** What becomes of events that the outbox does not take, as `they wait for the database`. */
  readonly otherwise: string;
  readonly threadGroup: Pick<ThreadGroup, 'number' | 'claims'>;
  readonly logger: Logger;
  readonly now: () => number;
  /** What the first thread has taken of the outbox; it takes it itself. */
  readonly part?: OutboxPart | undefined;
}

/** Billable events of a thread on the node's own disk, on their way to the store. */
export interface KeptEvents {
  readonly part: OutboxPart;
  readonly outbox: EventOutbox;
  metrics(): Metric[];
  /** Sends what was acknowledged until now; rejects where the store does not take it. Of the first thread alone. */
  sendAll(): Promise<void>;
  /** To be called when nothing is billed any more. */
  close(): Promise<void>;
}

const bytesPerMegabyte = 1024 * 1024;
const leftSlotsEveryMs = 60_000;
const noteEveryMs = 10_000;
const closeMs = 5000;
const readBytesMax = 8 * bytesPerMegabyte;
/** As much of what the outbox holds as there is room for claims, roughly. */
const claimedBytesMax = 512 * bytesPerMegabyte;
/** What a process before has written stays for so long, so that the next one knows what was claimed. */
const finishedKeptMs = 3_600_000;

async function bytesOf(folders: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const folder of folders) bytes += await bytesIn(folder);
  return bytes;
}

/** Claims what the files of a folder hold, the last of them at least. */
async function restoreClaims(folder: string, claims: ProcessClaims): Promise<void> {
  const segments = await segmentsIn(folder);
  const first = segments.at(-Math.ceil(claimedBytesMax / (2 * readBytesMax))) ?? segments[0] ?? 0;
  for (let from = { segment: first, offset: 0 }; ; ) {
    const { records, until } = await readRecords(folder, { from, bytesMax: readBytesMax });
    for (const record of records) {
      try {
        const recorded = readEventRecord(record);
        if (recorded.kind === 'event') claims.keep(recorded.event.auctionId, claimsOf(recorded.event));
      } catch {
        // Whoever ships it says what is wrong with it.
      }
    }
    if (until.segment === from.segment && until.offset === from.offset) return;
    from = until;
  }
}

/** Parts that this process has: its own, and those that others have left behind. */
function createSlots(root: string, own: Slot, claims: ProcessClaims, onFailure: FaultLog) {
  const slots: Slot[] = [];
  /** Nobody writes into them any more. */
  const finished = new Set<string>();
  const add = async (slot: Slot) => {
    for (const folder of slot.writers()) {
      finished.add(folder);
      await restoreClaims(folder, claims);
    }
    slots.push(slot);
  };
  const takeLeft = async () => {
    try {
      for (const slot of takeAbandonedSlots(root)) await add(slot);
    } catch (error) {
      onFailure(error, 'records that other processes have left in the outbox cannot be read');
    }
  };
  return {
    async start() {
      await add(own);
      await takeLeft();
    },
    takeLeft,
    all: () => slots,
    folders: () => slots.flatMap((slot) => slot.writers()),
    sourceOf(folder: string): string {
      const owner = slots.find((slot) => folder.startsWith(join(slot.folder, '/')));
      return `${owner?.id}/${basename(folder)}`;
    },
    /** Deletes what is shipped and finished for long; to be called when everything there was is shipped. */
    async dropFinished(nowMs: number): Promise<void> {
      for (const folder of finished) {
        const last = (await segmentsIn(folder)).at(-1);
        const writtenMs = last === undefined ? 0 : (await stat(segmentPath(folder, last))).mtimeMs;
        if (nowMs - writtenMs < finishedKeptMs) continue;
        await rm(folder, { recursive: true, force: true });
        finished.delete(folder);
      }
    },
  };
}

/** What the first thread does for all: ships what the outbox holds, and notes up to when. */
async function startSending(options: KeptEventsOptions, root: string, slot: Slot, onFailure: FaultLog) {
  const { threadGroup, now } = options;
  const receiver = options.receiver(onFailure);
  const slots = createSlots(root, slot, threadGroup.claims, onFailure);
  await slots.start();
  let notedMs = 0;
  const note = async (untilMs: number, isDone: boolean) => {
    for (const { id, folder } of slots.all()) {
      const name = `${hostname()}:${resolve(folder)}`;
      await receiver.noteShipped({ process: id, name, untilMs, notedMs: now(), isDone });
    }
    notedMs = now();
  };
  const shipping = createShipping({
    receiver,
    folders: slots.folders,
    sourceOf: slots.sourceOf,
    onFailure,
    now,
    async onRound(beganMs) {
      if (now() - notedMs >= noteEveryMs) {
        await note(beganMs, false);
        await slots.dropFinished(now());
      }
    },
    wait: (ms, signal) => delay(ms, undefined, { signal }),
  });
  const timer = setInterval(slots.takeLeft, leftSlotsEveryMs).unref();
  shipping.start();
  return {
    shipping,
    setAside: receiver.setAside,
    async close() {
      clearInterval(timer);
      await shipping.close();
      const sent = shipping.shipAll().then(() => note(now(), true));
      // What is left waits on the disk for the next start.
      await Promise.race([sent.catch(() => undefined), delay(closeMs, undefined, { ref: false })]);
      for (const one of slots.all()) one.release();
    },
  };
}

type Sending = Awaited<ReturnType<typeof startSending>>;

function figuresOf(sending: Sending | undefined, unkept: number, now: () => number): Metric[] {
  const fallen = counter(
    'bourse_events_unkept_total',
    'Billable events that the outbox did not accept, so that they waited for the database or, on an edge, were refused',
    [{ labels: {}, value: unkept }],
  );
  if (!sending) return [fallen];
  const { shipping, setAside } = sending;
  const age = Math.max(0, now() - shipping.wholeUntilMs()) / 1000;
  return [
    fallen,
    gauge(
      'bourse_events_waiting_bytes',
      'Billable events that wait for the database; on an edge, everything that waits for its home',
      shipping.waitingBytes(),
    ),
    gauge('bourse_events_oldest_seconds', 'Maximum age of the oldest of them', age),
    counter(
      'bourse_events_set_aside_total',
      'Events whose values were not accepted; the log has each of them',
      [{ labels: {}, value: setAside() }],
    ),
    counter('bourse_events_lost_bytes_total', 'Bytes of the outbox that could not be read', [
      { labels: {}, value: shipping.lostBytes() },
    ]),
  ];
}

/** The part that this thread writes to; undefined where there is none. */
function partFor(
  { threadGroup, part, otherwise }: KeptEventsOptions,
  root: string,
  onFailure: FaultLog,
): Slot | OutboxPart | undefined {
  if (threadGroup.number > 0) return part;
  try {
    return takeFirstSlot(root);
  } catch (error) {
    onFailure(error, `the outbox ${root} (BOURSE_OUTBOX) cannot be used for billable events; ${otherwise}`);
    return undefined;
  }
}

/**
 * Keeps billable events of this thread on the node's own disk until the receiver has them, so that nobody waits for one
 * that is away, or far. Undefined where the outbox cannot be used.
 */
export async function keepEvents(options: KeptEventsOptions): Promise<KeptEvents | undefined> {
  const { config, threadGroup, logger, now, otherwise } = options;
  const onFailure = createFaultLog(logger, () => performance.now());
  const root = join(config.outboxFolder, `events-${options.folderName}`);
  const part = partFor(options, root, onFailure);
  if (!part) return undefined;
  const { folder, id } = part;
  const sending = 'writers' in part ? await startSending(options, root, part, onFailure) : undefined;
  let unkept = 0;
  const writer = createOutboxWriter({
    // A name of its own each time: what the store has taken of a folder is never told of another one.
    folder: join(folder, `thread-${threadGroup.number}-${randomUUID()}`),
    bytesMax: config.outboxMegabytes * bytesPerMegabyte,
    bytesNow: () => bytesOf(foldersIn(folder)),
  });
  return {
    part: { folder, id },
    outbox: {
      append: writer.append,
      claims: threadGroup.claims,
      onUnkept(error) {
        unkept += 1;
        onFailure(error, `the outbox accepts no billable events; ${otherwise}`);
      },
    },
    metrics: () => figuresOf(sending, unkept, now),
    async sendAll() {
      await sending?.shipping.shipAll();
    },
    async close() {
      await writer.close();
      await sending?.close();
    },
  };
}
