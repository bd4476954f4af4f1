import { fillMacros, fillPrivacyMacros } from '../../protocols/openrtb/macros.ts';
import { quartileEvents } from '../../protocols/vast/build-vast.ts';
import { fillVastMacros } from '../../protocols/vast/fill-macros.ts';
import { injectTrackers } from '../../protocols/vast/inject-trackers.ts';
import { readVast } from '../../protocols/vast/read-vast.ts';
import type { Trackers, TrackerUrl } from '../../protocols/vast/trackers.ts';
import type { VastDocument, VastFault } from '../../protocols/vast/vast-document.ts';
import type { Auction, RankedBid } from '../auction/auction.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import { inServedVersion, vastForPlayer } from '../demand/bid-vast.ts';
import { vastMacroValues } from '../demand/privacy-values.ts';
import { openTrackerUrl, type SignedTrackers, type TrackerEvent } from './tracker-url.ts';

/** Filled in by players (VAST, macros). */
const errorCode = '&code=[ERRORCODE]';

/** Once per base URL, of which there are only as many as regions. */
function madeOnce(make: (url: (event: TrackerEvent, behind?: string) => TrackerUrl) => Trackers) {
  const made = new Map<string, Trackers>();
  return (base: string): Trackers => {
    const known = made.get(base);
    if (known) return known;
    const trackers = make((event, behind) => openTrackerUrl(base, event, behind));
    made.set(base, trackers);
    return trackers;
  };
}

/** Known `ClickUrl`s go through our redirect; other clicks go straight on, and we are called in parallel. */
const ofAll = (url: (event: TrackerEvent, behind?: string) => TrackerUrl): Trackers => ({
  impression: url('impression'),
  error: url('error', errorCode),
  quartiles: Object.fromEntries(quartileEvents.map((event) => [event, url(event)])),
  skip: url('skip'),
});
const ofOwnAds = madeOnce((url) => ({
  ...ofAll(url),
  clickThrough: url('click'),
}));
const ofOthers = madeOnce((url) => ({
  ...ofAll(url),
  clickTracking: url('clicktracking'),
}));

/** Without the token yet: one shared object for all such bids. */
export function vastTrackers({ candidate }: RankedBid, base: string): Trackers {
  return candidate.demand.settings.ClickUrl === undefined ? ofOthers(base) : ofOwnAds(base);
}

function asVast(read: VastDocument | VastFault | undefined): VastDocument | undefined {
  return read === undefined || 'fault' in read ? undefined : read;
}

const mayHaveMacro = /AUCTION_|GDPR|US_PRIVACY|GPP|REGULATIONS|LIMITADTRACKING/;

/** Undefined without macros. A bid with VAST already read is not from OpenRTB, whose own macros it lacks. */
function fillingOf({ opportunity }: Auction, { bid, markup, clearingCpmMicros }: RankedBid) {
  if (!mayHaveMacro.test(markup)) return undefined;
  const values = auctionMacros(opportunity, bid, { clearingCpmMicros });
  const fillBidder = bid.vast === undefined ? fillMacros : fillPrivacyMacros;
  const fill = (text: string) => fillVastMacros(fillBidder(text, values), vastMacroValues({ opportunity }));
  return { values, fill };
}

/** Macros filled; as received if their values would break it. */
export function filledVast(auction: Auction, ranked: RankedBid): VastDocument | undefined {
  const filling = fillingOf(auction, ranked);
  const { opportunity } = auction;
  const filled = filling && asVast(readVast(filling.fill(ranked.markup)));
  return (
    (filled && inServedVersion(filled, ranked.bid, opportunity)) ?? vastForPlayer(ranked.bid, opportunity)
  );
}

/** Safe anywhere in XML, unless it completes a section's end. */
const plain = /^[\w.:~,-]*$/;
/** Ends of CDATA, comments and instructions. Removing a macro from `]]${…}>` makes one. */
const sectionEnd = /\]\]>|-->|\?>/g;
const sectionEnds = (text: string) => text.match(sectionEnd)?.length;

/** With our trackers and third-party measurement; undefined if the bid has no document. */
export function trackedVast(
  auction: Auction,
  ranked: RankedBid,
  { base, token }: SignedTrackers,
  measurement?: string,
): string | undefined {
  const own = vastForPlayer(ranked.bid, auction.opportunity);
  const filling = fillingOf(auction, ranked);
  const ours = vastTrackers(ranked, base);
  const trackers = measurement === undefined ? ours : { ...ours, measurement };
  if (filling === undefined) return own && injectTrackers(own, trackers, token);
  if (own && Object.values(filling.values).every((value) => plain.test(value))) {
    const tracked = injectTrackers(own, trackers, token);
    const filled = filling.fill(tracked);
    // The structure is unchanged, so it need not be parsed again.
    if (sectionEnds(filled) === sectionEnds(tracked)) return filled;
  }
  const document = filledVast(auction, ranked);
  return document && injectTrackers(document, trackers, token);
}
