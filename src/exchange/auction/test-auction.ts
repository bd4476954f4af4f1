import { isSupply } from '../../entities/kinds.ts';
import type { OutboundAnswer, OutboundRequest } from '../demand/demand-kind.ts';
import type { Outbound } from '../demand/outbound.ts';
import type { AuctionLimits } from '../limits/limits.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Limited } from '../snapshot/limited.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { Auction, AuctionServices } from './auction.ts';
import { runAuction } from './run-auction.ts';

export interface TestCall {
  readonly partner: string;
  readonly request: OutboundRequest;
  /** Milliseconds from the auction's beginning to the call, and from the call to its end. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly answer: OutboundAnswer | Refusal;
}

/** Calls are in the order of their ends. */
export interface TestAuction {
  readonly auction: Auction;
  readonly calls: readonly TestCall[];
}

const nothing = () => undefined;

function withRateOnly({ kind, id, limits }: Limited): Limited {
  const none = Object.fromEntries(Object.keys(limits).map((name) => [name, 0]));
  return { kind, id, limits: { ...(none as Record<keyof Limited['limits'], 0>), maxQps: limits.maxQps } };
}

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
    mayReserve: nothing,
    reserve: nothing,
    reprice: (_, promised) => promised,
    askRegion: nothing,
    release: nothing,
    commit: nothing,
    looks: limits.looks,
  };
}

/** A name of its own, so that failures in tests do not pause the partner. */
const testPartner = (partner: string) => `test:${partner}`;

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

/** Counts nothing, sends no notices, and takes only the demand's `MaxQps`. `steadyMs` never goes back. */
export async function runTestAuction(
  supply: Supply,
  opportunity: Opportunity,
  services: AuctionServices,
  steadyMs: () => number,
): Promise<TestAuction> {
  const calls: TestCall[] = [];
  // Testers see the requests, and may learn no partner's ID of a viewer.
  const { impression: _, viewerIdsOf: __, ...untaken } = opportunity;
  const limits = testLimits(services.limits);
  const outbound = notedCalls(services.outbound, calls, steadyMs);
  const auction = await runAuction(
    supply,
    { ...untaken, isTest: true },
    { ...services, limits, outbound, targetingRefusals: undefined },
  );
  return { auction, calls };
}
