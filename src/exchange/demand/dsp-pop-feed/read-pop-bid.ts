import type { PopFault, PopRecord } from '../../../protocols/pop/pop-record.ts';
import { readPopAnswer } from '../../../protocols/pop/read-pop-answer.ts';
import type { ForeignCurrency } from '../../currency.ts';
import { type Reason, type Refusal, refuse } from '../../reasons.ts';
import type { DemandOf } from '../../snapshot/demand.ts';
import { bidDefaults } from '../bid-defaults.ts';
import { priceIn } from '../bid-price.ts';
import type { Bid, OutboundAnswer } from '../demand-kind.ts';

interface PopAd extends Pick<Bid, 'priceCpmMicros' | 'foreign'> {
  readonly target: string;
  readonly adDomain: string;
  readonly title: string;
  readonly description: string;
  /** Paid to the publisher whatever the clearing price. */
  readonly isFixedPrice: boolean;
}

export function popBid(demand: DemandOf<'DspPopFeed'>, auctionId: string, ad: PopAd): Bid {
  const { target, adDomain, ...rest } = ad;
  const adDomains = adDomain === '' ? [] : [adDomain];
  return { ...bidDefaults, id: auctionId, demand, ...rest, media: 'pop', markup: target, adDomains };
}

const faultReasons: Readonly<Record<PopFault, Reason>> = {
  empty: 'no_bid',
  malformed: 'invalid_response',
  no_price: 'invalid_price',
  no_url: 'invalid_creative',
};

/** By the code of `PriceImp1000`. */
const impressionsOfPrice = [1, 1000];

function priced(
  demand: DemandOf<'DspPopFeed'>,
  record: PopRecord,
  foreign: ForeignCurrency | undefined,
): PopAd | undefined {
  const impressions = impressionsOfPrice[demand.settings.PriceImp1000] ?? 1;
  const price = priceIn(record.price, foreign, impressions);
  return price && { ...record, ...price, isFixedPrice: false };
}

const bidsMax = 100;

/** The best bid of an answer, with the others that may replace it, or why there is none. */
export function readPopBid(
  demand: DemandOf<'DspPopFeed'>,
  auctionId: string,
  answer: OutboundAnswer,
  foreign?: ForeignCurrency,
): Bid | Refusal {
  if (answer.status === 204) return refuse('no_bid');
  if (answer.status !== 200)
    return refuse('invalid_response', { field: 'status', wanted: 200, met: answer.status });
  const records = readPopAnswer(answer.body);
  if (typeof records === 'string') {
    return refuse(faultReasons[records], { wanted: 'XML or JSON with a bid and a URL', met: records });
  }
  const ads = records.map((record) => priced(demand, record, foreign)).filter((ad) => ad !== undefined);
  const ranked = ads.sort((one, other) => other.priceCpmMicros - one.priceCpmMicros).slice(0, bidsMax);
  const [best, ...further] = ranked.map((ad) => popBid(demand, auctionId, ad));
  if (best) return further.length === 0 ? best : { ...best, further };
  return refuse('invalid_price', { wanted: 'a price above 0', met: records[0]?.price });
}
