import { isSupply, roleOf } from '../entities/kinds.ts';
import type { Limits } from '../exchange/limits/limits.ts';
import type { Quotas } from '../exchange/limits/quotas.ts';
import { parseIpAddress } from '../exchange/reading/ip-address.ts';
import type { Limited } from '../exchange/snapshot/limited.ts';
import { viewerIn } from '../exchange/viewer-hash.ts';
import { createTimedWork, type TimedWork } from '../shared/timed-work.ts';
import { dayOf, hourOf } from '../statistics/days.ts';
import type { Store } from '../store/interface.ts';
import type { AddressTotal } from '../store/statistics/interface.ts';
import { countedInZones, countedOf, limitedInAll } from './counted-limits.ts';

export interface ResumeLimitsOptions {
  readonly store: Pick<Store, 'isOnServer'> & {
    readonly statistics: Pick<
      Store['statistics'],
      'onWritten' | 'countedOn' | 'countedSince' | 'totalCosts' | 'promisedSince' | 'addresses'
    >;
  };
  readonly threadGroup: {
    readonly number: number;
    readonly limits: Limits;
    readonly quotas: Pick<Quotas, 'isAlone'>;
  };
  readonly now: () => number;
  /** Of the configuration served: objects with days of their own among others, and what is known of one. */
  readonly planned: () => Iterable<Limited>;
}

const lookEveryMs = 1000;
const daysHeld = 2;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Asked about with one statement. */
const objectsMax = 500;
/** Ads of objects with limits are shown within an hour, and take seconds to be durable. */
const shownWithinMs = 62 * 60_000;

const objectKey = ({ kind, id }: { readonly kind: string; readonly id: number }) => `${kind}:${id}`;

/** What was used of the limits before, by the statistics: the authority of a process that is alone. */
async function resumeQuotas({
  store: { statistics },
  threadGroup: { limits },
  now,
  planned,
}: ResumeLimitsOptions) {
  const timeMs = now();
  const zoned = [...planned()].filter(({ days }) => days !== undefined);
  const days = new Map(zoned.map((object) => [objectKey(object), object.days]));
  for (const day of new Set([dayOf(timeMs - shownWithinMs), dayOf(timeMs)]))
    for await (const page of statistics.countedOn(day)) {
      const ofUtc = page.filter((object) => !days.has(objectKey(object)));
      limits.raise(ofUtc.map(countedOf), day * dayMs);
    }
  for (const atMs of [timeMs - shownWithinMs, timeMs])
    for (const [kind, objects] of Map.groupBy(zoned, (object) => object.kind))
      for (let from = 0; from < objects.length; from += objectsMax) {
        const part = objects.slice(from, from + objectsMax);
        limits.raise(await countedInZones(statistics, kind, part, atMs), atMs);
      }
  limits.raiseTotals(await statistics.totalCosts(limitedInAll));
  // Earlier promises have ended. Of a sum below 0 the promises are under way.
  const open = await statistics.promisedSince(hourOf(timeMs) - 1);
  limits.restorePromises(
    open.map(({ supplyKind, ...one }) => ({
      ...one,
      days: days.get(objectKey(one)),
      to: isSupply(supplyKind) ? roleOf(supplyKind).promises : 'ad',
    })),
  );
}

/** An address counts on its day, a viewer's hash until its last day is over. */
function shownOf({ hour, untilDay }: Pick<AddressTotal, 'hour' | 'untilDay'>, nowMs: number) {
  if (untilDay === undefined) return { timeMs: hour * hourMs, kept: 0 };
  const timeMs = Math.min((hour + 1) * hourMs - 1, nowMs);
  return { timeMs, kept: Math.ceil(((untilDay + 1) * dayMs - timeMs) / minuteMs) };
}

const viewerOf = (address: string) => viewerIn(address) ?? parseIpAddress(address);

async function resumeViewers({ store: { statistics }, threadGroup: { limits }, now }: ResumeLimitsOptions) {
  const timeMs = now();
  for await (const page of statistics.addresses(dayOf(timeMs))) {
    const viewers = page.flatMap(({ address, promised, ...counted }) => {
      const viewer = viewerOf(address);
      const mayCome = counted.hour >= hourOf(timeMs) - 1;
      return viewer
        ? [{ ...counted, ...shownOf(counted, timeMs), viewer, promised: mayCome ? promised : 0 }]
        : [];
    });
    limits.restoreViewers(viewers);
  }
}

/** Raises what was shown to viewers to what came back with the writes that counted it. */
function raiseViewers(
  { threadGroup: { limits }, now }: Pick<ResumeLimitsOptions, 'threadGroup' | 'now'>,
  totals: readonly AddressTotal[],
): void {
  const timeMs = now();
  limits.raiseViewers(
    totals.flatMap(({ address, ...shown }) => {
      const viewer = viewerOf(address);
      return viewer ? [{ ...shown, ...shownOf(shown, timeMs), viewer }] : [];
    }),
  );
}

/**
 * The limits of all threads go on with what was counted today, again after a clock that was days ahead; close the work
 * that looks for that. By viewer they follow other machines, too: what those have shown comes back with each
 * write.
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
      if (addresses.length > 0) setImmediate(raiseViewers, options, addresses);
    });
  }
  if (threadGroup.number > 0) return work;
  if (threadGroup.quotas.isAlone) {
    await resumeQuotas(options);
    work.start();
  }
  await resumeViewers(options);
  return work;
}
