import type { Auction, RankedBid } from '../../auction/auction.ts';
import { popLanding } from '../../auction/pop-landing.ts';
import { type TrackedAd, trackedAd } from '../../trackers/tracked-ad.ts';

const clickMs = 600_000;

export interface PopClick {
  readonly ranked: RankedBid;
  readonly ad: TrackedAd;
}

/** Undefined if nobody won or the winner has no URL. */
export function popClick(auction: Auction): PopClick | undefined {
  const [ranked] = auction.ranking;
  if (!ranked) return undefined;
  const { opportunity } = auction;
  const landing = popLanding(auction, ranked);
  if (landing === undefined) return undefined;
  const ad = trackedAd(auction, ranked);
  const expiresMs = Math.min(ad.expiresMs, opportunity.timeMs + clickMs);
  return { ranked, ad: { ...ad, landing, expiresMs } };
}
