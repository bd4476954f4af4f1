import type { IncomingMessage } from 'node:http';
import type { Auction, RankedBid } from '../../auction/auction.ts';
import { authenticate } from '../../auction/authenticate.ts';
import { filledMarkup } from '../../auction/filled-markup.ts';
import { runAuction } from '../../auction/run-auction.ts';
import type { Caller } from '../../reading/caller.ts';
import { zoneQuery } from '../../reading/query.ts';
import { isRefusal, type Refusal, refuse } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { mismatchedField } from '../../trackers/match.ts';
import { type TrackedAd, trackedAd } from '../../trackers/tracked-ad.ts';
import { trackedVast } from '../../trackers/tracked-vast.ts';
import { type TrackerEvent, trackerUrl } from '../../trackers/tracker-url.ts';
import { countValidity } from '../../trackers/validity.ts';
import { auctionEndpoint, type DeliveryAnswer } from '../auction-endpoint.ts';
import { withCampaignClicks } from '../campaign-clicks.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { urlReader } from '../url-reader.ts';
import { bannerPage } from './banner-page.ts';
import { videoPage } from './player-endpoint.ts';
import { readBannerRequest } from './read-opportunity.ts';

const pagePolicy =
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy,
} as const;

/** With all our trackers under one token; undefined if its VAST is broken. */
function pageOf(
  auction: Auction,
  ranked: RankedBid,
  ad: TrackedAd,
  context: DeliveryContext,
): string | undefined {
  const { demand } = ranked.candidate;
  const signed = { base: context.services.baseUrl(), token: context.tokens.sign('markup', ad) };
  const url = (event: TrackerEvent) => trackerUrl(signed, event);
  if (ranked.bid.media === 'video') {
    const vast = trackedVast(auction, ranked, signed);
    return vast && videoPage(vast, signed.base);
  }
  const markup = withCampaignClicks(filledMarkup(auction, ranked), demand, () => url('click'));
  return bannerPage(markup, url('impression'));
}

/** Why the page may not show the banner. Browsers send the referer only here, because of the sandbox. */
function refusePage(
  ad: TrackedAd,
  caller: Caller,
  { supply }: Auction,
  ranked: RankedBid,
): Refusal | undefined {
  if (caller.referer === '') return undefined;
  const unidentified = { ...ad, isRefererChecked: false, ip: '', userAgentHash: 0 };
  const field = mismatchedField(unidentified, caller, [supply.match, ranked.candidate.demand.match]);
  return field === undefined ? undefined : refuse('visitor_refused', { field, met: caller.referer });
}

async function answer(request: IncomingMessage, context: DeliveryContext): Promise<DeliveryAnswer> {
  const query = zoneQuery(request.url ?? '');
  const credentials = { kind: 'BannerEp', id: query.text('zone'), auth: query.text('auth') } as const;
  const supply = authenticate(context.snapshot(), credentials, context.services.now());
  if (isRefusal(supply)) return {};
  const caller = context.callerOf(request);
  const read = (as: Supply) => readBannerRequest(as, query, caller, context);
  const auction = await runAuction(supply, read(supply), context.services, read);
  const [ranked] = auction.ranking;
  if (!ranked) return { auction };
  const ad = { ...trackedAd(auction, ranked), isRefererChecked: caller.referer !== '' };
  const withheld = refusePage(ad, caller, auction, ranked);
  if (withheld) {
    countValidity({ ad, request, context }, 'visitor_refused');
    return { auction, withheld };
  }
  const text = pageOf(auction, ranked, ad, context);
  if (text === undefined) return { auction, withheld: refuse('invalid_creative') };
  return { auction, body: { text, headers } };
}

/** `/banner`: a page with the winner's HTML, or one that plays its video, or 204. */
export const bannerEndpoint = auctionEndpoint('/banner', {
  requestReader: urlReader('BannerEp', readBannerRequest),
  pagePolicy,
  answer,
});
