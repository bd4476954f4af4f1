import { setTimeout as delay } from 'node:timers/promises';
import type { SupplyKind } from '../../entities/kinds.ts';
import type { ConfigurationFeed } from '../configuration.ts';
import { createAlarm } from './alarm.ts';
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
/** Logs once when something begins to fail, and once when it works again. */
function createTroubleLog(log: ExchangeLog) {
  let isTroubled = false;
  return {
    isTroubled: () => isTroubled,
    fails(error: unknown, revision: number): void {
      const text = 'changes of the configuration cannot be read; the present one stays in use';
      if (!isTroubled) log.warn({ err: error, revision }, text);
      isTroubled = true;
    },
    works(revision: number): void {
      if (isTroubled) log.info({ revision }, 'changes of the configuration are read again');
      isTroubled = false;
    },
  };
}

/**
 * Loads the configuration (rejects if it cannot), then follows it. If the feed fails later, the last snapshot stays and
 * the feed is retried.
 */
export async function createLiveSnapshot(options: LiveSnapshotOptions): Promise<LiveSnapshot> {
  const follower = createFollower(options.feed, options.compile, options.sharing);
  const alarm = createAlarm();
  // Listens before it loads, so as not to miss changes during the load.
  const endNews = options.feed.onChange(alarm.ring);
  try {
    await follower.load();
  } catch (error) {
    endNews();
    throw error;
  }
  const revision = () => follower.current().revision;
  const served = createServedRevision(revision);
  const trouble = createTroubleLog(options.log);
  const closing = new AbortController();
  let agreedMs = performance.now();

  const step = async () => {
    try {
      await follower.catchUp();
      agreedMs = performance.now();
      trouble.works(revision());
    } catch (error) {
      trouble.fails(error, revision());
    }
    served.tell();
  };
  const follow = async () => {
    while (!closing.signal.aborted) {
      const beganMs = performance.now();
      await step();
      const restMs = Math.min(restMsMax, (performance.now() - beganMs) * restsPerWork);
      await delay(restMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      if (!closing.signal.aborted) await alarm.sleep(trouble.isTroubled() ? retryMs : askEveryMs);
    }
  };
  const following = follow();
  return {
    current: follower.current,
    drafted: follower.drafted,
    ageMs: () => performance.now() - agreedMs,
    untilServed: served.until,
    async close() {
      closing.abort();
      alarm.ring();
      endNews();
      served.close();
      follower.close();
      await following;
    },
  };
}
