import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createTimedWork, growingMs } from '../shared/timed-work.ts';
import type { Receiver } from './receiver.ts';
import {
  bytesIn,
  dropBefore,
  firstPlace,
  type Loss,
  type Place,
  readRecords,
  replaceFile,
  segmentPath,
  segmentsIn,
} from './segments.ts';

/** Large deliveries make few parts of a table, but must fit into memory twice. */
const deliveryBytesMax = 8 * 1024 * 1024;
const defaultWaitMs = 1000;
const waitMsMax = 60_000;

/** A receiver's place in a folder, and the end of the delivery under way. */
interface Progress {
  readonly from: Place;
  /** Set before sending, so that a repeated delivery has the same records. */
  readonly until?: Place;
}

export interface ShippingOptions {
  readonly receiver: Receiver;
  /** Folders of rows, oldest included, and their deliveries' key prefixes. */
  readonly folders: () => readonly string[];
  readonly sourceOf: (folder: string) => string;
  /** Called for each failed delivery, and each file whose rest cannot be read. */
  readonly onFailure: (error: unknown, what: string) => void;
  /** Called when all that was there has been sent. Rejects like a delivery. */
  readonly onRound?: (beganMs: number) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From one round to the next; a second by default. */
  readonly waitMs?: number | undefined;
}

export interface Shipping {
  /** Runs until closed. */
  start(): void;
  /** Ends the wait for the next round, but not after a failure. */
  wake(): void;
  /** Sends all that is there once; rejects with the first failure. */
  shipAll(): Promise<void>;
  /** Bytes not taken yet, as last measured. */
  waitingBytes(): number;
  /** Everything written before has been taken; milliseconds since 1970. */
  wholeUntilMs(): number;
  lostBytes(): number;
  close(): Promise<void>;
}

const progressFile = ({ name }: Receiver) => `${name}.place`;

async function progressIn(folder: string, receiver: Receiver): Promise<Progress> {
  const text = await readFile(join(folder, progressFile(receiver)), 'utf8').catch(() => undefined);
  return text === undefined ? { from: firstPlace } : JSON.parse(text);
}

const textOf = ({ segment, offset }: Place) => `${segment}:${offset}`;

/** False if there was none. */
async function shipNext(
  folder: string,
  { receiver, sourceOf }: ShippingOptions,
  lose: (loss: Loss) => void,
): Promise<boolean> {
  const progress = await progressIn(folder, receiver);
  const { from } = progress;
  const { records, places, until, losses } = await readRecords(folder, {
    ...progress,
    bytesMax: progress.until ? Number.POSITIVE_INFINITY : (receiver.bytesMax ?? deliveryBytesMax),
  });
  if (until.segment === from.segment && until.offset === from.offset) return false;
  const isRepeated = progress.until !== undefined;
  const save = (fresh: Progress) => replaceFile(folder, progressFile(receiver), JSON.stringify(fresh));
  if (records.length > 0) {
    if (!isRepeated) await save({ from, until });
    const source = sourceOf(folder);
    await receiver.receive({
      key: `${source}/${textOf(from)}-${textOf(until)}`,
      source,
      records,
      places,
      isRepeated,
    });
  }
  await save({ from: until });
  losses.forEach(lose);
  await dropBefore(folder, until);
  return true;
}

/** When the oldest file not fully taken was begun; now if there is none. */
async function oldestMs(folders: readonly string[], { receiver, now }: ShippingOptions): Promise<number> {
  let oldest = now();
  for (const folder of folders) {
    const { from } = await progressIn(folder, receiver);
    for (const segment of await segmentsIn(folder)) {
      if (segment < from.segment) continue;
      const { birthtimeMs, size } = await stat(segmentPath(folder, segment));
      if (segment > from.segment || size > from.offset) oldest = Math.min(oldest, birthtimeMs);
    }
  }
  return oldest;
}

async function bytesFor(receiver: Receiver, folders: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const folder of folders) {
    const { from } = await progressIn(folder, receiver);
    bytes += Math.max(0, (await bytesIn(folder, from.segment)) - from.offset);
  }
  return bytes;
}

/** With the part of the outbox that it is in. */
export const nameOfFolder = (folder: string): string => `${basename(dirname(folder))}/${basename(folder)}`;

/** At once while there is something, else after `waitMs`; after failures it waits longer and longer. */
export function createShipping(options: ShippingOptions): Shipping {
  const { receiver, folders, onFailure, onRound, now, waitMs = defaultWaitMs } = options;
  let waiting = 0;
  let lost = 0;
  let wholeUntilMs = now();
  let turn = Promise.resolve();
  const shipFolders = async (isHeld: () => boolean) => {
    const beganMs = now();
    for (const folder of folders()) {
      for (let isMore = true; isMore && !isHeld(); ) {
        isMore = await shipNext(folder, options, ({ path, from, bytes }) => {
          lost += bytes;
          onFailure(
            new Error(`${path} cannot be read from byte ${from} on`),
            `${bytes} bytes of the outbox are skipped: damage, or what a killed process did not finish`,
          );
        });
      }
    }
    if (isHeld()) return;
    wholeUntilMs = beganMs;
    await onRound?.(beganMs);
  };
  const shipAll = (isHeld: () => boolean): Promise<void> => {
    const shipped = turn.then(() => shipFolders(isHeld));
    turn = shipped.catch(() => undefined);
    return shipped;
  };
  const measure = async () => {
    waiting = await bytesFor(receiver, folders());
  };
  const work = createTimedWork(
    waitMs,
    (signal) =>
      shipAll(() => signal.aborted).finally(() =>
        measure().catch((error: unknown) => onFailure(error, 'the outbox could not be measured')),
      ),
    {
      closeMsMax: Number.POSITIVE_INFINITY,
      retryMs: growingMs(defaultWaitMs, waitMsMax),
      onFailure: (error) =>
        onFailure(error, `${receiver.name} does not accept the counts; they wait in the outbox`),
    },
  );
  return {
    async start() {
      wholeUntilMs = await oldestMs(folders(), options).catch(now);
      work.start(0);
    },
    wake: work.wake,
    shipAll: () => shipAll(() => false),
    waitingBytes: () => waiting,
    wholeUntilMs: () => wholeUntilMs,
    lostBytes: () => lost,
    close: work.close,
  };
}
