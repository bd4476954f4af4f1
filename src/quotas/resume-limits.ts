import { isSupply, roleOf } from '../entities/kinds.ts';
import type { Limits } from '../exchange/limits/limits.ts';
import type { Quotas } from '../exchange/limits/quotas.ts';
import { parseIpAddress } from '../exchange/reading/ip-address.ts';
import { createTimedWork, type TimedWork } from '../shared/timed-work.ts';
import { dayOf, hourOf } from '../statistics/days.ts';
import type { Store } from '../store/interface.ts';
import type { AddressTotal } from '../store/statistics/interface.ts';
import { countedOf, limitedInAll } from './counted-limits.ts';

export interface ResumeLimitsOptions {
  readonly store: Pick<Store, 'isOnServer'> & {
    readonly statistics: Pick<
      Store['statistics'],
      'onWritten' | 'countedOn' | 'totalCosts' | 'promisedSince' | 'addresses'
    >;
  };
  readonly threadGroup: {
    readonly number: number;
    readonly limits: Limits;
    readonly quotas: Pick<Quotas, 'isAlone'>;
  };
  readonly now: () => number;
}

const lookEveryMs = 1000;
const daysHeld = 2;
/** Ads of objects with limits are shown within an hour, and take seconds to be durable. */
const shownWithinMs = 62 * 60_000;

/** What was used of the limits before, by the statistics: the authority of a process that is alone. */
async function resumeQuotas({ store: { statistics }, threadGroup: { limits }, now }: ResumeLimitsOptions) {
  const timeMs = now();
  for (const day of new Set([dayOf(timeMs - shownWithinMs), dayOf(timeMs)]))
    for await (const page of statistics.countedOn(day)) limits.raise(page.map(countedOf), day * 86_400_000);
  limits.raiseTotals(await statistics.totalCosts(limitedInAll));
  // Earlier promises have ended. Of a sum below 0 the promises are under way.
  const open = await statistics.promisedSince(hourOf(timeMs) - 1);
  limits.restorePromises(
    open.map(({ supplyKind, ...one }) => ({
      ...one,
      to: isSupply(supplyKind) ? roleOf(supplyKind).promises : 'ad',
    })),
  );
}

async function resumeAddresses({ store: { statistics }, threadGroup: { limits }, now }: ResumeLimitsOptions) {
  const timeMs = now();
  for await (const page of statistics.addresses(dayOf(timeMs))) {
    const addresses = page.flatMap(({ address, promised, ...counted }) => {
      const ip = parseIpAddress(address);
      const mayCome = counted.hour >= hourOf(timeMs) - 1;
      return ip ? [{ ...counted, ip, promised: mayCome ? promised : 0 }] : [];
    });
    limits.restoreAddresses(addresses);
  }
}

/** Raises what was shown at addresses to what came back with the writes that counted it. */
function raiseAddresses(
  { limits }: ResumeLimitsOptions['threadGroup'],
  totals: readonly AddressTotal[],
): void {
  limits.raiseAddresses(
    totals.flatMap(({ address, ...shown }) => {
      const ip = parseIpAddress(address);
      return ip ? [{ ...shown, ip }] : [];
    }),
  );
}

/**
 * The limits of all threads go on with what was counted today, again after a clock that was days ahead; close the work
 * that looks for that. At addresses they follow other machines, too: what those have shown comes back with each write.
 */
export async function resumeLimits(options: ResumeLimitsOptions): Promise<TimedWork> {
  const { store, threadGroup, now } = options;
  let day = dayOf(now());
  const work = createTimedWork(lookEveryMs, async () => {
    const before = day;
    day = dayOf(now());
    // Two days are held of each limit: a clock that was further ahead has ended what is counted today.
    if (before - day >= daysHeld) await resumeQuotas(options);
  });
  if (store.isOnServer) {
    store.statistics.onWritten(({ addresses }) => {
      // Once those of this thread are committed, who wait for the same write: each would count twice otherwise.
      if (addresses.length > 0) setImmediate(raiseAddresses, threadGroup, addresses);
    });
  }
  if (threadGroup.number > 0) return work;
  if (threadGroup.quotas.isAlone) {
    await resumeQuotas(options);
    work.start();
  }
  await resumeAddresses(options);
  return work;
}
