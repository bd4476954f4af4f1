import { fillMacros } from '../../../protocols/openrtb/macros.ts';
import { nativeWithTracker } from '../../../protocols/openrtb/native-response.ts';
import { popXml } from '../../../protocols/openrtb/pop-markup.ts';
import { quartileEvents } from '../../../protocols/vast/build-vast.ts';
import { injectTrackers } from '../../../protocols/vast/inject-trackers.ts';
import { readVast } from '../../../protocols/vast/read-vast.ts';
import type { Trackers } from '../../../protocols/vast/trackers.ts';
import type { Auction, Ranked } from '../../auction/auction.ts';
import { auctionMacros } from '../../demand/auction-macros.ts';
import { vastOf } from '../../demand/bid-vast.ts';
import type { Media } from '../../opportunity.ts';
import type { TrackerEvent } from '../../trackers/tracker-url.ts';

/** URL of a tracker for the ad, by what it reports. */
export type TrackerOf = (event: TrackerEvent) => string;

/** Our trackers in VAST: clicks of campaigns go through us, those of others beside. */
function vastTrackers({ candidate }: Ranked, url: TrackerOf): Trackers {
  const shared = { impression: url('impression'), error: `${url('error')}&code=[ERRORCODE]` };
  if (candidate.demand.kind !== 'Campaign') return { ...shared, clickTracking: url('clicktracking') };
  const quartiles = Object.fromEntries(quartileEvents.map((event) => [event, url(event)]));
  return { ...shared, quartiles, clickThrough: () => url('click') };
}

function video(ranked: Ranked, url: TrackerOf): string | undefined {
  const document = vastOf(ranked.bid);
  return document && !('fault' in document) ? injectTrackers(document, vastTrackers(ranked, url)) : undefined;
}

/** Audio is VAST today; what is not (DAAST) goes on as it is, and only notices tell of it. */
function audio(ranked: Ranked, url: TrackerOf): string {
  const document = readVast(ranked.markup);
  return 'fault' in document ? ranked.markup : injectTrackers(document, vastTrackers(ranked, url));
}

/** An image that nobody sees: HTML of advertisers may be anything, and this may stand behind all of it. */
const pixel = (url: string) =>
  `<img src="${url}" width="1" height="1" alt="" style="position:absolute;visibility:hidden">`;

type Tracked = (ranked: Ranked, url: TrackerOf, auction: Auction) => string | undefined;

const trackedOf: Readonly<Record<Media, Tracked>> = {
  video,
  audio,
  banner: ({ markup }, url) => `${markup}${pixel(url('impression'))}`,
  native: ({ markup }, url) => nativeWithTracker(markup, url('impression')),
  pop: (_, url) => url('open'),
};

/** The markup that an offer carries, with our trackers and its bidder's macros filled; undefined where it is broken. */
export function offeredMarkup(auction: Auction, ranked: Ranked, url: TrackerOf): string | undefined {
  const { opportunity, supply } = auction;
  const { bid, clearingCpmMicros } = ranked;
  const markup = opportunity.isTest ? ranked.markup : trackedOf[opportunity.media](ranked, url, auction);
  if (markup === undefined) return undefined;
  const filled = fillMacros(markup, auctionMacros(opportunity.auctionId, bid, { clearingCpmMicros }));
  return opportunity.media === 'pop' && supply.document.PopAdmXml === 1 ? popXml(filled) : filled;
}
