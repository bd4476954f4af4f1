import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../fields/fault.ts';
import type { StatisticsStore } from '../store/statistics/interface.ts';
import { assertStorable, claimsOf, countsOf } from './event-counts.ts';
import type { BillableEvent } from './events.ts';
import type { FactRecorder } from './fact-recorder.ts';
import type { TopValues } from './top-values.ts';
import { isRefused, isUnavailable, withRetries } from './with-retries.ts';

/** Events within this time share a commit, and so a sync to disk. */
const gatherMs = 5;
const eventsPerCommitMax = 500;
const waitingMax = 50_000;

interface Waiting {
  readonly event: BillableEvent;
  /** By billing's clock. */
  readonly sinceMs: number;
  readonly resolve: (counted: boolean) => void;
  readonly reject: (reason: unknown) => void;
}

/** The same event repeated: it counts for the first. */
type Repeats = readonly [first: Waiting, ...others: Waiting[]];

/** On their way to the database. */
export interface Billing {
  /**
   * See `EventSink.bill`. Rejects with `Refusal('unavailable')` if the database stays away or too many wait, with
   * `Refusal('invalid')` if it refuses the event.
   */
  bill(event: BillableEvent): Promise<boolean>;
  idle(): Promise<void>;
}

export interface BillingOptions {
  readonly statistics: StatisticsStore;
  readonly kept: TopValues;
  readonly now: () => number;
  /** For a database that is away. */
  readonly timeoutMs: number;
  /** Absent if nobody wants single events. */
  readonly facts?: FactRecorder | undefined;
  /** After each commit that counted anything. */
  readonly onCounted: () => void;
}

const inAuction = ({ auctionId }: BillableEvent, name: string) => JSON.stringify([auctionId, name]);

/** Events that share a claim go into different batches: only the database knows which gets it. */
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

/** One batch after the other. */
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

  /** Under one ID, so that an attempt with an unknown outcome can be repeated without counting twice. */
  const persist = (lot: readonly Repeats[]): Promise<boolean[]> => {
    const batch = randomUUID();
    const events = lot.map(([{ event }]) => {
      const fact = facts?.factOfEvent(event);
      return { ...countsOf(event, kept), ...(fact && { fact }) };
    });
    const waitedMs = Math.max(0, ...lot.map(([{ sinceMs }]) => now() - sinceMs));
    const write = async () => {
      const counted = await statistics.bill(batch, events, { leaveTo: facts?.leaveTo });
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
  /** One bad event must not fail others: refused batches are halved. */
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
      // Its trackers have expired, and the database may have forgotten that it was counted.
      if (now() > event.expiresMs) return false;
      if (waiting.length >= waitingMax) {
        throw new Refusal('unavailable', 'Too many events are waiting to be counted', {
          retryAfterSeconds: 1,
        });
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
