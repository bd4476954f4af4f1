import { vastOf } from '../demand/bid-vast.ts';
import type { Bid } from '../demand/demand-kind.ts';
import { inMedium } from '../media-variants.ts';
import type { CpmMicros } from '../money.ts';
import type { LengthFloors, Opportunity } from '../opportunity.ts';
import type { FloorRule } from '../snapshot/floor-rule.ts';
import { ruleFloorFor } from './floor-rules.ts';

/** An ad's seconds by its VAST, else by its bid, else the longest allowed, so that silence is never cheaper. */
export function secondsOf(bid: Bid, longestSeconds: number | undefined): number | undefined {
  const vast = vastOf(bid);
  const [ad] = vast === undefined || 'fault' in vast ? [] : vast.ads;
  return ad?.durationSeconds || bid.received?.dur || longestSeconds;
}

/** One that may depend on the ad's length (OpenRTB 2.6 sections 3.2.7 and 3.2.35), read from its markup. */
function lengthFloor(bid: Bid, lengthFloors: LengthFloors, floorCpmMicros: CpmMicros): CpmMicros {
  const { ranges, perSecondCpmMicros } = lengthFloors;
  const seconds = secondsOf(bid, lengthFloors.longestSeconds);
  if (seconds === undefined) return Math.max(floorCpmMicros, perSecondCpmMicros);
  const range = ranges.find(({ minSeconds, maxSeconds }) => seconds >= minSeconds && seconds <= maxSeconds);
  return Math.max(range?.floorCpmMicros ?? floorCpmMicros, Math.ceil(perSecondCpmMicros * seconds));
}

export interface BidFloor {
  readonly floorCpmMicros: CpmMicros;
  /** Of a price at the floor or above, the publisher gets this and its share of the rest. */
  readonly guaranteedCpmMicros: CpmMicros;
  /** That has set the floor. */
  readonly rule?: FloorRule | undefined;
}

/** A deal's floor, else the greater of the impression's, which a floor rule may have set, and one for the ad's length. */
export function floorFor(bid: Bid, opportunity: Opportunity): BidFloor {
  const same = (cpmMicros: CpmMicros) => ({ floorCpmMicros: cpmMicros, guaranteedCpmMicros: cpmMicros });
  if (bid.deal !== undefined) return same(bid.deal.floorCpmMicros);
  const { floorCpmMicros: told, lengthFloors, ruleFloors } = inMedium(opportunity, bid.media);
  const usual = ruleFloors?.otherwise.floorCpmMicros ?? told;
  const own = lengthFloors ? lengthFloor(bid, lengthFloors, usual) : usual;
  const floor = ruleFloors && ruleFloorFor(bid, ruleFloors);
  if (!floor) return same(own);
  const { floorCpmMicros, guaranteedCpmMicros, rule } = floor;
  if (!lengthFloors) return { floorCpmMicros, guaranteedCpmMicros, rule };
  return {
    floorCpmMicros: Math.max(floorCpmMicros, own),
    guaranteedCpmMicros: Math.max(guaranteedCpmMicros, own),
    rule: floorCpmMicros >= own ? rule : undefined,
  };
}
