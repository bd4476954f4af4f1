import type { Refusal } from '../../reasons.ts';
import type { OutboundAnswer } from '../demand-kind.ts';
import type { NoticeCounts, Outbound } from '../outbound.ts';
import { createLanes, type Notice } from './notice-lanes.ts';

export interface NoticeQueueOptions {
  readonly send: (notice: Pick<Notice, 'url' | 'id'>) => Promise<OutboundAnswer | Refusal>;
  readonly random: () => number;
  /** For all origins and for one. */
  readonly waitingMax: number;
  readonly waitingPerOriginMax: number;
  readonly concurrencyPerOrigin: number;
  readonly concurrency: number;
  /** Before the first retry; doubles each time. */
  readonly retryMs: number;
  readonly closeMs: number;
}

/** Each origin has its lane, so that a slow one delays no other. Notices with retries go first and displace others. */
export interface NoticeQueue {
  readonly push: Outbound['notify'];
  counts(): NoticeCounts;
  /** Sends each waiting notice once, retries included, then drops what is left after `closeMs`. */
  close(): Promise<void>;
}

const worthRetrying = new Set(['timed_out', 'unreachable', 'too_many_calls']);

function outcomeOf(result: OutboundAnswer | Refusal): 'sent' | 'failed' | 'again' {
  if ('reason' in result) return worthRetrying.has(result.reason) ? 'again' : 'failed';
  if (result.status < 400) return 'sent';
  return result.status >= 500 || result.status === 408 || result.status === 429 ? 'again' : 'failed';
}

type Counts = { -readonly [Name in keyof NoticeCounts]: number };

/** May drop an older notice. */
function makeRoom(
  lanes: ReturnType<typeof createLanes>,
  counts: Counts,
  origin: string,
  { waitingMax, waitingPerOriginMax }: NoticeQueueOptions,
): boolean {
  const isLaneFull = lanes.sizeOf(origin) >= waitingPerOriginMax;
  if (!isLaneFull && counts.waiting < waitingMax) return true;
  const dropped = lanes.dropOne(isLaneFull ? origin : undefined);
  if (!dropped) return false;
  counts.dropped += 1;
  counts.waiting -= 1;
  dropped.onEnd?.('dropped');
  return true;
}

export function createNoticeQueue(options: NoticeQueueOptions): NoticeQueue {
  const { send, random, closeMs } = options;
  const retryTimers = new Map<Notice, NodeJS.Timeout>();
  const counts: Counts = { sent: 0, failed: 0, dropped: 0, waiting: 0 };
  const closing = Promise.withResolvers<void>();
  let isClosed = false;
  let isAbandoned = false;

  const leave = (notice: Notice, as: 'sent' | 'failed') => {
    if (isAbandoned) return;
    counts[as] += 1;
    counts.waiting -= 1;
    lanes.leave(notice);
    notice.onEnd?.(as);
    if (isClosed && counts.waiting === 0) closing.resolve();
  };
  const queueAgain = (notice: Notice) => {
    clearTimeout(retryTimers.get(notice));
    retryTimers.delete(notice);
    lanes.add(notice);
  };
  const retryLater = (notice: Notice) => {
    const timer = setTimeout(() => queueAgain(notice), notice.retryMs * (1 + random() / 4)).unref();
    retryTimers.set(notice, timer);
    notice.retries -= 1;
    notice.retryMs *= 2;
  };
  const lanes = createLanes(options, async (notice) => {
    const outcome = outcomeOf(await send(notice));
    if (outcome !== 'again') leave(notice, outcome);
    else if (notice.retries > 0 && !isClosed) retryLater(notice);
    else leave(notice, 'failed');
  });
  return {
    push(url, { retries = 0, id, onEnd } = {}) {
      const origin = URL.parse(url)?.origin;
      if (origin === undefined || isClosed || !makeRoom(lanes, counts, origin, options)) {
        counts.dropped += 1;
        onEnd?.(origin === undefined ? 'failed' : 'dropped');
        return;
      }
      counts.waiting += 1;
      const rank = retries > 0 ? 'kept' : 'droppable';
      lanes.add({ url, id, onEnd, lane: lanes.enter(origin), rank, retries, retryMs: options.retryMs });
    },
    counts: () => ({ ...counts }),
    async close() {
      isClosed = true;
      for (const notice of [...retryTimers.keys()]) queueAgain(notice);
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
