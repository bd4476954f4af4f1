import type { Refusal } from '../../reasons.ts';
import type { OutboundAnswer } from '../demand-kind.ts';
import type { NoticeCounts } from '../outbound.ts';

export interface NoticeQueueOptions {
  /** Calls a URL; never rejects. */
  readonly send: (url: string) => Promise<OutboundAnswer | Refusal>;
  readonly random: () => number;
  /** Notices that may wait altogether, and for one origin. */
  readonly waitingMax: number;
  readonly waitingPerOriginMax: number;
  /** Notices under way to one origin at a time. */
  readonly concurrencyPerOrigin: number;
  /** Before the first retry; each further one waits twice as long. */
  readonly retryMs: number;
  /** How long closing waits for the rest. */
  readonly closeMs: number;
}

/** Sends notices behind the auctions' backs, each origin in its own lane, so that a slow one delays no other. */
export interface NoticeQueue {
  push(url: string, retries: number): void;
  counts(): NoticeCounts;
  /** Sends what waits, also what waits for a retry, once more, and gives up what is left after `closeMs`. */
  close(): Promise<void>;
}

interface Notice {
  readonly url: string;
  readonly lane: Lane;
  retries: number;
  retryMs: number;
}

interface Lane {
  readonly origin: string;
  readonly ready: Notice[];
  active: number;
  /** All of its notices, those that wait for a retry included. */
  size: number;
}

const worthRetrying = new Set(['timed_out', 'unreachable', 'too_many_calls']);

/** Whether a notice arrived, failed for good, or may be sent again. */
function outcomeOf(result: OutboundAnswer | Refusal): 'sent' | 'failed' | 'again' {
  if ('reason' in result) return worthRetrying.has(result.reason) ? 'again' : 'failed';
  if (result.status < 400) return 'sent';
  return result.status >= 500 || result.status === 408 || result.status === 429 ? 'again' : 'failed';
}

/** The lanes by origin; `run` sends a notice and says by its end that its place is free again. */
function createLanes(concurrency: number, run: (notice: Notice) => Promise<void>) {
  const lanes = new Map<string, Lane>();
  const occupy = async (notice: Notice) => {
    notice.lane.active += 1;
    await run(notice);
    notice.lane.active -= 1;
    pump(notice.lane);
  };
  const pump = (lane: Lane) => {
    while (lane.active < concurrency) {
      const notice = lane.ready.shift();
      if (notice === undefined) return;
      void occupy(notice);
    }
  };
  return {
    sizeOf: (origin: string) => lanes.get(origin)?.size ?? 0,
    /** The lane of an origin, one notice longer. */
    enter(origin: string): Lane {
      const lane = lanes.get(origin) ?? { origin, ready: [], active: 0, size: 0 };
      lanes.set(origin, lane);
      lane.size += 1;
      return lane;
    },
    add(notice: Notice) {
      notice.lane.ready.push(notice);
      pump(notice.lane);
    },
    leave({ lane }: Notice) {
      lane.size -= 1;
      if (lane.size === 0) lanes.delete(lane.origin);
    },
    clear() {
      for (const { ready } of lanes.values()) ready.length = 0;
    },
  };
}

/** An empty queue. */
export function createNoticeQueue(options: NoticeQueueOptions): NoticeQueue {
  const { send, random, waitingMax, waitingPerOriginMax, concurrencyPerOrigin, closeMs } = options;
  const asleep = new Map<Notice, NodeJS.Timeout>();
  const counts = { sent: 0, failed: 0, dropped: 0, waiting: 0 };
  const closing = Promise.withResolvers<void>();
  let isClosed = false;
  let isAbandoned = false;

  const leave = (notice: Notice, as: 'sent' | 'failed') => {
    if (isAbandoned) return;
    counts[as] += 1;
    counts.waiting -= 1;
    lanes.leave(notice);
    if (isClosed && counts.waiting === 0) closing.resolve();
  };
  const wake = (notice: Notice) => {
    clearTimeout(asleep.get(notice));
    asleep.delete(notice);
    lanes.add(notice);
  };
  const sleep = (notice: Notice) => {
    const timer = setTimeout(() => wake(notice), notice.retryMs * (1 + random() / 4)).unref();
    asleep.set(notice, timer);
    notice.retries -= 1;
    notice.retryMs *= 2;
  };
  const lanes = createLanes(concurrencyPerOrigin, async (notice) => {
    const outcome = outcomeOf(await send(notice.url));
    if (outcome !== 'again') leave(notice, outcome);
    else if (notice.retries > 0 && !isClosed) sleep(notice);
    else leave(notice, 'failed');
  });
  const mayEnter = (origin: string) =>
    !isClosed && counts.waiting < waitingMax && lanes.sizeOf(origin) < waitingPerOriginMax;

  return {
    push(url, retries) {
      const origin = URL.parse(url)?.origin;
      if (origin === undefined || !mayEnter(origin)) {
        counts.dropped += 1;
        return;
      }
      counts.waiting += 1;
      lanes.add({ url, lane: lanes.enter(origin), retries, retryMs: options.retryMs });
    },
    counts: () => ({ ...counts }),
    async close() {
      isClosed = true;
      for (const notice of [...asleep.keys()]) wake(notice);
      if (counts.waiting === 0) closing.resolve();
      const timer = setTimeout(closing.resolve, closeMs);
      await closing.promise;
      clearTimeout(timer);
      isAbandoned = true;
      lanes.clear();
      counts.dropped += counts.waiting;
      counts.waiting = 0;
    },
  };
}
