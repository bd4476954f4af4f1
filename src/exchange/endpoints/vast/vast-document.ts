import { joinAds, joinPod, type TrackedDocument } from '../../../protocols/vast/join-ads.ts';
import { type Auction, adsOf, type RankedBid } from '../../auction/auction.ts';
import { deferredNotices, trackedAd } from '../../trackers/tracked-ad.ts';
import { filledVast, trackedVast, vastTrackers } from '../../trackers/tracked-vast.ts';
import type { SignedTrackers } from '../../trackers/tracker-url.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';

/** A fallback's token carries its win notice: it wins when it is shown. */
function signed(auction: Auction, ranked: RankedBid, { tokens }: DeliveryContext): SignedTrackers {
  const ad = trackedAd(auction, ranked);
  const isFallback = ranked !== auction.ranking[0];
  const winNotice = isFallback ? deferredNotices(auction, ranked).winNotice : '';
  return { base: auction.services.baseUrl(), token: tokens.sign('markup', { ...ad, isFallback, winNotice }) };
}

function tracked(auction: Auction, context: DeliveryContext): TrackedDocument[] {
  return auction.ranking.flatMap((ranked) => {
    const document = filledVast(auction, ranked);
    if (!document) return [];
    const { base, token } = signed(auction, ranked, context);
    return [{ document, trackers: vastTrackers(ranked, base), token }];
  });
}

/** Undefined without an ad. */
export function vastDocument(auction: Auction, context: DeliveryContext): string | undefined {
  const [winner, ...others] = auction.ranking;
  if (!winner) return undefined;
  if (others.length === 0) return trackedVast(auction, winner, signed(auction, winner, context));
  const [first, ...behind] = adsOf(auction).flatMap((ad) => tracked(ad, context));
  const join = auction.pod ? joinPod : joinAds;
  return first && join(first, behind);
}
