import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../fields/fault.ts';
import type { Billing } from './billing.ts';
import type { Claim, Claims } from './claims.ts';
import { assertStorable, claimsOf } from './event-counts.ts';
import { eventRecord } from './event-records.ts';
import type { BillableEvent } from './events.ts';
import type { ProcessClaims } from './process-claims.ts';

const lookAgainMs = 2;

/** On this machine's disk, to be shipped. */
export interface EventOutbox {
  /** Durable; false if there is no room. Rejects if the disk fails. */
  append(record: Buffer): Promise<boolean>;
  readonly claims: ProcessClaims;
  /** For an event that could not be stored, and waits for the database instead. */
  onUnkept(error: unknown): void;
}

export interface OutboxBillingOptions {
  readonly outbox: EventOutbox;
  /** For events that the outbox does not take. */
  readonly otherwise: Billing;
  /** Of the region's machines; absent = this process's alone. */
  readonly claims?: Claims | undefined;
  readonly now: () => number;
  /** A repeated event waits this long until the first one is durable. */
  readonly timeoutMs: number;
}

/**
 * Acknowledges an event once it is on this machine's disk. Whether it is the first is what process and region know; the
 * database decides by the event's key when the outbox is shipped.
 */
export function createOutboxBilling(options: OutboxBillingOptions): Billing {
  const { outbox, otherwise, claims, now, timeoutMs } = options;
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
  const isKept = async (event: BillableEvent): Promise<boolean> => {
    try {
      if (await outbox.append(eventRecord(event))) return true;
      outbox.onUnkept(new Error('the outbox is full'));
    } catch (error) {
      outbox.onUnkept(error);
    }
    return false;
  };
  /** Whether it is the first of its auction. */
  const keep = async (event: BillableEvent, claim: Claim): Promise<boolean> => {
    const claimed = (await claims?.claim(claim)) ?? 'first';
    if (claimed === 'other') return false;
    try {
      // The first holder elsewhere may die before its event is on disk, so it is stored here, too.
      if (await isKept(event)) return claimed === 'first';
      return (await otherwise.bill(event)) && claimed === 'first';
    } catch (error) {
      if (claimed === 'first') claims?.giveBack(claim);
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
      await otherwise.idle();
    },
  };
}
