import { nativeWithTracker } from '../../../protocols/openrtb/native-response.ts';
import { popXml } from '../../../protocols/openrtb/pop-markup.ts';
import type { Auction, Ranked } from '../../auction/auction.ts';
import { filledMarkup } from '../../auction/filled-markup.ts';
import { popLanding } from '../../auction/pop-landing.ts';
import type { Media } from '../../opportunity.ts';
import { filledVast, trackedVast } from '../../trackers/tracked-vast.ts';
import { type SignedTrackers, trackerUrl } from '../../trackers/tracker-url.ts';
import { withCampaignClicks } from '../campaign-clicks.ts';

/** What the markup of a ranked bid is made from. */
interface Source {
  readonly auction: Auction;
  readonly ranked: Ranked;
  /** The markup with the bidder's macros filled. */
  readonly filled: () => string;
  readonly signed: SignedTrackers;
}

/** Audio is VAST today. Other markup (DAAST) goes on without our trackers, so that only notices report on it. */
function audio({ auction, ranked, filled, signed }: Source): string {
  return trackedVast(auction, ranked, signed) ?? filled();
}

/** An invisible image. It can follow any HTML, whatever the advertiser's markup is. */
const pixel = (url: string) =>
  `<img src="${url}" width="1" height="1" alt="" style="position:absolute;visibility:hidden">`;

function native({ ranked, filled, signed }: Source): string | undefined {
  const tracker = trackerUrl(signed, 'impression');
  return nativeWithTracker(filled(), tracker) ?? nativeWithTracker(ranked.markup, tracker);
}

function banner({ ranked, filled, signed }: Source): string {
  const markup = withCampaignClicks(filled(), ranked.candidate.demand, () => trackerUrl(signed, 'click'));
  return `${markup}${pixel(trackerUrl(signed, 'impression'))}`;
}

const trackedOf: Readonly<Record<Media, (source: Source) => string | undefined>> = {
  video: ({ auction, ranked, signed }) => trackedVast(auction, ranked, signed),
  audio,
  banner,
  native,
  pop: ({ signed }) => trackerUrl(signed, 'open'),
};

/**
 * The markup of an offer, with the bidder's macros filled and, except for a test, our trackers; undefined if the bid's
 * markup is broken.
 */
export function offeredMarkup(auction: Auction, ranked: Ranked, signed: SignedTrackers): string | undefined {
  const { opportunity, supply } = auction;
  if (opportunity.media === 'pop' && popLanding(auction, ranked) === undefined) return undefined;
  const filled = () => filledMarkup(auction, ranked);
  const markup = opportunity.isTest
    ? (filledVast(auction, ranked)?.text ?? filled())
    : trackedOf[opportunity.media]({ auction, ranked, filled, signed });
  const isXml = opportunity.media === 'pop' && supply.settings.PopAdmXml === 1;
  return markup !== undefined && isXml ? popXml(markup) : markup;
}
