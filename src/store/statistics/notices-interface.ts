import type { noticeKinds } from '../../reference/notice-kinds.ts';

/** Tells a bidder what became of its bid. */
export interface Notice {
  readonly kind: (typeof noticeKinds)[number];
  readonly url: string;
}

/** Its ID tells a receiver that it is a repeat. */
export interface PendingNotice extends Notice {
  readonly id: string;
}

/** They stay in the store until sent or given up. */
export interface NoticeBatch {
  readonly id: string;
  readonly notices: readonly PendingNotice[];
}

/** On a database that several processes share. */
export interface NoticeStore {
  /** Whose lease is over, for this caller alone for `noticeLeaseMs`. Deletes outdated ones and returns their number. */
  claimNotices(batchesMax: number): Promise<{ readonly batches: NoticeBatch[]; readonly expired: number }>;
  /** What is left, leased for `leaseMs` more. An empty batch ends. */
  updateNotices(batches: readonly NoticeBatch[], leaseMs?: number): Promise<void>;
}
