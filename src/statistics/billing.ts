import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../fields/fault.ts';
import {
  type AddressImpression,
  type EventCounts,
  noCounts,
  type StatisticsStore,
} from '../store/statistics-interface.ts';
import { dayOf, hourOf } from './days.ts';
import type { AtAddress, BillableEvent } from './events.ts';
import { countsSubIds } from './reports.ts';
import { cleanSubId } from './sub-id.ts';
import { isUnavailable, withRetries } from './with-retries.ts';

/** Events that come within this time share a commit, and so a sync to disk. */
const gatherMs = 5;
const eventsPerCommitMax = 500;
const waitingMax = 50_000;
const auctionIdCharactersMax = 255;

interface Waiting {
  readonly event: BillableEvent;
  /** Since when, by the clock that billing is given. */
  readonly sinceMs: number;
  readonly resolve: (counted: boolean) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * The name under which an event counts once for its auction. An auction ends only once, so a loss and a bill share it.
 */
const claimOf = ({ event }: BillableEvent) => (event === 'losses' ? 'bills' : event);

const nameOf = (event: BillableEvent) => `${claimOf(event)} ${event.auctionId}`;

/** Throws for an event with values that no database takes: it would fail all events that share its commit. */
function assertStorable({ auctionId, spentNanos, revenueNanos }: BillableEvent): void {
  const isAmount = (nanos: number) => Number.isSafeInteger(nanos) && nanos >= 0;
  const isValidId =
    auctionId.length <= auctionIdCharactersMax && auctionId.isWellFormed() && !auctionId.includes('\0');
  if (isValidId && isAmount(spentNanos) && isAmount(revenueNanos)) return;
  throw new Error(`a billable event of auction ${JSON.stringify(auctionId.slice(0, 50))} makes no sense`);
}

function addressesOf({ address, timeMs, objects }: AtAddress): AddressImpression[] {
  return objects.map(({ kind, id }) => ({ day: dayOf(timeMs), kind, id, address }));
}

/** The counts that an event adds. The publisher is never paid more than was earned (decisions, "Statistics"). */
function countsOf(billed: BillableEvent): EventCounts {
  const { pair, event, auctionId, timeMs, expiresMs, atAddress, ...amounts } = billed;
  const { supply, demand } = pair;
  const revenueNanos = amounts.revenueNanos;
  const spentNanos = Math.min(amounts.spentNanos, revenueNanos);
  const counts = { ...noCounts, [event]: 1, spentNanos, revenueNanos };
  const subId = { day: dayOf(timeMs), supply, subId: cleanSubId(pair.subId), counts };
  return {
    auctionId,
    event: claimOf(billed),
    expiresMs,
    pair: { hour: hourOf(timeMs), supply, demand, counts },
    subId: countsSubIds(supply.kind) ? subId : undefined,
    ...(atAddress && { addresses: addressesOf(atAddress) }),
  };
}

/** Billable events of one thread, on their way to the database. */
export interface Billing {
  /** See `EventSink.bill`. Rejects with `Refusal('unavailable')` if the database stays away or too many events wait. */
  bill(event: BillableEvent): Promise<boolean>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
}

/** What billing works with. */
export interface BillingOptions {
  readonly statistics: StatisticsStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long an event waits for a database that is away. */
  readonly timeoutMs: number;
  /** Called after each commit that has counted anything. */
  readonly onCounted: () => void;
}

/** One thread's billing: lots of events, one after the other. */
export function createBilling({ statistics, now, timeoutMs, onCounted }: BillingOptions): Billing {
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  /** Writes a lot under one ID, so that an attempt whose outcome is unknown can be repeated without counting twice. */
  const persist = (lot: readonly Waiting[]): Promise<boolean[]> => {
    const batch = randomUUID();
    const events = lot.map(({ event }) => countsOf(event));
    const waitedMs = Math.max(0, ...lot.map(({ sinceMs }) => now() - sinceMs));
    const write = async () => {
      const counted = await statistics.bill(batch, events);
      if (counted.includes(true)) onCounted();
      return counted;
    };
    return withRetries(write, Math.max(0, timeoutMs - waitedMs), isUnavailable);
  };
  const settle = async (lot: readonly Waiting[]) => {
    // Of events that came twice in the lot, only the first counts.
    const firsts = [...new Map(lot.toReversed().map((one) => [nameOf(one.event), one])).values()];
    try {
      const counted = await persist(firsts);
      for (const [index, { resolve }] of firsts.entries()) resolve(counted[index] === true);
      for (const { resolve } of lot) resolve(false);
    } catch (error) {
      const failed = isUnavailable(error) ? [...lot, ...waiting.splice(0)] : lot;
      for (const { reject } of failed) reject(error);
    }
  };
  const run = async () => {
    await delay(gatherMs);
    while (waiting.length > 0) await settle(waiting.splice(0, eventsPerCommitMax));
    running = undefined;
  };
  return {
    async bill(event) {
      assertStorable(event);
      // The ad's trackers have expired, and the database may have forgotten that the event was already counted.
      if (event.timeMs > event.expiresMs) return false;
      if (waiting.length >= waitingMax) {
        throw new Refusal('unavailable', 'Too many events wait to be counted', { retryAfterSeconds: 1 });
      }
      return new Promise<boolean>((resolve, reject) => {
        waiting.push({ event, sinceMs: now(), resolve, reject });
        running ??= run();
      });
    },
    async idle() {
      while (running !== undefined) await running;
    },
  };
}
