import type { IncomingMessage } from 'node:http';
import { popForms } from '../../../protocols/pop/build-pop-answer.ts';
import { authenticate } from '../../auction/authenticate.ts';
import { runAuction } from '../../auction/run-auction.ts';
import type { Floor } from '../../currency.ts';
import { nanosPerUsd } from '../../money.ts';
import { zoneQuery } from '../../reading/query.ts';
import { isRefusal, refuse } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { auctionEndpoint, type DeliveryAnswer } from '../auction-endpoint.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { urlReader } from '../url-reader.ts';
import { clickUrl } from './click-url.ts';
import { type PopClick, popClick } from './pop-click.ts';
import { readFeedRequest } from './read-opportunity.ts';

const bidDecimals = 9;

/** In the feed's currency, without an exponent: a CPM in micro-USD is a visit's nano-USD. */
function visitPrice(cpmMicros: number, usdPerUnit = 1): string {
  return (cpmMicros / nanosPerUsd / usdPerUnit).toFixed(bidDecimals).replace(/\.?0+$/, '');
}

/** The advertiser's site as feeds show it, never the landing, which only our click may reveal. */
function shownUrl({ ranked, ad }: PopClick): string {
  const { protocol, hostname } = new URL(ad.landing);
  const [adDomain] = ranked.bid.adDomains;
  return URL.parse(`${protocol}//${adDomain}/`)?.href ?? `${protocol}//${hostname}/`;
}

function popAnswerOf(click: PopClick, { foreignFloor }: Floor, { tokens, services }: DeliveryContext) {
  const { bid, payoutCpmMicros } = click.ranked;
  const url = shownUrl(click);
  return {
    title: bid.title || new URL(url).hostname,
    url,
    description: bid.description ?? '',
    bid: visitPrice(payoutCpmMicros, foreignFloor?.usdPerUnit),
    click: clickUrl(services.baseUrl(), tokens.sign('click', click.ad)),
  };
}

async function answer(request: IncomingMessage, context: DeliveryContext): Promise<DeliveryAnswer> {
  const query = zoneQuery(request.url ?? '');
  const { contentType, build } = popForms[query.text('format') === 'json' ? 'json' : 'xml'];
  const credentials = { kind: 'PopFeed', id: query.text('feed'), auth: query.text('auth') } as const;
  const supply = authenticate(context.snapshot(), credentials, context.services.now());
  if (isRefusal(supply)) return {};
  const caller = context.callerOf(request);
  const read = (as: Supply) => readFeedRequest(as, query, caller, context);
  const auction = await runAuction(supply, read(supply), context.services, read);
  const click = popClick(auction);
  if (!click) return { auction, withheld: refuse('invalid_creative') };
  const text = build(popAnswerOf(click, auction.opportunity, context));
  return { auction, body: { text, headers: { 'content-type': contentType } } };
}

export const popEndpoint = auctionEndpoint('/pop', {
  requestReader: urlReader('PopFeed', readFeedRequest),
  answer,
});
