import { nativeWithTracker } from '../../../protocols/openrtb/native-response.ts';
import { popXml } from '../../../protocols/openrtb/pop-markup.ts';
import { quartileEvents } from '../../../protocols/vast/build-vast.ts';
import { injectTrackers } from '../../../protocols/vast/inject-trackers.ts';
import { readVast } from '../../../protocols/vast/read-vast.ts';
import type { Trackers } from '../../../protocols/vast/trackers.ts';
import type { VastDocument, VastFault } from '../../../protocols/vast/vast-document.ts';
import type { Auction, Ranked } from '../../auction/auction.ts';
import { filledMarkup } from '../../auction/filled-markup.ts';
import { popLanding } from '../../auction/pop-landing.ts';
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

/** The first of several forms of a document that is VAST: with macros filled, or as it came where that breaks it. */
function firstVast(forms: readonly (VastDocument | VastFault | undefined)[]): VastDocument | undefined {
  const isVast = (form: VastDocument | VastFault | undefined): form is VastDocument =>
    form !== undefined && !('fault' in form);
  return forms.find(isVast);
}

/** What the markup of a ranked bid is made from. */
interface Source {
  readonly ranked: Ranked;
  /** With the bidder's macros filled. */
  readonly filled: string;
  readonly url: TrackerOf;
}

function video({ ranked, filled, url }: Source): string | undefined {
  const { bid, markup } = ranked;
  // What is read already came by no OpenRTB, and has no macros.
  const isFilled = bid.vast === undefined && filled !== markup;
  const document = firstVast([isFilled ? readVast(filled) : undefined, vastOf(bid)]);
  return document && injectTrackers(document, vastTrackers(ranked, url));
}

/** Audio is VAST today; what is not (DAAST) goes on as it is, and only notices tell of it. */
function audio({ ranked, filled, url }: Source): string {
  const document = firstVast([readVast(filled), readVast(ranked.markup)]);
  return document ? injectTrackers(document, vastTrackers(ranked, url)) : filled;
}

/** An image that nobody sees: HTML of advertisers may be anything, and this may stand behind all of it. */
const pixel = (url: string) =>
  `<img src="${url}" width="1" height="1" alt="" style="position:absolute;visibility:hidden">`;

function native({ ranked, filled, url }: Source): string | undefined {
  const tracker = url('impression');
  return nativeWithTracker(filled, tracker) ?? nativeWithTracker(ranked.markup, tracker);
}

const trackedOf: Readonly<Record<Media, (source: Source) => string | undefined>> = {
  video,
  audio,
  banner: ({ filled, url }) => `${filled}${pixel(url('impression'))}`,
  native,
  pop: ({ url }) => url('open'),
};

/**
 * The markup that an offer carries, with our trackers, or without where it is for a test, and its bidder's macros
 * filled; undefined where it is broken.
 */
export function offeredMarkup(auction: Auction, ranked: Ranked, url: TrackerOf): string | undefined {
  const { opportunity, supply } = auction;
  if (opportunity.media === 'pop' && popLanding(auction, ranked) === undefined) return undefined;
  const filled = filledMarkup(auction, ranked);
  const markup = opportunity.isTest ? filled : trackedOf[opportunity.media]({ ranked, filled, url });
  const isXml = opportunity.media === 'pop' && supply.document.PopAdmXml === 1;
  return markup !== undefined && isXml ? popXml(markup) : markup;
}
