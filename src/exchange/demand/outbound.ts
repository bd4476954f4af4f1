import type { Refusal } from '../reasons.ts';
import type { OutboundAnswer, OutboundRequest } from './demand-kind.ts';

/** Calls demand partners. Never rejects: what went wrong is a refusal (`timed_out`, `unreachable`, …). */
export interface Outbound {
  /**
   * Sends a request and reads the answer, all within `deadlineMs`. `partner` is the demand object's kind and ID, as
   * `DspVastTag:7`: its circuit breaker.
   */
  call(partner: string, request: OutboundRequest, deadlineMs: number): Promise<OutboundAnswer | Refusal>;
  /** Sends a notice after the auction and forgets about it; with `retries` it is sent again after failures. */
  notify(url: string, retries?: number): void;
  /** Resolves when notices under way are sent or given up. */
  close(): Promise<void>;
}
