import { setTimeout as delay } from 'node:timers/promises';
import type { SupplyKind } from '../../entities/kinds.ts';
import { createTimedWork } from '../../shared/timed-work.ts';
import type { ConfigurationFeed } from '../configuration.ts';
import type { SnapshotCompiler } from './compile.ts';
import type { Draft } from './drafting.ts';
import { createFollower } from './follower.ts';
import { createServedRevision } from './served.ts';
import type { ThreadSharing } from './sharing.ts';
import type { Snapshot } from './snapshot.ts';
import type { Supply } from './supply.ts';

export interface ExchangeLog {
  warn(details: object, text: string): void;
  info(details: object, text: string): void;
}

export interface LiveSnapshotOptions {
  readonly feed: ConfigurationFeed;
  readonly compile: SnapshotCompiler;
  readonly log: ExchangeLog;
  /** Absent = no other threads. */
  readonly sharing?: ThreadSharing | undefined;
}

/** While the database answers, at most about a second behind the configuration. */
export interface LiveSnapshot {
  current(): Snapshot;
  /**
   * A supply object with unsaved values, its own or one demand object's; nobody else sees them. Undefined if unknown;
   * rejects if a list cannot be read.
   */
  drafted(kind: SupplyKind, id: number, draft: Draft): Promise<Supply | undefined>;
  /** Since it was last known to be up to date. */
  ageMs(): number;
  untilServed(revision: number, waitMs: number): Promise<boolean>;
  /** The last snapshot stays. Resolves when nothing reads the feed any more. */
  close(): Promise<void>;
}

/** Without news, ask this often: the connection that listens may be dead. */
const askEveryMs = 1000;
const retryMs = 250;
/** After each step, rests nine times as long, up to `restMsMax`, so that following takes a tenth of the thread. */
const restsPerWork = 9;
const restMsMax = 250;

/**
 * Loads the configuration (rejects if it cannot), then follows it. If the feed fails later, the last snapshot stays and
 * the feed is retried.
 */
export async function createLiveSnapshot(options: LiveSnapshotOptions): Promise<LiveSnapshot> {
  const follower = createFollower(options.feed, options.compile, options.sharing);
  const revision = () => follower.current().revision;
  const served = createServedRevision(revision);
  let agreedMs = performance.now();
  const catchUp = async (signal: AbortSignal) => {
    const beganMs = performance.now();
    try {
      await follower.catchUp();
      agreedMs = performance.now();
    } finally {
      served.tell();
      const restMs = Math.min(restMsMax, (performance.now() - beganMs) * restsPerWork);
      await delay(restMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const following = createTimedWork(askEveryMs, catchUp, {
    closeMsMax: Number.POSITIVE_INFINITY,
    retryMs: () => retryMs,
    onFailure(error, failures) {
      const text = 'changes of the configuration cannot be read; the present one stays in use';
      if (failures === 1) options.log.warn({ err: error, revision: revision() }, text);
    },
    onRecovery() {
      options.log.info({ revision: revision() }, 'changes of the configuration are read again');
    },
  });
  // Listens before it loads, so as not to miss changes during the load.
  const endNews = options.feed.onChange(following.wake);
  try {
    await follower.load();
  } catch (error) {
    endNews();
    throw error;
  }
  following.start(0);
  return {
    current: follower.current,
    drafted: follower.drafted,
    ageMs: () => performance.now() - agreedMs,
    untilServed: served.until,
    async close() {
      const ended = following.close();
      endNews();
      served.close();
      follower.close();
      await ended;
    },
  };
}
