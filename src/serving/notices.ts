import type { Outbound } from '../exchange/demand/outbound.ts';
import type { NoticeBatch, PendingNotice, StatisticsStore } from '../store/statistics/interface.ts';
import { createTimedWork } from './timed-work.ts';

/** What sending notices works with. */
export interface NoticesOptions {
  readonly statistics: Pick<StatisticsStore, 'onWritten' | 'claimNotices' | 'updateNotices'>;
  readonly outbound: Pick<Outbound, 'notify'>;
  /** Whether this thread also sends what others have left. */
  readonly sendsForOthers: boolean;
  /** Milliseconds, by a clock that never goes back. */
  readonly steadyMs: () => number;
  readonly onFailure: (error: unknown, what: string) => void;
}

/** Tells bidders what became of their bids. */
export interface Notices {
  /** Notes what was sent; the rest is left to others. To be called once nothing is sent any more. */
  close(): Promise<void>;
}

const everyMs = 1_000;
const renewEveryMs = 20_000;
const claimEveryMs = 15_000;
const batchesPerClaimMax = 100;
const billingRetries = 5;

/** A batch that this thread sends. */
interface Batch {
  readonly left: Set<PendingNotice>;
  /** Those that were dropped, as too many were waiting: they are tried again when the lease is over. */
  readonly dropped: PendingNotice[];
}

/**
 * Sends the notices of events that have counted, as the store says: of one auction whoever counted first, and nobody
 * else. A batch stays in the store until all its notices were sent or given up, so that they outlive a process; then
 * some may come twice, with the same ID.
 */
export function startNotices({
  statistics,
  outbound,
  sendsForOthers,
  steadyMs,
  onFailure,
}: NoticesOptions): Notices {
  const batches = new Map<string, Batch>();
  let renewedMs = steadyMs();
  let claimedMs = Number.NEGATIVE_INFINITY;
  const send = ({ id, notices }: NoticeBatch) => {
    const batch: Batch = { left: new Set(notices), dropped: [] };
    batches.set(id, batch);
    for (const notice of notices) {
      outbound.notify(notice.url, {
        ...{ id: notice.id, retries: notice.kind === 'billing' ? billingRetries : 0 },
        onEnd(outcome) {
          batch.left.delete(notice);
          if (outcome === 'dropped') batch.dropped.push(notice);
        },
      });
    }
  };
  const noted = (isWanted: (batch: Batch) => boolean): NoticeBatch[] =>
    [...batches].flatMap(([id, batch]) =>
      isWanted(batch) ? [{ id, notices: [...batch.left, ...batch.dropped] }] : [],
    );
  /** Notes in the store which notices are left of batches that are at an end. */
  const settle = async () => {
    const ended = noted(({ left }) => left.size === 0);
    if (ended.length === 0) return;
    await statistics.updateNotices(ended);
    for (const { id } of ended) batches.delete(id);
  };
  const renew = async () => {
    if (steadyMs() - renewedMs < renewEveryMs) return;
    renewedMs = steadyMs();
    if (batches.size > 0) await statistics.updateNotices(noted(() => true));
  };
  const claim = async () => {
    if (!sendsForOthers || steadyMs() - claimedMs < claimEveryMs) return;
    const claimed = await statistics.claimNotices(batchesPerClaimMax);
    claimedMs = claimed.batches.length < batchesPerClaimMax ? steadyMs() : claimedMs;
    if (claimed.expired > 0) {
      onFailure(
        new Error(`${claimed.expired} notices`),
        'notices to bidders waited too long; they are given up',
      );
    }
    for (const batch of claimed.batches) if (!batches.has(batch.id)) send(batch);
  };
  const work = createTimedWork(everyMs, async () => {
    try {
      await settle();
      await renew();
      await claim();
    } catch (error) {
      onFailure(error, 'what was sent of notices to bidders could not be noted; some may be sent again');
    }
  });
  statistics.onWritten(({ notices }) => {
    if (notices) send(notices);
  });
  work.start();
  return {
    async close() {
      await work.close();
      if (batches.size === 0) return;
      try {
        const rest = noted(() => true);
        await statistics.updateNotices(rest, 0);
      } catch (error) {
        onFailure(error, 'what was sent of notices to bidders could not be noted; some will be sent again');
      }
    },
  };
}
