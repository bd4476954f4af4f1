import { quartileEvents } from '../../../protocols/vast/build-vast.ts';
import { injectTrackers } from '../../../protocols/vast/inject-trackers.ts';
import { joinAds, type TrackedDocument } from '../../../protocols/vast/join-ads.ts';
import { readVast } from '../../../protocols/vast/read-vast.ts';
import type { Trackers } from '../../../protocols/vast/trackers.ts';
import type { VastDocument } from '../../../protocols/vast/vast-document.ts';
import type { Auction, Ranked } from '../../auction/auction.ts';
import { filledMarkup } from '../../auction/filled-markup.ts';
import { vastOf } from '../../demand/bid-vast.ts';
import { trackedAd } from '../../trackers/tracked-ad.ts';
import { trackerUrl } from '../../trackers/tracker-url.ts';
import type { DoorContext } from '../door.ts';

/** Our trackers for a ranked bid, under one token. Clicks of campaigns go through us, those of others beside. */
function trackersFor(auction: Auction, ranked: Ranked, { tokens }: DoorContext): Trackers {
  const token = tokens.sign(trackedAd(auction, ranked));
  const base = auction.services.baseUrl();
  const url = (event: Parameters<typeof trackerUrl>[1]) => trackerUrl(base, event, token);
  const shared = { impression: url('impression'), error: `${url('error')}&code=[ERRORCODE]` };
  if (ranked.candidate.demand.kind !== 'Campaign') return { ...shared, clickTracking: url('clicktracking') };
  const quartiles = Object.fromEntries(quartileEvents.map((event) => [event, url(event)]));
  return { ...shared, quartiles, clickThrough: () => url('click') };
}

/** A ranked bid's document, with the auction's macros filled; as it came where its own values would break it. */
function documentOf(auction: Auction, ranked: Ranked): VastDocument | undefined {
  const { bid, markup } = ranked;
  // What is read already came by no OpenRTB, and has none.
  const filled = bid.vast === undefined ? filledMarkup(auction, ranked) : markup;
  const documents = [filled === markup ? undefined : readVast(filled), vastOf(bid)];
  return documents.find((document) => document !== undefined && !('fault' in document)) as
    | VastDocument
    | undefined;
}

/** The VAST document that answers an auction: the winner's with our trackers, and the fallbacks behind it. */
export function vastDocument(auction: Auction, context: DoorContext): string | undefined {
  const tracked = auction.ranking.flatMap((ranked): TrackedDocument[] => {
    const document = documentOf(auction, ranked);
    return document ? [{ document, trackers: trackersFor(auction, ranked, context) }] : [];
  });
  const [first, ...others] = tracked;
  if (!first) return undefined;
  return others.length === 0 ? injectTrackers(first.document, first.trackers) : joinAds(first, others);
}
