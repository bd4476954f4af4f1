import type { Refusal } from '../reasons.ts';
import type { OutboundAnswer, OutboundRequest } from './demand-kind.ts';

/** What became of notices since the start. */
export interface NoticeCounts {
  /** Answered with a status below 400. */
  readonly sent: number;
  /** Given up: refused by the partner, or every retry failed. */
  readonly failed: number;
  /** Never sent, as too many were waiting or the exchange closed. */
  readonly dropped: number;
  /** Under way, waiting for their turn or for a retry. */
  readonly waiting: number;
}

export interface NoticeHandling {
  /** How often it is sent again after failures; 0 by default. */
  readonly retries?: number;
  /** Sent as `Idempotency-Key`, so that who gets it twice knows. */
  readonly id?: string;
  /** Called once, with what has become of it; see `NoticeCounts`. */
  readonly onEnd?: (outcome: 'sent' | 'failed' | 'dropped') => void;
}

/** Calls demand partners. Never rejects: what went wrong is a refusal (`timed_out`, `unreachable`, …). */
export interface Outbound {
  /**
   * Sends a request and reads the answer, all within `deadlineMs`. `partner` is the demand object's kind and ID, as
   * `DspVastTag:7`: its circuit breaker. A GET follows three redirects. Where the partner closed a kept connection
   * before it answered anything, the request is sent once more if `mayRepeat` says so.
   */
  call(
    partner: string,
    request: OutboundRequest,
    deadlineMs: number,
    mayRepeat?: () => boolean,
  ): Promise<OutboundAnswer | Refusal>;
  /** Sends a notice after the auction, in the background. */
  notify(url: string, how?: NoticeHandling): void;
  /** Notices so far. */
  notices(): NoticeCounts;
  /** How many partners are paused now, or are being probed after a pause. A pause that is over does not count. */
  paused(): number;
  /** How long a partner is paused from now on, in milliseconds, and its last failure; undefined where it is asked. */
  pauseOf(partner: string): { readonly leftMs: number; readonly failure: Refusal | undefined } | undefined;
  /** Resolves when notices under way are sent or given up. */
  close(): Promise<void>;
}
