import { joinAds, type TrackedDocument } from '../../../protocols/vast/join-ads.ts';
import type { Auction, Ranked } from '../../auction/auction.ts';
import { trackedAd } from '../../trackers/tracked-ad.ts';
import { filledVast, type TrackerOf, trackedVast, vastTrackers } from '../../trackers/tracked-vast.ts';
import { trackerUrl } from '../../trackers/tracker-url.ts';
import type { DoorContext } from '../door.ts';

/** URLs of our trackers for a ranked bid, under one token. */
function trackersOf(auction: Auction, ranked: Ranked, { tokens }: DoorContext): TrackerOf {
  const token = tokens.sign(trackedAd(auction, ranked));
  const base = auction.services.baseUrl();
  return (event) => trackerUrl(base, event, token);
}

/** The winner's ad, and the fallbacks behind it. */
function waterfall(auction: Auction, context: DoorContext): string | undefined {
  const [first, ...others] = auction.ranking.flatMap((ranked): TrackedDocument[] => {
    const document = filledVast(auction, ranked);
    return document
      ? [{ document, trackers: vastTrackers(ranked, trackersOf(auction, ranked, context)) }]
      : [];
  });
  return first && joinAds(first, others);
}

/** The VAST document that answers an auction, with our trackers; undefined where there is no ad. */
export function vastDocument(auction: Auction, context: DoorContext): string | undefined {
  const [winner, ...others] = auction.ranking;
  if (!winner) return undefined;
  if (others.length > 0) return waterfall(auction, context);
  return trackedVast(auction, winner, trackersOf(auction, winner, context));
}
