import type { Logger } from 'pino';
import { demandKindNames, isSupply, roleOf } from '../entities/kinds.ts';
import { parseIpAddress } from '../exchange/reading/ip-address.ts';
import { dayOf, hourOf } from '../statistics/days.ts';
import type { Store } from '../store/interface.ts';
import type { AddressTotal, PairCounts } from '../store/statistics/interface.ts';
import { createPromiseSync } from './promise-sync.ts';
import type { ThreadGroup } from './thread-group.ts';

export interface LimitSyncOptions {
  readonly store: Store;
  readonly threadGroup: Pick<ThreadGroup, 'number' | 'limits' | 'channel'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => number;
}

export interface LimitSync {
  /** Stops, and resolves when no query is under way. */
  close(): Promise<void>;
}

/** From one look at what other machines have counted to the next. */
const lookEveryMs = 2000;
const restMsMax = 5000;

/**
 * How long to rest after a look that took so long, in milliseconds. One that takes longer than a second rests for as long
 * as it took, so that looks take half of the time at most, but never for more than five seconds.
 * @internal
 */
export function restAfterMs(tookMs: number): number {
  return Math.min(restMsMax, Math.max(lookEveryMs - tookMs, tookMs));
}

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

/** Does looks again and again, until it is closed. */
function poll(look: () => Promise<unknown>, logger: LimitSyncOptions['logger']): LimitSync {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let hasFailed = false;
  let looking = Promise.resolve();
  const lookOnce = async () => {
    const beganMs = performance.now();
    try {
      await look();
      hasFailed = false;
    } catch (error) {
      // The counters go on with what is known. The log has one line, however long the database is away.
      if (!hasFailed) logger.warn({ err: error }, 'the counts of other machines cannot be read');
      hasFailed = true;
    }
    wait(restAfterMs(performance.now() - beganMs));
  };
  const wait = (waitMs: number) => {
    if (isClosed) return;
    timer = setTimeout(() => {
      looking = lookOnce();
    }, waitMs).unref();
  };
  wait(lookEveryMs);
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** Raises what was shown at addresses to what came back with the writes that counted it. */
function raiseAddresses({ limits }: LimitSyncOptions['threadGroup'], totals: readonly AddressTotal[]): void {
  limits.raiseAddresses(
    totals.flatMap(({ address, ...shown }) => {
      const ip = parseIpAddress(address);
      return ip ? [{ ...shown, ip }] : [];
    }),
  );
}

const promisesTopic = 'reservations stored';

/**
 * Starts the counters with what was counted today, for all threads. On a server they then follow other machines: what
 * a thread has written it tells the first one, which looks at what all have written.
 */
export async function startLimitSync(options: LimitSyncOptions): Promise<LimitSync> {
  const { store, threadGroup, logger, now } = options;
  const nothing = { close: () => Promise.resolve() };
  const { number, channel, limits } = threadGroup;
  const promises = createPromiseSync({ statistics: store.statistics, limits, now });
  if (store.isOnServer) {
    if (number === 0) channel.subscribe(promisesTopic, (pairs) => promises.note(pairs as PairCounts[]));
    store.statistics.onWritten(({ pairs, addresses }) => {
      const promising = pairs.filter(({ counts }) => counts.promised || counts.promisedNanos);
      if (number === 0) promises.note(promising);
      else if (promising.length > 0) channel.publish(promisesTopic, promising);
      // Once those of this thread are booked, who wait for the same write: each would count twice otherwise.
      if (addresses.length > 0) setImmediate(raiseAddresses, threadGroup, addresses);
    });
  }
  if (number > 0) return nothing;
  await raiseDays(options);
  await promises.restore();
  await restoreTotalsAndAddresses(options);
  if (!store.isOnServer) return nothing;
  await promises.look();
  return poll(() => Promise.all([raiseDays(options), promises.look()]), logger);
}
