import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../fields/fault.ts';
import { amountNames, noCounts } from '../reference/counters.ts';
import type { AddressCounts, EventCounts, StatisticsStore } from '../store/statistics/interface.ts';
import { dayOf, hourOf, quarterOf } from './days.ts';
import type { AtAddress, BillableEvent } from './events.ts';
import type { FactRecorder } from './fact-recorder.ts';
import type { KeptNames } from './kept-names.ts';
import { countsSubIds } from './reports.ts';
import { cleanSubId } from './sub-id.ts';
import { trafficOf } from './traffic-counts.ts';
import { isRefused, isUnavailable, withRetries } from './with-retries.ts';

/** Events that come within this time share a commit, and so a sync to disk. */
const gatherMs = 5;
const eventsPerCommitMax = 500;
const waitingMax = 50_000;
const auctionIdCharactersMax = 255;
const quartersPerHour = 4;

interface Waiting {
  readonly event: BillableEvent;
  /** Since when, by the clock that billing is given. */
  readonly sinceMs: number;
  readonly resolve: (counted: boolean) => void;
  readonly reject: (reason: unknown) => void;
}

/** The same event of one auction, as often as it came: it counts for the first who brings it. */
type Repeats = readonly [first: Waiting, ...others: Waiting[]];

/**
 * Names that an event claims for its auction (see `EventCounts`). A loss claims those of a win and a bill, so that an
 * auction has either a loss or the others (decisions B10).
 */
const claimsOf = ({ event }: BillableEvent): readonly string[] =>
  event === 'losses' ? ['wins', 'bills'] : [event];

const inAuction = ({ auctionId }: BillableEvent, name: string) => JSON.stringify([auctionId, name]);

const idMax = 2 ** 31 - 1;
/** The last time that a `Date` can hold. */
const timeMsMax = 8.64e15;

const isWhole = (value: number, min: number, max: number) =>
  Number.isInteger(value) && value >= min && value <= max;

/** Throws for an event with values that no database takes, or that no event can have. */
function assertStorable(event: BillableEvent): void {
  const { auctionId, timeMs, expiresMs, pair, atAddress } = event;
  const objects = [pair.supply, pair.demand, ...(atAddress?.objects ?? [])];
  const isValidId =
    auctionId.length <= auctionIdCharactersMax && auctionId.isWellFormed() && !auctionId.includes('\0');
  const isValid =
    isValidId &&
    amountNames.every((name) => isWhole(event[name], 0, Number.MAX_SAFE_INTEGER)) &&
    [timeMs, expiresMs, atAddress?.timeMs ?? 0].every((time) => isWhole(time, 0, timeMsMax)) &&
    objects.every((object) => object === undefined || isWhole(object.id, 1, idMax));
  if (isValid) return;
  throw new Error(`a billable event of auction ${JSON.stringify(auctionId.slice(0, 50))} makes no sense`);
}

function addressesOf({ address, timeMs, objects }: AtAddress): AddressCounts[] {
  const counted = { hour: hourOf(timeMs), address, impressions: 1, promised: 0 };
  return objects.map(({ kind, id }) => ({ ...counted, kind, id }));
}

/** The counts that an event adds. The publisher is never paid more than was earned (decisions, "Statistics"). */
function countsOf(billed: BillableEvent, kept: KeptNames): EventCounts {
  const { pair, event, auctionId, timeMs, expiresMs, atAddress, ...amounts } = billed;
  const { supply, demand } = pair;
  const spentNanos = Math.min(amounts.spentNanos, amounts.revenueNanos);
  const counts = { ...noCounts, [event]: 1, ...amounts, spentNanos };
  const subId = { day: dayOf(timeMs), supply, subId: cleanSubId(pair.subId), counts };
  return {
    auctionId,
    claims: claimsOf(billed),
    expiresMs,
    pair: { hour: hourOf(timeMs), quarter: quarterOf(timeMs) % quartersPerHour, supply, demand, counts },
    subId: countsSubIds(supply.kind) ? subId : undefined,
    ...(atAddress && { addresses: addressesOf(atAddress) }),
    traffic: trafficOf(pair, dayOf(timeMs), counts, kept),
  };
}

