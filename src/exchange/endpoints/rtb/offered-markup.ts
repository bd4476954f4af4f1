import { nativeFormOf, nativeWithTrackers } from '../../../protocols/openrtb/native-response.ts';
import { popXml } from '../../../protocols/openrtb/pop-markup.ts';
import { readDaast } from '../../../protocols/vast/read-daast.ts';
import { xmlAttribute } from '../../../protocols/vast/xml-values.ts';
import type { Auction, RankedBid } from '../../auction/auction.ts';
import { filledMarkup } from '../../auction/filled-markup.ts';
import { popLanding } from '../../auction/pop-landing.ts';
import type { Media } from '../../opportunity.ts';
import { measurementUrl } from '../../trackers/measurement.ts';
import { filledVast, trackedVast } from '../../trackers/tracked-vast.ts';
import { type SignedTrackers, trackerUrl } from '../../trackers/tracker-url.ts';
import { withCampaignClicks } from '../campaign-clicks.ts';

interface MarkupSource {
  readonly auction: Auction;
  readonly ranked: RankedBid;
  readonly filled: () => string;
  readonly signed: SignedTrackers;
  /** Third-party measurement. */
  readonly measurement: string | undefined;
}

interface TrackedMarkup {
  readonly markup: string;
  readonly isMeasured: boolean;
}

/** DAAST; as its bidder sent it if macros have broken it. */
const daast = (filled: string, { markup }: RankedBid) => readDaast(filled) ?? readDaast(markup);

/** DAAST goes on without our trackers; only notices report on it. */
function audio(source: MarkupSource): TrackedMarkup | undefined {
  const tracked = video(source);
  if (tracked) return tracked;
  const markup = daast(source.filled(), source.ranked);
  return markup === undefined ? undefined : { markup, isMeasured: false };
}

/** An invisible image, which can follow any HTML. */
const pixel = (url: string) =>
  `<img src="${url}" width="1" height="1" alt="" style="position:absolute;visibility:hidden">`;

/** As the request wants it, with trackers; as its bidder sent it if macros have broken it. */
function nativeAd({ opportunity }: Auction, ranked: RankedBid, filled: string, trackers: readonly string[]) {
  const form = nativeFormOf(opportunity.original?.imp.native ?? { request: '' });
  return nativeWithTrackers(filled, trackers, form) ?? nativeWithTrackers(ranked.markup, trackers, form);
}

function native({ auction, ranked, filled, signed, measurement }: MarkupSource): TrackedMarkup | undefined {
  const trackers = [trackerUrl(signed, 'impression'), ...(measurement ? [measurement] : [])];
  const markup = nativeAd(auction, ranked, filled(), trackers);
  return markup === undefined ? undefined : { markup, isMeasured: measurement !== undefined };
}

function banner({ ranked, filled, signed, measurement }: MarkupSource): TrackedMarkup {
  const content = withCampaignClicks(filled(), ranked.candidate.demand, () => trackerUrl(signed, 'click'));
  const measured = measurement === undefined ? '' : pixel(xmlAttribute(measurement));
  const markup = `${content}${pixel(trackerUrl(signed, 'impression'))}${measured}`;
  return { markup, isMeasured: measurement !== undefined };
}

function video({ auction, ranked, signed, measurement }: MarkupSource): TrackedMarkup | undefined {
  const markup = trackedVast(auction, ranked, signed, measurement);
  return markup === undefined ? undefined : { markup, isMeasured: measurement !== undefined };
}

const trackedOf: Readonly<Record<Media, (source: MarkupSource) => TrackedMarkup | undefined>> = {
  video,
  audio,
  banner,
  native,
  pop: ({ signed }) => ({ markup: trackerUrl(signed, 'open'), isMeasured: false }),
};

function untracked(auction: Auction, ranked: RankedBid, filled: string): string {
  const vast = filledVast(auction, ranked)?.text;
  const { media } = auction.opportunity;
  if (media === 'audio') return vast ?? daast(filled, ranked) ?? '';
  return vast ?? (media === 'native' ? nativeAd(auction, ranked, filled, []) : undefined) ?? filled;
}

/** Fills the bidder's macros and, except in a test, adds our and third-party trackers. Undefined if broken. */
export function offeredMarkup(
  auction: Auction,
  ranked: RankedBid,
  signed: SignedTrackers,
): string | undefined {
  const { opportunity, supply } = auction;
  if (opportunity.media === 'pop' && popLanding(auction, ranked) === undefined) return undefined;
  const filled = () => filledMarkup(auction, ranked);
  const tracked = opportunity.isTest
    ? { markup: untracked(auction, ranked, filled()), isMeasured: false }
    : trackedOf[opportunity.media]({
        auction,
        ranked,
        filled,
        signed,
        measurement: measurementUrl(auction, ranked),
      });
  const markup = tracked?.markup;
  auction.isMeasured = tracked?.isMeasured ?? false;
  const isXml = opportunity.media === 'pop' && supply.settings.PopAdmXml === 1;
  return markup !== undefined && isXml ? popXml(markup) : markup;
}
