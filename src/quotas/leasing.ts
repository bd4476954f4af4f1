import type { Logger } from 'pino';
import { gauge, type Metric } from '../exchange/metrics/metric.ts';
import { UnknownHolder } from '../leases/authority.ts';
import { createLeaseRounds, type LeaseRoundsOptions } from './lease-rounds.ts';

export interface LeasingOptions extends LeaseRoundsOptions {
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

/** Held by one thread for all of this process. */
export interface Leasing {
  /** Waits for a round that begins now, at most `waitMs`. */
  untilRoundEnds(waitMs: number): Promise<void>;
  metrics(): Metric[];
  /** Gives back what it holds. */
  close(): Promise<void>;
}

const tickMs = 100;
const turnEveryMs = 1000;
/** The longest wait when something is lacking. */
const soonMs = 250;
/** Thousands of limits a second are freed. */
const leaveMs = 8000;

/** One after the other; failures are logged. */
function repeatTurns(options: LeasingOptions) {
  const { steadyMs, logger } = options;
  const turns = createLeaseRounds(options);
  let isUp = true;
  let isWhole = true;
  let begunMs = Number.NEGATIVE_INFINITY;
  let tookMs = 0;
  let running: Promise<void> | undefined;
  const fail = (error: unknown) => {
    if (error instanceof UnknownHolder) {
      logger.warn(
        'this server was silent for so long that its shares of limits count as used; it starts with new ones',
      );
      begunMs = Number.NEGATIVE_INFINITY;
      return;
    }
    // One line in the log, however long it is away.
    if (isUp)
      logger.warn(
        { err: error },
        'limits cannot be shared out; this server uses up the shares it has, and then refuses limited objects',
      );
    isUp = false;
  };
  const notePart = (failure: unknown) => {
    const wasWhole = isWhole;
    isWhole = failure === undefined;
    if (wasWhole && !isWhole)
      logger.warn(
        { err: failure },
        'some limits cannot be shared out; this server uses up its shares of them',
      );
    if (!wasWhole && isWhole) logger.info('all limits are shared out again');
  };
  const runOnce = async () => {
    begunMs = steadyMs();
    try {
      notePart(await turns.run());
    } catch (error) {
      fail(error);
      return;
    }
    if (!isUp) logger.info('limits are shared out again');
    isUp = true;
    tookMs = steadyMs() - begunMs;
  };
  return {
    run() {
      running ??= runOnce().finally(() => {
        running = undefined;
      });
      return running;
    },
    running: () => running,
    sinceMs: () => steadyMs() - begunMs,
    isUp: () => isUp,
    tookMs: () => tookMs,
    isServed: turns.isServed,
    leave: turns.leave,
  };
}

/** Ends when `work` does, however it ends, or after `waitMs`. */
function atMost(waitMs: number, work: Promise<unknown>): Promise<unknown> {
  const late = Promise.withResolvers<void>();
  const timeout = setTimeout(late.resolve, waitMs);
  return Promise.race([work.catch(() => undefined), late.promise]).finally(() => clearTimeout(timeout));
}

/**
 * A round each second, sooner if something is lacking or the configuration changed. Resolves after the first; until one
 * succeeds, limited objects are refused.
 */
export async function startLeasing(options: LeasingOptions): Promise<Leasing> {
  const { authority, quotas, objects } = options;
  const turns = repeatTurns(options);
  await turns.run();
  const timer = setInterval(() => {
    if (turns.running() !== undefined) return;
    const sinceMs = turns.sinceMs();
    const isSoon = sinceMs >= soonMs && turns.isUp() && (!turns.isServed() || quotas.wasLacked());
    if (sinceMs >= turnEveryMs || isSoon) void turns.run();
  }, tickMs).unref();
  return {
    async untilRoundEnds(waitMs) {
      const next = async () => {
        await turns.running();
        await turns.run();
      };
      await atMost(waitMs, next());
    },
    metrics: () => [
      gauge(
        'bourse_limit_authority_up',
        'Whether limits are shared out among servers: 1, else 0',
        turns.isUp() ? 1 : 0,
      ),
      gauge(
        'bourse_limit_turn_seconds',
        'Duration of the last round in which limits were shared out',
        turns.tookMs() / 1000,
      ),
      gauge('bourse_limits_held', 'Limits of which this server holds a share', objects.size()),
    ],
    async close() {
      clearInterval(timer);
      await atMost(leaveMs, Promise.resolve(turns.running()).then(turns.leave));
      await authority.close();
    },
  };
}
