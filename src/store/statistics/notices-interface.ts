import type { noticeKinds } from '../../reference/notice-kinds.ts';

/** A call that tells a bidder what became of its bid. */
export interface Notice {
  readonly kind: (typeof noticeKinds)[number];
  /** With its macros filled in. */
  readonly url: string;
}

/** A notice with what tells it from all others: whoever gets it twice sees that by the ID. */
export interface PendingNotice extends Notice {
  readonly id: string;
}

/** Notices of events that were counted together. They stay in the store until they have been sent or given up. */
export interface NoticeBatch {
  readonly id: string;
  readonly notices: readonly PendingNotice[];
}

/** Notices that are to be sent, on a database that several processes share. */
export interface NoticeStore {
  /**
   * Takes batches of notices whose time is over, since whoever had them has died or is too slow: at most so many, for
   * this caller alone for `noticeLeaseMs`. Deletes those that are too old to be of use, and answers their number.
   */
  claimNotices(batchesMax: number): Promise<{ readonly batches: NoticeBatch[]; readonly expired: number }>;
  /** Notes which notices of batches are left: for `leaseMs` more they are nobody else's. Without any, a batch ends. */
  updateNotices(batches: readonly NoticeBatch[], leaseMs?: number): Promise<void>;
}
