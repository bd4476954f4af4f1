import type { Logger } from 'pino';
import { type AnalyticsConfig, type KeptSingly, keepSingly } from './analytics/keep-singly.ts';
import type { Config } from './config.ts';
import type { ConsumerStart } from './consumer-thread.ts';
import { consumeLog } from './event-log/consume-log.ts';
import { startConsumerThread } from './event-log/consumer-thread.ts';
import {
  type EventLog,
  type EventLogConfig,
  type EventLogOptions,
  openEventLog,
} from './event-log/event-log.ts';
import { storeReceiver } from './event-log/store-receiver.ts';
import type { LimitAuthority } from './leases/authority.ts';
import type { OutboxPart } from './outbox/slots.ts';
import { joinSharedCache, type SharedCacheConfig, type SharedCacheParts } from './serving/shared-cache.ts';
import type { ThreadGroup } from './serving/thread-group.ts';
import type { RetentionDays } from './statistics/forgetting.ts';
import { openConfiguredStore } from './store/configured-store.ts';
import { installationName } from './store/installation-name.ts';
import type { Store } from './store/interface.ts';
import { createPostgresAuthority } from './store/leases/postgres-authority.ts';
import type { CommitNotice } from './store/statistics/interface.ts';

export type PartsConfig = AnalyticsConfig & EventLogConfig & SharedCacheConfig & Pick<Config, 'databaseUrl'>;

export interface PartsOptions {
  readonly logger: Logger;
  readonly threadGroup: ThreadGroup;
  /** The first thread's part of the outbox of single auctions, if any. */
  readonly outboxPart?: OutboxPart | undefined;
  /** The first thread's part of the log. */
  readonly logPart?: OutboxPart | undefined;
  /** `standardKeptDays` by default. */
  readonly keptDays?: RetentionDays | undefined;
  /** How long counts add up in memory; a second by default. */
  readonly flushMs?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether `now` is not this machine's clock; then nothing runs in threads, which have another. */
  readonly isClockGiven?: boolean;
}

/** Closing the store closes all but the authority. */
export interface Parts {
  readonly store: Store;
  /** What is on this machine's disk until others have it. */
  readonly kept: KeptSingly | undefined;
  readonly log: EventLog;
  readonly sharedCache: SharedCacheParts;
  readonly authority: LimitAuthority | undefined;
}

/** Whether other processes may use the same limits. */
export const areLimitsShared = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): boolean =>
  databaseUrl.startsWith('postgres');

/** Closes what was opened if a step of a start fails. */
export async function closeOnFailure<T>(opened: Pick<Store, 'close'>, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** What this thread has written, and the one that writes statistics. */
function createCommitNews(statistics: Store['statistics']) {
  const listeners: ((written: CommitNotice) => void)[] = [];
  return {
    tell(written: CommitNotice) {
      for (const listener of listeners) listener(written);
    },
    onWritten(listener: (written: CommitNotice) => void) {
      listeners.push(listener);
      statistics.onWritten(listener);
    },
  };
}

/** Built or source. */
const consumerEntry = new URL(
  `./consumer-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);
/** From one look at the log to the next; figures are two seconds old at most. */
const lookMsMax = 500;

interface ConsumingOptions extends PartsOptions, Pick<ConsumerStart, 'leaveTo'> {
  readonly config: PartsConfig;
  readonly store: Store;
  readonly onWritten: (written: CommitNotice) => void;
}

/** In a thread of its own, if that has the same clock. */
function consumeBeside(options: ConsumingOptions): EventLogOptions['consume'] {
  const {
    config,
    store,
    threadGroup,
    keptDays,
    flushMs = lookMsMax,
    leaveTo,
    logger,
    onWritten,
    now,
  } = options;
  const { memory: groupMemory, threadsMax, process, claims } = threadGroup;
  const lookMs = Math.min(lookMsMax, flushMs);
  const onGone = () => threadGroup.release(threadsMax);
  return ({ root, own, onFailure }) => {
    if (options.isClockGiven) {
      const receiver = storeReceiver({ store, now, leaveTo, keptDays, onFailure });
      return consumeLog({ process, root, own, claims, receiver, onFailure, now, lookMs });
    }
    const { databaseUrl } = config;
    const data: ConsumerStart = { databaseUrl, groupMemory, part: { root, own }, leaveTo, keptDays, lookMs };
    return startConsumerThread({ entry: consumerEntry, data, logger, onWritten, onGone, now });
  };
}

/** Opens the store, the log of this machine, and what servers share. Rejects for a wrong setting or without a database. */
export async function openParts(config: PartsConfig, options: PartsOptions): Promise<Parts> {
  const { threadGroup, logger, outboxPart, logPart, now } = options;
  const { writerLock, sharedCommits, threadsMax: threads } = threadGroup;
  const leavesCheckpoints = options.isClockGiven !== true;
  const isMigrated = threadGroup.number > 0;
  const serving = { writerLock, sharedCommits, threads, leavesCheckpoints, isMigrated };
  const store = await openConfiguredStore(config.databaseUrl, serving);
  const opened = [store.close];
  // Last opened, first closed: closing may write to what was opened before.
  const close = async () => {
    for (const closeOne of opened.toReversed()) await closeOne();
  };
  const open = async <T extends Pick<Store, 'close'> | undefined>(step: Promise<T>): Promise<T> => {
    const part = await closeOnFailure({ close }, step);
    if (part) opened.push(() => part.close());
    return part;
  };
  const common = { config, store, threadGroup, logger, now };
  const kept = await open(keepSingly({ ...common, part: outboxPart }));
  const written = createCommitNews(store.statistics);
  const folderName = await closeOnFailure({ close }, installationName(store, 'outbox'));
  const consume = consumeBeside({
    config,
    ...options,
    store,
    leaveTo: kept?.part.id,
    onWritten: written.tell,
  });
  // Where processes share limits out, these do not hang on what this one has counted.
  const waitsForEvents = !store.isOnServer;
  const log = await open(openEventLog({ ...common, part: logPart, folderName, consume, waitsForEvents }));
  const sharedCache = await open(joinSharedCache(common));
  const holdsShares = threadGroup.number === 0 && !threadGroup.quotas.isAlone;
  const authority = holdsShares ? createPostgresAuthority({ url: config.databaseUrl }) : undefined;
  const { onWritten } = written;
  const statistics = { ...store.statistics, onWritten, ...(kept && { analytics: kept.analytics }) };
  return { store: { ...store, statistics, close }, kept, log, sharedCache, authority };
}
