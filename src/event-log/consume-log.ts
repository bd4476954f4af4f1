import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultLog } from '../fault-log.ts';
import type { Receiver } from '../outbox/receiver.ts';
import { createShipping } from '../outbox/shipping.ts';
import { createTimedWork } from '../shared/timed-work.ts';
import type { ShippedProcess } from '../store/statistics/interface.ts';
import { createLogParts, type LogPartsOptions } from './log-parts.ts';

export interface EventReceiver extends Receiver {
  noteShipped(process: ShippedProcess): Promise<void>;
  /** How many records were refused for their values. */
  setAside(): number;
  /** Called about once a second, when all that there was has been received. */
  readonly onRound?: () => Promise<void>;
}

/** What operators see of it. */
export interface ConsumerFigures {
  readonly waitingBytes: number;
  /** All that was written before has been received; milliseconds since 1970. */
  readonly wholeUntilMs: number;
  readonly setAside: number;
  readonly lostBytes: number;
}

/** Takes records out of the log of a process, and those that dead processes have left. */
export interface LogConsumer {
  /** As of a moment ago. */
  figures(): ConsumerFigures;
  /** Resolves once the receiver has all that was written until now; rejects if it refuses. */
  receiveAll(): Promise<void>;
  /** To be called when nothing is written any more: receives what is left, if it can be received within seconds. */
  close(): Promise<void>;
}

export interface ConsumeLogOptions extends LogPartsOptions {
  readonly receiver: EventReceiver;
  readonly onFailure: FaultLog;
  readonly now: () => number;
  /** From one look at the log to the next. */
  readonly lookMs?: number | undefined;
}

const leftPartsEveryMs = 60_000;
const noteEveryMs = 10_000;
const closeMs = 5000;

/** In this thread. Resolves once all that was claimed is known. */
export async function consumeLog(options: ConsumeLogOptions): Promise<LogConsumer> {
  const { receiver, onFailure, now, lookMs } = options;
  const parts = createLogParts(options);
  await parts.start();
  let notedMs = 0;
  const note = async (untilMs: number, isDone: boolean) => {
    for (const { id, folder } of parts.all()) {
      const name = `${hostname()}:${resolve(folder)}`;
      await receiver.noteShipped({ process: id, name, untilMs, notedMs: now(), isDone });
    }
    notedMs = now();
  };
  const shipping = createShipping({
    receiver,
    folders: parts.folders,
    sourceOf: parts.sourceOf,
    onFailure,
    now,
    waitMs: lookMs,
    async onRound(beganMs) {
      await receiver.onRound?.();
      if (now() - notedMs < noteEveryMs) return;
      await note(beganMs, false);
      await parts.dropFinished(now());
    },
  });
  const taking = createTimedWork(leftPartsEveryMs, parts.takeLeft);
  taking.start();
  shipping.start();
  return {
    figures: () => ({
      waitingBytes: shipping.waitingBytes(),
      wholeUntilMs: shipping.wholeUntilMs(),
      setAside: receiver.setAside(),
      lostBytes: shipping.lostBytes(),
    }),
    receiveAll: shipping.shipAll,
    async close() {
      await Promise.all([taking.close(), shipping.close()]);
      const received = shipping.shipAll().then(() => note(now(), true));
      // What is left waits on the disk for the next start.
      await Promise.race([received.catch(() => undefined), delay(closeMs, undefined, { ref: false })]);
      parts.release();
    },
  };
}
