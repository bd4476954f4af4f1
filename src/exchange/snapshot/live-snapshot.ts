import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigurationFeed } from '../configuration.ts';
import { createAlarm } from './alarm.ts';
import type { Compile } from './compile.ts';
import { createFollower } from './follower.ts';
import { createServed } from './served.ts';
import type { Snapshot } from './snapshot.ts';

/** Where the exchange tells operators what it goes through. */
export interface ExchangeLog {
  warn(details: object, text: string): void;
  info(details: object, text: string): void;
}

/** What a live snapshot is made of. */
export interface LiveSnapshotOptions {
  readonly feed: ConfigurationFeed;
  readonly compile: Compile;
  readonly log: ExchangeLog;
}

/** The snapshot that is served now, a second behind the configuration at most while the database answers. */
export interface LiveSnapshot {
  current(): Snapshot;
  /** Milliseconds since it was last known to be what the configuration is. */
  ageMs(): number;
  /** Whether the revision is served by then: at once where it is, after `waitMs` where it is not. */
  untilServed(revision: number, waitMs: number): Promise<boolean>;
  /** Ends all waits and stops following; the last snapshot stays. Resolves when nothing asks the feed any more. */
  close(): Promise<void>;
}

/** Asks for changes so often even when nobody tells of any: a connection that listens can be dead for long. */
const askEveryMs = 1000;
const retryMs = 250;
/** After work, rests nine times as long: following takes a tenth of the thread at most, and waits no longer than this. */
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
 * Loads the whole configuration, and follows its changes from then on. Rejects when it cannot be loaded. While the
 * feed fails later, the last snapshot is served, and the feed is asked again and again.
 */
export async function createLiveSnapshot(options: LiveSnapshotOptions): Promise<LiveSnapshot> {
  const follower = createFollower(options.feed, options.compile);
  const alarm = createAlarm();
  // Before the load: what changes meanwhile must ring.
  const endNews = options.feed.onChange(alarm.ring);
  try {
    await follower.load();
  } catch (error) {
    endNews();
    throw error;
  }
  const revision = () => follower.current().revision;
  const served = createServed(revision);
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
    ageMs: () => performance.now() - agreedMs,
    untilServed: served.until,
    async close() {
      closing.abort();
      alarm.ring();
      endNews();
      served.close();
      await following;
    },
  };
}
