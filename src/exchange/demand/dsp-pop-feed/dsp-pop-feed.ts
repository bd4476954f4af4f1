import { httpUrl } from '../../../protocols/http-url.ts';
import { currencyAt, type ForeignCurrency } from '../../currency.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import type { DemandOf } from '../../snapshot/demand.ts';
import { priceIn } from '../bid-price.ts';
import type { Bid, DemandKind, OutboundAnswer, OutboundRequest, Solicitation } from '../demand-kind.ts';
import { deviceHeaders } from '../device-headers.ts';
import { regionalUrl } from '../regional-url.ts';
import { urlTemplates } from '../url-template.ts';
import { macros } from './macros.ts';
import { popBid, readPopBid } from './read-pop-bid.ts';
import { withShownSite } from './shown-site.ts';

type PopFeed = DemandOf<'DspPopFeed'>;

const templateOf = urlTemplates(macros);
const accept = 'application/xml, application/json, text/xml;q=0.9, */*;q=0.1';

/** Whether it bids its `DirectUrl` without a call to its feed. */
function isDirect({ settings }: PopFeed, { opportunity }: Pick<Solicitation, 'opportunity'>): boolean {
  return opportunity.isDirect === true && settings.DirectUrl !== '' && settings.FixedSpendCpc > 0;
}

function build(demand: PopFeed, solicitation: Solicitation): OutboundRequest | Refusal | undefined {
  if (isDirect(demand, solicitation)) return undefined;
  const url = regionalUrl(demand.settings, 'FeedUrl', solicitation.region);
  if (url === '') return refuse('not_callable', { field: 'FeedUrl', wanted: 'a URL', met: '' });
  const shown = withShownSite(demand, solicitation);
  const headers = deviceHeaders(shown, accept, shown.opportunity.inventory.pageUrl);
  return { method: 'GET', url: templateOf(demand, url)(shown), headers };
}

/** At `FixedSpendCpc`; the ad is `DirectUrl` with macros filled. */
function directBid(
  demand: PopFeed,
  solicitation: Solicitation,
  foreign: ForeignCurrency | undefined,
): Bid | Refusal {
  const url = demand.settings.DirectUrl;
  const target = httpUrl(templateOf(demand, url)(withShownSite(demand, solicitation)));
  const price = priceIn(demand.settings.FixedSpendCpc, foreign, 1);
  if (target === undefined) return refuse('invalid_creative', { field: 'DirectUrl', met: url });
  if (price === undefined) {
    return refuse('invalid_price', { field: 'FixedSpendCpc', met: demand.settings.FixedSpendCpc });
  }
  const adDomain = URL.parse(target)?.hostname ?? '';
  const ad = { target, adDomain, title: '', description: '', ...price, isFixedPrice: true };
  return popBid(demand, solicitation.opportunity.auctionId, ad);
}

function read(
  demand: PopFeed,
  solicitation: Solicitation,
  answer: OutboundAnswer | undefined,
): Bid | Refusal {
  const { media, auctionId } = solicitation.opportunity;
  if (media !== 'pop') return refuse('media_not_enabled', { wanted: 'pop', met: media });
  const foreign = currencyAt(demand.settings.Currency, 'Currency', solicitation.opportunity);
  if (foreign && 'reason' in foreign) return foreign;
  if (isDirect(demand, solicitation)) return directBid(demand, solicitation, foreign);
  return answer === undefined ? refuse('no_bid') : readPopBid(demand, auctionId, answer, foreign);
}

export const dspPopFeed: DemandKind<'DspPopFeed'> = {
  isCalled: (demand, opportunity) => !isDirect(demand, { opportunity }),
  build,
  read,
};
