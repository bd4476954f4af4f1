import type { Logger } from 'pino';
import { demandKindNames, isSupply, roleOf } from '../entities/kinds.ts';
import { parseIpAddress } from '../exchange/reading/ip-address.ts';
import { dayOf, hourOf } from '../statistics/days.ts';
import type { Store } from '../store/interface.ts';
import type { ThreadGroup } from './thread-group.ts';

/** What the limits' counters are kept up to date with. */
export interface LimitSyncOptions {
  readonly store: Store;
  readonly threadGroup: Pick<ThreadGroup, 'number' | 'limits'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Keeps the limits' counters up to date with what the database has counted. */
export interface LimitSync {
  /** Stops, and resolves when no query is under way. */
  close(): Promise<void>;
}

/** Between two looks at what other machines have counted. */
const pollEveryMs = 2000;
/** The next poll waits this many times the duration of the last: polls take at most a twentieth of the time. */
const pausePerPoll = 20;

async function raiseDay({ store, threadGroup }: LimitSyncOptions, timeMs: number): Promise<void> {
  for await (const page of store.statistics.countedOn(dayOf(timeMs))) {
    const counted = page.map(({ kind, id, counts }) => {
      const { requests, taken, bills, spentNanos, revenueNanos } = counts;
      const amountNanos = isSupply(kind) ? spentNanos : revenueNanos;
      // A limit of impressions counts billable events, which for an offer may be its win rather than its impression.
      return { kind, id, requests, bids: taken, impressions: bills, amountNanos };
    });
    threadGroup.limits.raise(counted, timeMs);
  }
}

/** Ads of objects with limits are shown within an hour, and take seconds to be durable. */
const shownWithinMs = 62 * 60_000;

/** Raises the counters of today, and those of yesterday while its ads may still be shown: totals count them, too. */
async function raiseDays(options: LimitSyncOptions): Promise<void> {
  const timeMs = options.now();
  if (dayOf(timeMs - shownWithinMs) !== dayOf(timeMs)) await raiseDay(options, timeMs - shownWithinMs);
  await raiseDay(options, timeMs);
}

/** Whether a kind of supply answers offers, or hands out ads to be shown. */
const promiseKind = (kind: string) => (isSupply(kind) ? roleOf(kind).promises : 'ad');

/** Restores what was promised since the start of the previous hour of the clock: earlier promises have ended. */
async function restorePromises({ store: { statistics }, threadGroup: { limits }, now }: LimitSyncOptions) {
  const promised = await statistics.promisedSince(hourOf(now()) - 1);
  limits.restorePromises(promised.map(({ supplyKind, ...one }) => ({ ...one, to: promiseKind(supplyKind) })));
}

/** The kinds of demand that have a limit for all their days. */
const limitedInAll = demandKindNames.filter((kind) => roleOf(kind).amountTotal !== undefined);

/**
 * Restores what only a start needs: what demand with a limit of it has cost in all, and today's impressions by address
 * and what is promised there.
 */
async function restoreTotalsAndAddresses({
  store: { statistics },
  threadGroup: { limits },
  now,
}: LimitSyncOptions): Promise<void> {
  const timeMs = now();
  limits.raiseTotals(await statistics.totalCosts(limitedInAll));
  for await (const page of statistics.addresses(dayOf(timeMs))) {
    const addresses = page.flatMap(({ address, promised, ...counted }) => {
      const ip = parseIpAddress(address);
      const mayCome = counted.hour >= hourOf(timeMs) - 1;
      return ip ? [{ ...counted, ip, promised: mayCome ? promised : 0 }] : [];
    });
    limits.restoreAddresses(addresses);
  }
}

/** Looks again and again, until it is closed. */
function poll(options: LimitSyncOptions): LimitSync {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let hasFailed = false;
  let looking = Promise.resolve();
  const look = async () => {
    const beganMs = performance.now();
    try {
      await raiseDays(options);
      hasFailed = false;
    } catch (error) {
      // The counters go on with what is known. The log has one line, however long the database is away.
      if (!hasFailed) options.logger.warn({ err: error }, 'what other machines count cannot be read');
      hasFailed = true;
    }
    wait(Math.max(pollEveryMs, pausePerPoll * (performance.now() - beganMs)));
  };
  const wait = (waitMs: number) => {
    if (isClosed) return;
    timer = setTimeout(() => {
      looking = look();
    }, waitMs).unref();
  };
  wait(pollEveryMs);
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** Starts the counters with what was counted today, for all threads; on a server they then follow other machines. */
export async function startLimitSync(options: LimitSyncOptions): Promise<LimitSync> {
  const nothing = { close: () => Promise.resolve() };
  if (options.threadGroup.number > 0) return nothing;
  await raiseDays(options);
  await restorePromises(options);
  await restoreTotalsAndAddresses(options);
  return options.store.isOnServer ? poll(options) : nothing;
}
