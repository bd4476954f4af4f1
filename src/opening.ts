import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { LimitAuthority } from './leases/authority.ts';
import { type AnalyticsConfig, type KeptSingly, keepSingly, type OutboxPart } from './serving/analytics.ts';
import { installationName } from './serving/installation-name.ts';
import { type KeptEvents, type KeptEventsConfig, keepEvents } from './serving/kept-events.ts';
import { type AuthorityConfig, openAuthority } from './serving/leasing/limit-authority.ts';
import {
  joinSharedCache,
  type SharedCacheConfig,
  type SharedCacheParts,
} from './serving/shared-cache/shared-cache.ts';
import { storeReceiver } from './serving/store-receiver.ts';
import type { ThreadGroup } from './serving/thread-group.ts';
import { openConfiguredStore } from './store/configured-store.ts';
import type { Store } from './store/interface.ts';
import { createPostgresAuthority } from './store/leases/postgres-authority.ts';

export type PartsConfig = AnalyticsConfig &
  KeptEventsConfig &
  SharedCacheConfig &
  AuthorityConfig &
  Pick<Config, 'databaseUrl'>;

export interface PartsOptions {
  readonly logger: Logger;
  readonly threadGroup: ThreadGroup;
  /** The first thread's part of the outbox, if any. */
  readonly outboxPart?: OutboxPart | undefined;
  /** Of the outbox of billable events. */
  readonly eventsPart?: OutboxPart | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Closing the store closes all but the authority. */
export interface Parts {
  readonly store: Store;
  /** What is on this machine's disk until others have it. */
  readonly kept: KeptSingly | undefined;
  readonly keptEvents: KeptEvents | undefined;
  readonly sharedCache: SharedCacheParts;
  readonly authority: LimitAuthority | undefined;
}

/** Closes what was opened if a step of a start fails. */
export async function closeOnFailure<T>(opened: Pick<Store, 'close'>, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Opens the store, the local outbox, and what servers share. Rejects for a wrong setting or without a database. */
export async function openParts(config: PartsConfig, options: PartsOptions): Promise<Parts> {
  const { threadGroup, logger, outboxPart, eventsPart, now } = options;
  const { writerLock, sharedCommits, threadsMax: threads } = threadGroup;
  const store = await openConfiguredStore(config.databaseUrl, { writerLock, sharedCommits, threads });
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
  const ofEvents = async () => ({
    ...common,
    part: eventsPart,
    folderName: await installationName(store, 'outbox'),
    receiver: storeReceiver({ store, now, facts: kept?.facts }),
    otherwise: 'they wait for the database',
  });
  const keptEvents = store.isOnServer ? await open(ofEvents().then(keepEvents)) : undefined;
  const sharedCache = await open(joinSharedCache(common));
  const byDatabase = () => createPostgresAuthority({ url: config.databaseUrl });
  const authority = await closeOnFailure({ close }, openAuthority({ ...common, byDatabase }));
  const statistics = { ...store.statistics, ...(kept && { analytics: kept.analytics }) };
  return { store: { ...store, statistics, close }, kept, keptEvents, sharedCache, authority };
}
