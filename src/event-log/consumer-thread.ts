import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { CommitNotice } from '../store/statistics/interface.ts';
import { restartWaitMs } from '../threads/threads.ts';
import type { ConsumerFigures, LogConsumer } from './consume-log.ts';

/** From the consumer's thread to the one that started it. */
export type ConsumerNews =
  | { readonly kind: 'figures'; readonly figures: ConsumerFigures }
  | { readonly kind: 'written'; readonly written: CommitNotice }
  | { readonly kind: 'log'; readonly level: 'warn' | 'error'; readonly about: object; readonly what: string }
  /** Answers a request. */
  | { readonly kind: 'received'; readonly id: number; readonly error?: unknown };

export type ConsumerRequest =
  | { readonly kind: 'receiveAll'; readonly id: number }
  | { readonly kind: 'close' };

export interface ConsumerThreadOptions {
  readonly entry: URL;
  /** Cloneable. */
  readonly data: object;
  readonly logger: Logger;
  readonly onWritten: (written: CommitNotice) => void;
  /** Called when the thread is gone. */
  readonly onGone: () => void;
  readonly now: () => number;
}

interface Running {
  readonly worker: Worker;
  readonly gone: Promise<void>;
}

/** `threadId` of a worker that has ended. */
const exitedId = -1;
const ended = () => new Error('the thread that writes statistics has ended');

/** `onIdle` is called where nothing that a thread was asked is left to answer. */
function createRequests(onIdle: (worker: Worker) => void) {
  const open = new Map<number, PromiseWithResolvers<void>>();
  let last = 0;
  return {
    /** Keeps the process alive until it is answered. */
    async ask(worker: Worker): Promise<void> {
      // It would never answer.
      if (worker.threadId === exitedId) throw ended();
      const done = Promise.withResolvers<void>();
      last += 1;
      open.set(last, done);
      worker.ref();
      worker.postMessage({ kind: 'receiveAll', id: last } satisfies ConsumerRequest);
      try {
        await done.promise;
      } finally {
        if (open.size === 0) onIdle(worker);
      }
    },
    answer({ id, error }: { readonly id: number; readonly error?: unknown }): void {
      if (error === undefined) open.get(id)?.resolve();
      else open.get(id)?.reject(error);
      open.delete(id);
    },
    fail(error: Error): void {
      for (const { reject } of open.values()) reject(error);
      open.clear();
    },
  };
}

/**
 * A consumer in a thread of its own, for which no auction waits. It is started again when it dies, as it does where the
 * database is away at its start. Resolves once it knows what was claimed, or has died.
 */
export async function startConsumerThread(options: ConsumerThreadOptions): Promise<LogConsumer> {
  const { entry, data, logger, onWritten, onGone, now } = options;
  let figures: ConsumerFigures = { waitingBytes: 0, wholeUntilMs: now(), setAside: 0, lostBytes: 0 };
  let isClosing = false;
  const requests = createRequests((worker) => {
    if (!isClosing) worker.unref();
  });
  const started = Promise.withResolvers<void>();
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  const run = (): Running => {
    const worker = new Worker(entry, { workerData: data, name: 'bourse-consumer' });
    const gone = Promise.withResolvers<void>();
    const receive = {
      figures: (news: { readonly figures: ConsumerFigures }) => {
        figures = news.figures;
        started.resolve();
        failures = 0;
      },
      written: (news: { readonly written: CommitNotice }) => onWritten(news.written),
      log: ({ level, about, what }: Extract<ConsumerNews, { kind: 'log' }>) => logger[level](about, what),
      received: requests.answer,
    };
    worker.on('message', (news: ConsumerNews) => receive[news.kind](news as never));
    worker.on('error', (error) => {
      logger.error({ err: error }, 'the thread that writes statistics failed');
    });
    worker.once('exit', () => {
      const error = ended();
      requests.fail(error);
      started.resolve();
      onGone();
      gone.resolve();
      if (!isClosing) startAgain();
    });
    // What serves keeps the process alive; a close waits for the thread. A listener that came later would undo it.
    worker.unref();
    return { worker, gone: gone.promise };
  };
  let running = run();
  const startAgain = () => {
    failures += 1;
    timer = setTimeout(() => {
      running = run();
    }, restartWaitMs(failures)).unref();
  };
  const { worker } = running;
  worker.ref();
  await started.promise;
  worker.unref();
  return {
    figures: () => figures,
    receiveAll: () => requests.ask(running.worker),
    async close() {
      isClosing = true;
      clearTimeout(timer);
      running.worker.ref();
      running.worker.postMessage({ kind: 'close' } satisfies ConsumerRequest);
      await running.gone;
    },
  };
}
