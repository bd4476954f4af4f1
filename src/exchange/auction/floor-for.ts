import { vastOf } from '../demand/bid-vast.ts';
import type { Bid } from '../demand/demand-kind.ts';
import { inMedium } from '../media-variants.ts';
import type { CpmMicros } from '../money.ts';
import type { Opportunity } from '../opportunity.ts';

/** An ad's seconds by its VAST, else by its bid, else the longest allowed, so that silence is never cheaper. */
export function secondsOf(bid: Bid, longestSeconds: number | undefined): number | undefined {
  const vast = vastOf(bid);
  const [ad] = vast === undefined || 'fault' in vast ? [] : vast.ads;
  return ad?.durationSeconds || bid.received?.dur || longestSeconds;
}

/** A deal's floor, else one that may depend on the ad's length (OpenRTB 2.6 sections 3.2.7 and 3.2.35), read from its markup. */
export function floorFor(bid: Bid, opportunity: Opportunity): CpmMicros {
  if (bid.deal !== undefined) return bid.deal.floorCpmMicros;
  const { floorCpmMicros, lengthFloors } = inMedium(opportunity, bid.media);
  if (lengthFloors === undefined) return floorCpmMicros;
  const { ranges, perSecondCpmMicros } = lengthFloors;
  const seconds = secondsOf(bid, lengthFloors.longestSeconds);
  if (seconds === undefined) return Math.max(floorCpmMicros, perSecondCpmMicros);
  const range = ranges.find(({ minSeconds, maxSeconds }) => seconds >= minSeconds && seconds <= maxSeconds);
  return Math.max(range?.floorCpmMicros ?? floorCpmMicros, Math.ceil(perSecondCpmMicros * seconds));
}
