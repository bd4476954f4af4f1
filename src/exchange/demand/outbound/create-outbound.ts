import { type Refusal, refuse } from '../../reasons.ts';
import type { OutboundAnswer } from '../demand-kind.ts';
import type { Outbound } from '../outbound.ts';
import { createBidClient } from './bid-client/bid-client.ts';
import { type BreakerOptions, type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import { createFetcher } from './fetcher.ts';
import { type FetcherOptions, withDefaults } from './fetcher-options.ts';
import { createNoticeQueue, type NoticeQueueOptions } from './notice-queue.ts';
import { createFollowing } from './redirects.ts';

/** Defaults are in this file. */
export interface OutboundOptions extends FetcherOptions {
  /** From 0 to 1. */
  readonly random?: () => number;
  /** PEM, trusted instead of the system's certificates; for tests. */
  readonly ca?: string;
  readonly breaker?: Partial<Omit<BreakerOptions, 'now' | 'random'>>;
  readonly notices?: Partial<Omit<NoticeQueueOptions, 'send' | 'random'>> & { readonly deadlineMs?: number };
}

const standardBreaker = {
  windowMs: 10_000,
  failuresMin: 10,
  failureShare: 0.8,
  pauseMs: 1_000,
  pauseMaxMs: 60_000,
};

const standardNotices = {
  waitingMax: 10_000,
  waitingPerOriginMax: 2_000,
  concurrencyPerOrigin: 16,
  concurrency: 1_024,
  retryMs: 1_000,
  closeMs: 5_000,
  deadlineMs: 3_000,
};

/** The partner's failures rather than ours. */
const failures = new Set(['timed_out', 'unreachable', 'invalid_response', 'private_address']);

const isSuccess = (result: OutboundAnswer | Refusal) =>
  'reason' in result ? !failures.has(result.reason) : result.status < 500;

interface Partner {
  readonly breaker: CircuitBreaker;
  /** While paused, the reason. */
  failure: Refusal | undefined;
}

/** A private address keeps its own reason, so that operators see it. */
function refusePaused({ failure }: Partner): Refusal {
  if (failure?.reason === 'private_address') return failure;
  return refuse('paused_after_failures', { met: failure?.reason });
}

/** To be closed when the exchange ends. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { random = Math.random } = options;
  const whole = withDefaults(options);
  const { now } = whole;
  const { fetch, close } = createFetcher(whole);
  const bidClient = createBidClient(whole);
  const ask = createFollowing(bidClient.send, now);
  const partners = new Map<string, Partner>();
  const { deadlineMs: noticeMs, ...noticeOptions } = { ...standardNotices, ...options.notices };
  const notices = createNoticeQueue({
    send: ({ url, id }) =>
      fetch({ method: 'GET', url, headers: id === undefined ? {} : { 'idempotency-key': id } }, noticeMs),
    random,
    ...noticeOptions,
  });
  const partnerOf = (name: string): Partner => {
    const known = partners.get(name);
    if (known !== undefined) return known;
    const breaker = createCircuitBreaker({ now, random, ...standardBreaker, ...options.breaker });
    const partner = { breaker, failure: undefined };
    partners.set(name, partner);
    return partner;
  };

  return {
    call(name, request, deadlineMs, mayRepeat) {
      if (deadlineMs <= 0) return Promise.resolve(refuse('timed_out', { wanted: Math.round(deadlineMs) }));
      const partner = partnerOf(name);
      const ticket = partner.breaker.admit();
      if (ticket === undefined) return Promise.resolve(refusePaused(partner));
      // Not `async`: that would add promises to every call.
      return ask(request, deadlineMs, mayRepeat).then((result) => {
        const isGood = isSuccess(result);
        if (!isGood)
          partner.failure = 'reason' in result ? result : refuse('invalid_response', { met: result.status });
        partner.breaker.report(ticket, isGood);
        return result;
      });
    },
    notify: notices.push,
    notices: notices.counts,
    paused: () => partners.values().reduce((sum, { breaker }) => sum + Number(breaker.isPaused()), 0),
    pauseOf(name) {
      const partner = partners.get(name);
      const leftMs = partner?.breaker.pauseLeftMs();
      return partner && leftMs !== undefined ? { leftMs, failure: partner.failure } : undefined;
    },
    async close() {
      await notices.close();
      await Promise.all([close(), bidClient.close()]);
    },
  };
}
