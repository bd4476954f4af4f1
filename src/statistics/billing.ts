import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../fields/fault.ts';
import { type OnceEvent, playedEvents } from '../reference/counters.ts';
import type { Claim, Claims } from './claims.ts';
import { assertStorable, claimsOf } from './event-counts.ts';
import { eventRecord } from './event-records.ts';
import type { BillableEvent } from './events.ts';
import type { ProcessClaims } from './process-claims.ts';

const lookAgainMs = 2;
const played: ReadonlySet<OnceEvent> = new Set(playedEvents);
const isPlayed = ({ event }: BillableEvent) => played.has(event);

/** The process's log, on this machine's disk: consumers count what is in it. */
export interface EventOutbox {
  /** Durable; false if there is no room. Rejects if the disk fails. */
  append(record: Buffer): Promise<boolean>;
  readonly claims: ProcessClaims;
  /** For records that could not be written. */
  onUnkept(error: unknown): void;
}

export interface Billing {
  /** See `EventSink.bill`. Rejects with `Refusal('unavailable')` if the log is full or its disk fails. */
  bill(event: BillableEvent): Promise<boolean>;
  idle(): Promise<void>;
}

export interface BillingOptions {
  readonly outbox: EventOutbox;
  /** Counts what no money hangs on: in memory. */
  readonly count: (event: BillableEvent) => void;
  /** Of the region's machines; absent = this process's alone. */
  readonly claims?: Claims | undefined;
  readonly now: () => number;
  /** A repeated event waits this long until the first one is durable. */
  readonly timeoutMs: number;
}

const fullText = 'Events cannot be stored now; try again';

/** Appends a record, or rejects with `Refusal('unavailable')`. */
export async function appendTo(outbox: EventOutbox, record: Buffer): Promise<void> {
  const refusal = new Refusal('unavailable', fullText, { retryAfterSeconds: 5 });
  try {
    if (await outbox.append(record)) return;
    refusal.cause = new Error('the outbox is full');
  } catch (error) {
    refusal.cause = error;
  }
  outbox.onUnkept(refusal.cause);
  throw refusal;
}

/**
 * Acknowledges an event once it is in the log. Whether it is the first is what process and region know; the database
 * decides by the event's key when it is counted.
 */
export function createBilling(options: BillingOptions): Billing {
  const { outbox, count, claims, now, timeoutMs } = options;
  const own = outbox.claims;
  const underWay = new Set<Promise<unknown>>();
  const takeNames = async ({ auctionId, names }: Claim): Promise<boolean> => {
    for (const endMs = performance.now() + timeoutMs; ; ) {
      const taken = own.take(auctionId, names);
      if (taken !== 'pending') return taken === 'first';
      if (performance.now() > endMs) {
        throw new Refusal('unavailable', 'The same event is still being written', { retryAfterSeconds: 5 });
      }
      await delay(lookAgainMs);
    }
  };
  /** Whether it is the first of its auction. */
  const keep = async (event: BillableEvent, claim: Claim): Promise<boolean> => {
    const isFirst = (await claims?.claim(claim)) ?? true;
    try {
      // Whoever holds its names elsewhere may die before that event is on disk, so this one is stored in any case.
      if (!isPlayed(event)) await appendTo(outbox, eventRecord(event));
      else if (isFirst) count(event);
      return isFirst;
    } catch (error) {
      if (isFirst) claims?.giveBack(claim);
      throw error;
    }
  };
  const bill = async (event: BillableEvent): Promise<boolean> => {
    const { auctionId, expiresMs } = event;
    const names = claimsOf(event);
    const claim: Claim = { auctionId, event: event.event, names, expiresMs };
    if (!(await takeNames(claim))) return false;
    try {
      const isFirst = await keep(event, claim);
      own.keep(auctionId, names);
      return isFirst;
    } catch (error) {
      own.giveBack(auctionId, names);
      throw error;
    }
  };
  return {
    async bill(event) {
      assertStorable(event);
      // Its trackers have expired, and others may have forgotten that it was counted.
      if (now() > event.expiresMs) return false;
      const billed = bill(event);
      underWay.add(billed);
      return billed.finally(() => underWay.delete(billed));
    },
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