/** Billable events of one thread, on their way to the database. */
export interface Billing {
  /**
   * See `EventSink.bill`. Rejects with `Refusal('unavailable')` if the database stays away or too many events wait, and
   * with `Refusal('invalid')` if the database does not take the event.
   */
  bill(event: BillableEvent): Promise<boolean>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
}

/** What billing works with. */
export interface BillingOptions {
  readonly statistics: StatisticsStore;
  /** Which values of traffic keep their name. */
  readonly kept: KeptNames;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long an event waits for a database that is away. */
  readonly timeoutMs: number;
  /** What keeps events singly; absent where nobody wants them. */
  readonly facts?: FactRecorder | undefined;
  /** Called after each commit that has counted anything. */
  readonly onCounted: () => void;
}

/**
 * Splits what waits into a lot and the rest. An event that shares a claim with another one of the lot comes later,
 * because only the database knows whether that one gets it.
 */
function lotOf(waiting: readonly Waiting[]): { readonly lot: Repeats[]; readonly rest: Waiting[] } {
  const lot = new Map<string, [Waiting, ...Waiting[]]>();
  const claimed = new Set<string>();
  const rest: Waiting[] = [];
  for (const one of waiting) {
    const name = inAuction(one.event, one.event.event);
    const claims = claimsOf(one.event).map((claim) => inAuction(one.event, claim));
    const repeats = lot.get(name);
    if (repeats) repeats.push(one);
    else if (claims.some((claim) => claimed.has(claim))) rest.push(one);
    else {
      lot.set(name, [one]);
      for (const claim of claims) claimed.add(claim);
    }
  }
  return { lot: [...lot.values()], rest };
}

function tellCounted(lot: readonly Repeats[], counted: readonly boolean[]): void {
  for (const [index, [first, ...others]] of lot.entries()) {
    first.resolve(counted[index] === true);
    for (const { resolve } of others) resolve(false);
  }
}

/** One thread's billing: lots of events, one after the other. */
export function createBilling({
  statistics,
  kept,
  now,
  timeoutMs,
  facts,
  onCounted,
}: BillingOptions): Billing {
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  /** Writes a lot under one ID, so that an attempt whose outcome is unknown can be repeated without counting twice. */
  const persist = (lot: readonly Repeats[]): Promise<boolean[]> => {
    const batch = randomUUID();
    const events = lot.map(([{ event }]) => {
      const fact = facts?.factOfEvent(event);
      return { ...countsOf(event, kept), ...(fact && { fact }) };
    });
    const waitedMs = Math.max(0, ...lot.map(([{ sinceMs }]) => now() - sinceMs));
    const write = async () => {
      const counted = await statistics.bill(batch, events, facts?.leaveTo);
      if (counted.includes(true)) onCounted();
      return counted;
    };
    return withRetries(write, Math.max(0, timeoutMs - waitedMs), isUnavailable);
  };
  const settle = async (lot: readonly Repeats[]): Promise<void> => {
    try {
      tellCounted(lot, await persist(lot));
    } catch (error) {
      if (isRefused(error) && lot.length > 1) return settleHalves(lot);
      const failed = isUnavailable(error) ? [...lot.flat(), ...waiting.splice(0)] : lot.flat();
      for (const { reject } of failed) reject(error);
    }
  };
  /** One bad event must not fail those beside it: what the database refuses together is brought in smaller lots. */
  const settleHalves = async (lot: readonly Repeats[]): Promise<void> => {
    const half = Math.ceil(lot.length / 2);
    await settle(lot.slice(0, half));
    await settle(lot.slice(half));
  };
  const run = async () => {
    await delay(gatherMs);
    while (waiting.length > 0) {
      const { lot, rest } = lotOf(waiting.splice(0, eventsPerCommitMax));
      waiting.unshift(...rest);
      await settle(lot);
    }
    running = undefined;
  };
  return {
    async bill(event) {
      assertStorable(event);
      // The ad's trackers have expired, and the database may have forgotten that the event was already counted.
      if (now() > event.expiresMs) return false;
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
