import { vastOf } from '../demand/bid-vast.ts';
import type { Bid } from '../demand/demand-kind.ts';
import type { CpmMicros } from '../money.ts';
import type { LengthFloors, Opportunity } from '../opportunity.ts';

/**
 * Seconds that an ad takes: what its VAST says, else what its bid says, else the longest that is allowed, so that
 * nobody pays less by saying nothing. Undefined if that is not known either.
 */
function secondsOf(bid: Bid, { longestSeconds }: LengthFloors): number | undefined {
  const vast = vastOf(bid);
  const [ad] = vast === undefined || 'fault' in vast ? [] : vast.ads;
  return ad?.durationSeconds || bid.received?.dur || longestSeconds;
}

/**
 * The floor for a bid. For a video or audio it may depend on the length of the ad (OpenRTB 2.6 sections 3.2.7 and
 * 3.2.35), which is read from its markup.
 */
export function floorFor(bid: Bid, { floorCpmMicros, lengthFloors }: Opportunity): CpmMicros {
  if (lengthFloors === undefined) return floorCpmMicros;
  const { ranges, perSecondCpmMicros } = lengthFloors;
  const seconds = secondsOf(bid, lengthFloors);
  if (seconds === undefined) return Math.max(floorCpmMicros, perSecondCpmMicros);
  const range = ranges.find(({ minSeconds, maxSeconds }) => seconds >= minSeconds && seconds <= maxSeconds);
  return Math.max(range?.floorCpmMicros ?? floorCpmMicros, Math.ceil(perSecondCpmMicros * seconds));
}
