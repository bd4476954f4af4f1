import type { Logger } from 'pino';
import { type Figure, gauge } from '../../exchange/figures/figure.ts';
import type { Limited } from '../../exchange/limits/limits.ts';
import type { Shares } from '../../exchange/limits/shares.ts';
import { type LimitAuthority, leaseMs, UnknownHolder } from '../../leases/authority.ts';
import type { HeldObjects } from './held-objects.ts';
import type { Resolving } from './resolving.ts';

/** What sharing out limits among processes works with. */
export interface LeasingOptions {
  readonly authority: LimitAuthority;
  readonly shares: Shares;
  readonly objects: HeldObjects;
  readonly resolving: Resolving;
  /** Revision of the configuration that is served. */
  readonly revision: () => number;
  /** Its objects that have limits. */
  readonly limited: () => Iterable<Limited>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that never go back, the same in all threads. */
  readonly steadyMs: () => number;
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

/** One turn after the other: says what is held and what is wanted, and takes the answer. */
function createTurns({ authority, shares, objects, resolving, ...options }: LeasingOptions) {
  const { revision, limited, now, steadyMs } = options;
  let holder = 0;
  let turn = 0;
  let holders = 1;
  let isWhole = true;
  let served = -1;
  let lastMs = Number.NEGATIVE_INFINITY;
  const join = async () => {
    holder = await authority.join();
    objects.reset();
    resolving.begin(now());
    isWhole = true;
  };
  const report = async (sentMs: number) => {
    if (served !== revision()) {
      served = revision();
      objects.serve(limited(), now());
    }
    // Of a process that was silent, the authority has given rates to others.
    const wasSilent = sentMs - lastMs > leaseMs;
    const limits = objects.report(now(), isWhole || wasSilent, holders);
    turn += 1;
    const resolved = resolving.resolved();
    const answer = await authority.report({
      ...{ holder, turn, resolved, limits },
      isWhole: isWhole || wasSilent,
    });
    // What was granted too long ago may count as forgotten.
    if (steadyMs() - sentMs < leaseMs) objects.take(answer.grants, now());
    else objects.lose();
    ({ holders } = answer);
    isWhole = answer.wantsWhole;
    shares.hold(holder, sentMs + leaseMs);
    lastMs = sentMs;
    return resolved;
  };
  return {
    async run(): Promise<void> {
      const sentMs = steadyMs();
      if (holder === 0) await join();
      await resolving.resolve(holder, now(), objects.resolve);
      try {
        const resolved = await report(sentMs);
        await resolving.settle({ authority, holder, resolved, nowMs: now() });
      } catch (error) {
        objects.lose();
        if (error instanceof UnknownHolder) holder = 0;
        throw error;
      }
    },
    isServed: () => served === revision(),
    async leave(): Promise<void> {
      if (holder === 0) return;
      shares.hold(holder, steadyMs());
      objects.giveBack();
      await report(steadyMs());
      await authority.leave(holder);
    },
  };
}

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
    if (isClosed || running) return;
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
