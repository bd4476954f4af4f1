import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { consumeLog } from './event-log/consume-log.ts';
import type { ConsumerNews, ConsumerRequest } from './event-log/consumer-thread.ts';
import type { LogPart } from './event-log/event-log.ts';
import { storeReceiver } from './event-log/store-receiver.ts';
import { createFaultLog } from './fault-log.ts';
import { joinAsConsumer, type ThreadGroupMemory } from './serving/thread-group.ts';
import { createTimedWork } from './shared/timed-work.ts';
import type { RetentionDays } from './statistics/forgetting.ts';
import { openConfiguredStore } from './store/configured-store.ts';

/** What the thread that writes statistics is given; cloneable. */
export interface ConsumerStart {
  readonly databaseUrl: string;
  readonly groupMemory: ThreadGroupMemory;
  readonly part: Omit<LogPart, 'onFailure'>;
  /** Who gets single events; absent if nobody wants them. */
  readonly leaveTo: string | undefined;
  readonly keptDays: RetentionDays | undefined;
  readonly lookMs: number | undefined;
}

const figuresEveryMs = 1000;

/** Consumes the log of this process into its database, until it is told to close. */
async function serve(start: ConsumerStart, port: MessagePort): Promise<void> {
  const tell = (news: ConsumerNews) => port.postMessage(news);
  const logTo = (level: 'warn' | 'error') => (about: unknown, what?: unknown) =>
    tell({ kind: 'log', level, about: about as object, what: String(what) });
  const onFailure = createFaultLog({ warn: logTo('warn'), error: logTo('error') }, () => performance.now());
  const group = joinAsConsumer(start.groupMemory);
  const store = await openConfiguredStore(start.databaseUrl, {
    writerLock: group.writerLock,
    sharedCommits: group.sharedCommits,
    threads: start.groupMemory.threadsMax,
    isMigrated: true,
  });
  const { statistics } = store;
  let isClosing = false;
  statistics.onWritten((written) => {
    const { notices } = written;
    // Nobody sends any more; other processes may at once.
    if (isClosing && notices) void statistics.updateNotices([notices], 0).catch(() => undefined);
    else tell({ kind: 'written', written });
  });
  const { root, own } = start.part;
  const consumer = await consumeLog({
    process: group.process,
    root,
    own,
    claims: group.claims,
    receiver: storeReceiver({
      store,
      now: Date.now,
      leaveTo: start.leaveTo,
      keptDays: start.keptDays,
      onFailure,
    }),
    onFailure,
    now: Date.now,
    lookMs: start.lookMs,
  });
  const tellFigures = () => tell({ kind: 'figures', figures: consumer.figures() });
  const telling = createTimedWork(figuresEveryMs, tellFigures);
  telling.start(0);
  const close = async () => {
    isClosing = true;
    await telling.close();
    await consumer.close();
    await store.close();
    group.channel.close();
    port.close();
  };
  port.on('message', (request: ConsumerRequest) => {
    if (request.kind === 'close') void close();
    else
      consumer.receiveAll().then(
        () => tell({ kind: 'received', id: request.id }),
        (error: unknown) => tell({ kind: 'received', id: request.id, error }),
      );
  });
}

if (parentPort) await serve(workerData as ConsumerStart, parentPort);
