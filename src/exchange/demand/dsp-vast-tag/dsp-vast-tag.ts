import { readVast } from '../../../protocols/vast/read-vast.ts';
import type { VastDocument } from '../../../protocols/vast/vast-document.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import type { DemandOf } from '../../snapshot/demand.ts';
import { bidDefaults } from '../bid-defaults.ts';
import type { Bid, DemandKind, OutboundAnswer, OutboundRequest, Solicitation } from '../demand-kind.ts';
import { deviceHeaders } from '../device-headers.ts';
import { regionalUrl } from '../regional-url.ts';
import { urlTemplates } from '../url-template.ts';
import { macros } from './macros.ts';
import { tagPrice } from './tag-price.ts';

const templateOf = urlTemplates(macros);
const accept = 'application/xml, text/xml, */*;q=0.1';

function build(demand: DemandOf<'DspVastTag'>, solicitation: Solicitation): OutboundRequest | Refusal {
  const url = regionalUrl(demand.settings, 'ZoneUrl', solicitation.region);
  if (url === '') return refuse('not_callable', { field: 'ZoneUrl', wanted: 'a URL', met: '' });
  const filled = templateOf(demand, url)(solicitation);
  const headers = deviceHeaders(solicitation, accept, solicitation.opportunity.inventory.pageUrl);
  return { method: 'GET', url: filled, headers };
}

function bidOf(
  demand: DemandOf<'DspVastTag'>,
  auctionId: string,
  vast: VastDocument,
  price: Pick<Bid, 'priceCpmMicros' | 'foreign'>,
): Bid {
  const { ads } = vast;
  return {
    ...bidDefaults,
    id: auctionId,
    demand,
    ...price,
    media: 'video',
    markup: vast.text,
    vast,
    adDomains: ads.flatMap(({ adDomains }) => adDomains),
    categories: ads.flatMap(({ categories }) => categories),
    creativeId: ads.find(({ creativeId }) => creativeId !== '')?.creativeId ?? '',
  };
}

function documentOf(answer: OutboundAnswer): VastDocument | Refusal {
  if (answer.status === 204) return refuse('no_bid', { wanted: 200, met: 204 });
  if (answer.status !== 200) return refuse('invalid_response', { wanted: 200, met: answer.status });
  const document = readVast(answer.body);
  if ('fault' in document) {
    const reason = document.fault === 'empty' ? 'no_bid' : 'invalid_response';
    return refuse(reason, { wanted: 'VAST', met: document.fault });
  }
  return document.ads.length === 0
    ? refuse('no_bid', { wanted: '<Ad>', met: 'VAST without an ad' })
    : document;
}

function read(
  demand: DemandOf<'DspVastTag'>,
  solicitation: Solicitation,
  answer: OutboundAnswer | undefined,
): Bid | Refusal {
  const { opportunity } = solicitation;
  if (opportunity.media !== 'video') {
    return refuse('media_not_enabled', { wanted: 'video', met: opportunity.media });
  }
  const document = answer === undefined ? refuse('no_bid') : documentOf(answer);
  if ('reason' in document) return document;
  const price = tagPrice(demand.settings, document, opportunity);
  return 'reason' in price ? price : bidOf(demand, opportunity.auctionId, document, price);
}

export const dspVastTag: DemandKind<'DspVastTag'> = { build, read };
