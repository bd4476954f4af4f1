import type { Refusal } from '../reasons.ts';
import type { OutboundAnswer, OutboundRequest } from './demand-kind.ts';

export interface NoticeCounts {
  /** Answered with a status below 400. */
  readonly sent: number;
  /** Refused by the partner, or every retry failed. */
  readonly failed: number;
  /** Too many were waiting, or the exchange closed. */
  readonly dropped: number;
  /** Under way, or waiting for a turn or retry. */
  readonly waiting: number;
}

export interface NoticeHandling {
  /** Retries after failures; 0 by default. */
  readonly retries?: number;
  /** `Idempotency-Key`, so that a receiver can tell a repeat. */
  readonly id?: string;
  /** Called once. */
  readonly onEnd?: (outcome: 'sent' | 'failed' | 'dropped') => void;
}

/** Never rejects: failures are refusals (`timed_out`, `unreachable`, …). */
export interface Outbound {
  /**
   * Reads the answer within `deadlineMs`; GETs follow three redirects. `partner` (as `DspVastTag:7`) names its circuit
   * breaker. `mayRepeat`: whether to resend if a kept connection closed before any answer.
   */
  call(
    partner: string,
    request: OutboundRequest,
    deadlineMs: number,
    mayRepeat?: () => boolean,
  ): Promise<OutboundAnswer | Refusal>;
  /** In the background. */
  notify(url: string, how?: NoticeHandling): void;
  notices(): NoticeCounts;
  /** How many partners are paused or being probed now. */
  paused(): number;
  /** The rest of a partner's pause and its last failure; undefined if it is not paused. */
  pauseOf(partner: string): { readonly leftMs: number; readonly failure: Refusal | undefined } | undefined;
  close(): Promise<void>;
}
