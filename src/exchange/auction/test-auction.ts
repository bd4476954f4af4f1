import { isSupply } from '../../entities/kinds.ts';
import type { OutboundAnswer, OutboundRequest } from '../demand/demand-kind.ts';
import type { Outbound } from '../demand/outbound.ts';
import type { AuctionLimits } from '../limits/limits.ts';
import type { Limited } from '../limits/promised.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { Auction, AuctionServices } from './auction.ts';
import { runAuction } from './run-auction.ts';

export interface TestCall {
  /** Kind and ID of the demand object, as `DspVastTag:7`. */
  readonly partner: string;
  readonly request: OutboundRequest;
  /** Milliseconds from the beginning of the auction to the call, and from the call to its end. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly answer: OutboundAnswer | Refusal;
}

/** An auction that was held for a test, with its calls in the order of their ends. */
export interface TestAuction {
  readonly auction: Auction;
  readonly calls: readonly TestCall[];
}

const nothing = () => undefined;

/** The object as if `MaxQps` were its only limit. */
function withRateOnly({ kind, id, limits }: Limited): Limited {
  const none = Object.fromEntries(Object.keys(limits).map((name) => [name, 0]));
  return { kind, id, limits: { ...(none as Record<keyof Limited['limits'], 0>), maxQps: limits.maxQps } };
}

/** Limits of which a test takes only the `MaxQps` of demand. */
function testLimits(limits: AuctionLimits): AuctionLimits {
  const rate =
    (ask: AuctionLimits['takeRequest']): AuctionLimits['takeRequest'] =>
    (object, timeMs) =>
      isSupply(object.kind) || object.limits.maxQps === 0 ? undefined : ask(withRateOnly(object), timeMs);
  return {
    takeRequest: rate(limits.takeRequest),
    mayRequest: rate(limits.mayRequest),
    takeBid: nothing,
    mayBid: nothing,
    giveBackBid: nothing,
    mayPromise: nothing,
    promise: nothing,
    promiseAmount: (_, promised) => promised,
    withdraw: nothing,
    book: nothing,
    looks: limits.looks,
  };
}

/** Name of a partner in tests: failures there do not pause the partner for others. */
const testPartner = (partner: string) => `test:${partner}`;

/** Calls that are noted in `calls`, and no notices. */
function notedCalls(outbound: Outbound, calls: TestCall[], steadyMs: () => number): Outbound {
  const beganMs = steadyMs();
  return {
    ...outbound,
    notify: nothing,
    async call(partner, request, deadlineMs, mayRepeat) {
      const startMs = steadyMs() - beganMs;
      const answer = await outbound.call(testPartner(partner), request, deadlineMs, mayRepeat);
      calls.push({ partner, request, startMs, durationMs: steadyMs() - beganMs - startMs, answer });
      return answer;
    },
  };
}

/**
 * Holds an auction that nobody counts: demand is asked as ever, told that it is a test where its protocol can say so;
 * of limits only the `MaxQps` of demand counts, nothing is promised, and no notice is sent. `steadyMs`: milliseconds
 * that never go back.
 */
export async function runTestAuction(
  supply: Supply,
  opportunity: Opportunity,
  services: AuctionServices,
  steadyMs: () => number,
): Promise<TestAuction> {
  const calls: TestCall[] = [];
  const { impression: _, ...untaken } = opportunity;
  const limits = testLimits(services.limits);
  const outbound = notedCalls(services.outbound, calls, steadyMs);
  const auction = await runAuction(
    supply,
    { ...untaken, isTest: true },
    { ...services, limits, outbound, targetingRefusals: undefined },
  );
  return { auction, calls };
}
