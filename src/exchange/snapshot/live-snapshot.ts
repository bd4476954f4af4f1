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

/** Where the exchange logs what operators should know. */
export interface ExchangeLog {
  warn(details: object, text: string): void;
  info(details: object, text: string): void;
}

export interface LiveSnapshotOptions {
  readonly feed: ConfigurationFeed;
  readonly compile: SnapshotCompiler;
  readonly log: ExchangeLog;
  /** The other threads of the process; by default there are none. */
  readonly sharing?: ThreadSharing | undefined;
}

/**
 * The snapshot that is served now. While the database answers, it is at most about a second behind the configuration.
 */
export interface LiveSnapshot {
  current(): Snapshot;
  /**
   * A supply object as it would be with unsaved values, its own or those of one demand object; nothing else sees them.
   * Undefined where it is not known yet. Rejects when the text of a list cannot be read.
   */
  drafted(kind: SupplyKind, id: number, draft: Draft): Promise<Supply | undefined>;
  /** Milliseconds since the snapshot was last known to be up to date. */
  ageMs(): number;
  /** Waits until the revision is served: true as soon as it is, false if it is not within `waitMs`. */
  untilServed(revision: number, waitMs: number): Promise<boolean>;
  /** Ends all waits and stops following; the last snapshot stays. Resolves when nothing asks the feed any more. */
  close(): Promise<void>;
}

/**
 * How often to ask for changes without news of any: the connection that listens for news may have been dead for long.
 */
const askEveryMs = 1000;
const retryMs = 250;
/**
 * After each step, rests nine times as long as it took, but never longer than `restMsMax`. While steps are short,
 * following takes a tenth of the thread at most.
 */
const restsPerWork = 9;
const restMsMax = 250;
/** Tells the log once when something begins to fail, and once when it works again. */
function createTroubleLog(log: ExchangeLog) {
  let isTroubled = false;
  return {
    isTroubled: () => isTroubled,
    fails(error: unknown, revision: number): void {
      const text = 'the configuration cannot be followed; what is served stays as it is';
      if (!isTroubled) log.warn({ err: error, revision }, text);
      isTroubled = true;
    },
    works(revision: number): void {
      if (isTroubled) log.info({ revision }, 'the configuration is followed again');
      isTroubled = false;
    },
  };
}

/**
 * Loads the whole configuration, and follows its changes from then on. Rejects when it cannot be loaded. While the feed
 * fails later, the last snapshot is served, and the feed is asked again and again.
 */
export async function createLiveSnapshot(options: LiveSnapshotOptions): Promise<LiveSnapshot> {
  const follower = createFollower(options.feed, options.compile, options.sharing);
  const alarm = createAlarm();
  // Listens before it loads, so that changes during the load ring too.
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
