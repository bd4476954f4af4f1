import type { Logger } from 'pino';
import { type Figure, gauge } from '../../exchange/figures/figure.ts';
import { UnknownHolder } from '../../leases/authority.ts';
import { createTurns, type TurnOptions } from './turns.ts';

/** What sharing out limits among processes works with. */
export interface LeasingOptions extends TurnOptions {
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

/** The shares of limits of this process, which one of its threads holds for all. */
export interface Leasing {
  /** Waits until a turn that begins now has ended, or so many milliseconds. */
  untilTurned(waitMs: number): Promise<void>;
  /** For operators. */
  figures(): Figure[];
  /** Gives back what it holds. */
  close(): Promise<void>;
}

const tickMs = 100;
const turnEveryMs = 1000;
/** What lacks waits for so long at most. */
const soonMs = 250;
const leaveMs = 3000;

/**
 * Shares out limits: joins, and takes a turn each second; soon where something is lacking, or the configuration has
 * changed. Resolves after the first turn; where that fails, limited objects are refused until one succeeds.
 */
export async function startLeasing(options: LeasingOptions): Promise<Leasing> {
  const { authority, shares, steadyMs, logger, objects } = options;
  const turns = createTurns(options);
  let isUp = true;
  let isClosed = false;
  let begunMs = Number.NEGATIVE_INFINITY;
  let tookMs = 0;
  let running: Promise<void> | undefined;
  const runOnce = async () => {
    begunMs = steadyMs();
    try {
      await turns.run();
      if (!isUp) logger.info('limits are shared out again');
      isUp = true;
      tookMs = steadyMs() - begunMs;
    } catch (error) {
      if (error instanceof UnknownHolder) {
        logger.warn(
          'this server was silent for so long that its shares of limits count as used; it begins anew',
        );
        begunMs = Number.NEGATIVE_INFINITY;
        return;
      }
      // The log has one line, however long it is away.
      if (isUp)
        logger.warn(
          { err: error },
          'limits cannot be shared out; what is held is used up, then limited objects are refused',
        );
      isUp = false;
    }
  };
  const run = () => {
    running ??= runOnce().finally(() => {
      running = undefined;
    });
    return running;
  };
  await run();
  const timer = setInterval(() => {
    if (isClosed || running !== undefined) return;
    const sinceMs = steadyMs() - begunMs;
    const isSoon = sinceMs >= soonMs && isUp && (!turns.isServed() || shares.wasLacked());
    if (sinceMs >= turnEveryMs || isSoon) void run();
  }, tickMs).unref();
  const atMost = (waitMs: number, work: Promise<unknown>) => {
    const late = Promise.withResolvers<void>();
    const timeout = setTimeout(late.resolve, waitMs);
    return Promise.race([work.catch(() => undefined), late.promise]).finally(() => clearTimeout(timeout));
  };
  return {
    async untilTurned(waitMs) {
      const next = async () => {
        await running;
        await run();
      };
      await atMost(waitMs, next());
    },
    figures: () => [
      gauge(
        'bourse_limit_authority_up',
        'Whether limits are shared out among servers: 1, else 0',
        isUp ? 1 : 0,
      ),
      gauge(
        'bourse_limit_turn_seconds',
        'How long the last turn took in which limits were shared out',
        tookMs / 1000,
      ),
      gauge('bourse_limits_held', 'Limits of which this server holds a share', objects.size()),
    ],
    async close() {
      isClosed = true;
      clearInterval(timer);
      await atMost(leaveMs, Promise.resolve(running).then(turns.leave));
      await authority.close();
    },
  };
}
