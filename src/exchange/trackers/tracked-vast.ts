import { fillMacros, type MacroValues } from '../../protocols/openrtb/macros.ts';
import { quartileEvents } from '../../protocols/vast/build-vast.ts';
import { injectTrackers } from '../../protocols/vast/inject-trackers.ts';
import { readVast } from '../../protocols/vast/read-vast.ts';
import type { Trackers } from '../../protocols/vast/trackers.ts';
import type { VastDocument, VastFault } from '../../protocols/vast/vast-document.ts';
import type { Auction, Ranked } from '../auction/auction.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import { vastOf } from '../demand/bid-vast.ts';
import type { TrackerEvent } from './tracker-url.ts';

/** URL of a tracker for the ad, by what it reports. */
export type TrackerOf = (event: TrackerEvent) => string;

/** Our trackers for a ranked bid. Clicks of campaigns go through us, those of others beside. */
export function vastTrackers({ candidate }: Ranked, url: TrackerOf): Trackers {
  const shared = { impression: url('impression'), error: `${url('error')}&code=[ERRORCODE]` };
  if (candidate.demand.kind !== 'Campaign') return { ...shared, clickTracking: url('clicktracking') };
  const quartiles = Object.fromEntries(quartileEvents.map((event) => [event, url(event)]));
  return { ...shared, quartiles, clickThrough: () => url('click') };
}

function asVast(read: VastDocument | VastFault | undefined): VastDocument | undefined {
  return read === undefined || 'fault' in read ? undefined : read;
}

/** What is read already came by no OpenRTB, and has no macros of it. */
function macrosOf({ opportunity }: Auction, { bid, clearingCpmMicros }: Ranked): MacroValues | undefined {
  if (bid.vast !== undefined || !bid.markup?.includes('AUCTION_')) return undefined;
  return auctionMacros(opportunity.auctionId, bid, { clearingCpmMicros });
}

/** A ranked bid's document with the auction's macros filled; as it came where its own values would break it. */
export function filledVast(auction: Auction, ranked: Ranked): VastDocument | undefined {
  const macros = macrosOf(auction, ranked);
  const filled = macros && asVast(readVast(fillMacros(ranked.markup, macros)));
  return filled ?? asVast(vastOf(ranked.bid));
}

/** Values that mean nothing to XML, wherever they stand in it. */
const plain = /^[\w.:~-]*$/;

/** A ranked bid's document with our trackers in it; undefined where it is none. */
export function trackedVast(auction: Auction, ranked: Ranked, url: TrackerOf): string | undefined {
  const own = asVast(vastOf(ranked.bid));
  const macros = macrosOf(auction, ranked);
  const trackers = vastTrackers(ranked, url);
  if (macros === undefined) return own && injectTrackers(own, trackers);
  // Then they change nothing but themselves, and nothing has to be read again.
  const isPlain = Object.values(macros).every((value) => plain.test(value));
  if (own && isPlain) return fillMacros(injectTrackers(own, trackers), macros);
  const document = filledVast(auction, ranked);
  return document && injectTrackers(document, trackers);
}
