import type { Outbound } from './exchange/demand/outbound.ts';
import { createTimedWork } from './shared/timed-work.ts';
import type { NoticeBatch, PendingNotice, StatisticsStore } from './store/statistics/interface.ts';

export interface NoticesOptions {
  readonly statistics: Pick<StatisticsStore, 'onWritten' | 'claimNotices' | 'updateNotices'>;
  readonly outbound: Pick<Outbound, 'notify'>;
  /** Whether it also sends what others have left. */
  readonly sendsForOthers: boolean;
  /** Never goes back. */
  readonly steadyMs: () => number;
  readonly onFailure: (error: unknown, what: string) => void;
}

export interface Notices {
  /** Leaves the rest to others. To be called once nothing is sent any more. */
  close(): Promise<void>;
}

const everyMs = 1_000;
const renewEveryMs = 20_000;
const claimEveryMs = 15_000;
const batchesPerClaimMax = 100;
const billingRetries = 5;

interface Batch {
  readonly unsent: Set<PendingNotice>;
  /** Too many were waiting: tried again when the lease is over. */
  readonly dropped: PendingNotice[];
}

function createBatches({ notify }: NoticesOptions['outbound']) {
  const batches = new Map<string, Batch>();
  return {
    /** Unless it is being sent. */
    send({ id, notices }: NoticeBatch): void {
      if (batches.has(id)) return;
      const batch: Batch = { unsent: new Set(notices), dropped: [] };
      batches.set(id, batch);
      for (const notice of notices) {
        notify(notice.url, {
          id: notice.id,
          retries: notice.kind === 'billing' ? billingRetries : 0,
          onEnd(outcome) {
            batch.unsent.delete(notice);
            if (outcome === 'dropped') batch.dropped.push(notice);
          },
        });
      }
    },
    /** All batches, or those with nothing under way, with the notices left. */
    left: (isEnded = false): NoticeBatch[] =>
      [...batches]
        .filter(([, { unsent }]) => !isEnded || unsent.size === 0)
        .map(([id, { unsent, dropped }]) => ({ id, notices: [...unsent, ...dropped] })),
    forget(ended: readonly NoticeBatch[]): void {
      for (const { id } of ended) batches.delete(id);
    },
  };
}

/**
 * Sends notices of events that counted first. A batch stays in the store until all are sent or given up, so they
 * survive the process; some may then come twice, with the same ID.
 */
export function startNotices(options: NoticesOptions): Notices {
  const { statistics, outbound, sendsForOthers, steadyMs, onFailure } = options;
  const batches = createBatches(outbound);
  let renewedMs = steadyMs();
  let claimedMs = Number.NEGATIVE_INFINITY;
  const settle = async () => {
    const ended = batches.left(true);
    if (ended.length > 0) await statistics.updateNotices(ended);
    batches.forget(ended);
  };
  const renew = async () => {
    if (steadyMs() - renewedMs < renewEveryMs) return;
    renewedMs = steadyMs();
    const left = batches.left();
    if (left.length > 0) await statistics.updateNotices(left);
  };
  const claim = async () => {
    if (!sendsForOthers || steadyMs() - claimedMs < claimEveryMs) return;
    const { batches: claimed, expired } = await statistics.claimNotices(batchesPerClaimMax);
    if (claimed.length < batchesPerClaimMax) claimedMs = steadyMs();
    if (expired > 0) onFailure(new Error(`${expired} notices waited too long`), 'bidders were not notified');
    for (const batch of claimed) batches.send(batch);
  };
  const work = createTimedWork(
    everyMs,
    async () => {
      await settle();
      await renew();
      await claim();
    },
    {
      onFailure: (error) =>
        onFailure(error, 'it could not be recorded which notices were sent; some may be sent again'),
    },
  );
  statistics.onWritten(({ notices }) => {
    if (notices) batches.send(notices);
  });
  work.start();
  return {
    async close() {
      await work.close();
      const left = batches.left();
      if (left.length === 0) return;
      await statistics
        .updateNotices(left, 0)
        .catch((error) =>
          onFailure(error, 'it could not be recorded which notices were sent; some will be sent again'),
        );
    },
  };
}
