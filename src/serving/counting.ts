import type { Logger } from 'pino';
import { parseIpAddress } from '../exchange/reading/ip-address.ts';
import { isSupply } from '../exchange/snapshot/kinds.ts';
import { dayMs, dayOf, hourOf } from '../statistics/days.ts';
import type { Store } from '../store/interface.ts';
import type { Crew } from './crew.ts';

/** What counters of limits are kept with. */
export interface CountingOptions {
  readonly store: Store;
  readonly crew: Pick<Crew, 'number' | 'limits'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Counters of limits that go with what the database has counted. */
export interface Counting {
  /** Resolves when the database is asked no more. */
  close(): Promise<void>;
}

/** Between two looks at what other machines have counted. */
const lookEveryMs = 2000;
/** After a look that took long, the next one waits this many times as long as that: looks take no more than a twentieth of the time. */
const restPerLook = 20;

async function raiseToday({ store, crew, now }: CountingOptions): Promise<void> {
  const timeMs = now();
  for await (const page of store.statistics.countedOn(dayOf(timeMs))) {
    const counted = page.map(({ kind, id, counts }) => {
      const { requests, taken, bills, spentNanos, revenueNanos } = counts;
      const amountNanos = isSupply(kind) ? spentNanos : revenueNanos;
      // A limit of impressions counts billable events; an offer's need not be that it was shown.
      return { kind, id, requests, bids: taken, impressions: bills, amountNanos };
    });
    crew.limits.raise(counted, timeMs);
  }
}

/** An offer is what an RTB EP answers; all else is handed out to be shown. */
const promisedTo = (supplyKind: string) => (supplyKind === 'RtbEp' ? 'offer' : 'ad');

/** Impressions that were promised today, within the last hour: one counts for the day of its auction, so older days do not matter. */
async function restorePromises({ store: { statistics }, crew: { limits }, now }: CountingOptions) {
  const timeMs = now();
  const hour = Math.max(hourOf(timeMs) - 1, hourOf(timeMs - (timeMs % dayMs)));
  const promised = await statistics.promisedSince(hour);
  limits.restorePromises(promised.map(({ supplyKind, ...one }) => ({ ...one, to: promisedTo(supplyKind) })));
}

/** What only a start needs: promises, amounts of other days, and impressions by address. */
async function restoreRest({ store: { statistics }, crew: { limits }, now }: CountingOptions): Promise<void> {
  const timeMs = now();
  const totals = await statistics.spentByCampaigns();
  limits.raiseTotals(totals.entries().map(([id, totalNanos]) => ({ kind: 'Campaign', id, totalNanos })));
  for await (const page of statistics.addresses(dayOf(timeMs))) {
    const addresses = page.flatMap(({ kind, id, address, impressions }) => {
      const ip = parseIpAddress(address);
      return ip ? [{ kind, id, ip, impressions }] : [];
    });
    limits.restoreAddresses(addresses, timeMs);
  }
}

/** Looks again and again, until it is closed. */
function lookOn(options: CountingOptions): Counting {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let hasFailed = false;
  let looking = Promise.resolve();
  const look = async () => {
    const beganMs = performance.now();
    try {
      await raiseToday(options);
      hasFailed = false;
    } catch (error) {
      // The counters go on with what is known; the log is told once, however long the database is away.
      if (!hasFailed) options.logger.warn({ err: error }, 'what other machines count cannot be read');
      hasFailed = true;
    }
    wait(Math.max(lookEveryMs, restPerLook * (performance.now() - beganMs)));
  };
  const wait = (waitMs: number) => {
    if (isClosed) return;
    timer = setTimeout(() => {
      looking = look();
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

/**
 * Lets counters of limits begin with what was counted today, and where other machines may count too, follow what all of
 * them have counted. The first thread does it for all.
 */
export async function startCounting(options: CountingOptions): Promise<Counting> {
  const nothing = { close: () => Promise.resolve() };
  if (options.crew.number > 0) return nothing;
  await raiseToday(options);
  await restorePromises(options);
  await restoreRest(options);
  return options.store.isOnServer ? lookOn(options) : nothing;
}
