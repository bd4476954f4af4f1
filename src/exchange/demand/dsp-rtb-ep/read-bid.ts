import { markupKind } from '../../../protocols/markup-kind.ts';
import {
  type BidResponse,
  type InvalidBid,
  type ReadBid,
  type ResponseFault,
  readBidResponse,
} from '../../../protocols/openrtb/bid-response.ts';
import { isNativeAd } from '../../../protocols/openrtb/native-response.ts';
import { type ForeignCurrency, rateAt, usd } from '../../currency.ts';
import { mediaIn } from '../../media-variants.ts';
import type { Media, Opportunity } from '../../opportunity.ts';
import { type Reason, type Refusal, refuse } from '../../reasons.ts';
import type { Demand } from '../../snapshot/demand.ts';
import { cpmUsdMax, priceIn } from '../bid-price.ts';
import type { Bid, LostBid, NoBid, OutboundAnswer, Solicitation } from '../demand-kind.ts';
import { demandPart } from './demand-part.ts';
import { impId } from './imp.ts';

const impIds: ReadonlySet<string> = new Set([impId]);

/** By `nbr` (OpenRTB 3.0, No-Bid Reason Codes); 0 and unknown codes are a plain `no_bid`. */
const noBidReasons: readonly (Reason | undefined)[] = [
  'no_bid',
  'technical_error',
  'invalid_request',
  'known_bot',
  'invalid_traffic',
  'ip_blocked',
  'unsupported_device',
  'publisher_blocked',
  'user_not_matched',
  'user_cap_met',
  'domain_cap_met',
  'ads_txt_unavailable',
  'ads_txt_violation',
  'ads_cert_unavailable',
  'ads_cert_violation',
  'insufficient_time',
  'incomplete_schain',
  'schain_node_blocked',
];

const faultReasons: Readonly<Partial<Record<ResponseFault['code'], Reason>>> = {
  wrong_currency: 'currency_not_accepted',
  wrong_price: 'invalid_price',
};

const mtypes: Readonly<Record<Media, number>> = { banner: 1, video: 2, audio: 3, native: 4, pop: 0 };

const reasonOf = ({ code }: ResponseFault): Reason => faultReasons[code] ?? 'invalid_response';

function refuseFault(fault: ResponseFault): Refusal {
  return refuse(reasonOf(fault), { field: fault.path, wanted: fault.code, met: fault.met });
}

function refuseNoBid(nbr: number | undefined): Refusal {
  if (nbr === undefined) return refuse('no_bid');
  return refuse(noBidReasons[nbr] ?? 'no_bid', { field: 'nbr', met: nbr });
}

/** What markup tells of its medium: VAST is video where that was asked for, else audio. */
function mediaOfMarkup(markup: string): readonly Media[] {
  const kind = markupKind(markup);
  if (kind === 'VAST') return ['video', 'audio'];
  if (kind === 'DAAST') return ['audio'];
  return isNativeAd(markup) ? ['native'] : [];
}

/** By `mtype`; without it the one that was asked for, or of several the one that the markup tells. */
function mediumOf({ markup, markupType }: ReadBid, opportunity: Opportunity): Media | Refusal {
  const asked = mediaIn(opportunity);
  const [first] = asked;
  if (first === 'pop') return markup === '' ? refuse('invalid_creative', { field: 'adm' }) : first;
  if (markupType === 0 && first !== undefined && asked.length === 1) return first;
  const told = markupType === 0 ? mediaOfMarkup(markup) : undefined;
  const medium = told
    ? told.find((one) => asked.includes(one))
    : asked.find((one) => mtypes[one] === markupType);
  const [wanted] = asked.length > 1 ? [asked.map((one) => mtypes[one])] : asked.map((one) => mtypes[one]);
  return medium ?? refuse('incorrect_format', { field: 'mtype', wanted, met: markupType || undefined });
}

function bidOf(
  read: ReadBid,
  { responseId, foreign }: { readonly responseId: string; readonly foreign: ForeignCurrency | undefined },
  demand: Demand,
  { opportunity }: Solicitation,
): Bid | Refusal {
  const media = mediumOf(read, opportunity);
  if (typeof media !== 'string') return media;
  const price = priceIn(read.price, foreign);
  if (price === undefined) return refuse('invalid_price', { field: 'price', met: read.price });
  return {
    id: read.id,
    demand,
    ...price,
    multiplier: opportunity.multiplier ?? 1,
    media,
    // Else the win notice brings it.
    markup: read.markup || undefined,
    adDomains: read.adDomains,
    appBundle: read.bundle,
    categories: read.categories,
    attributes: read.attributes,
    creativeId: read.creativeId,
    seat: read.seat,
    dealId: read.dealId,
    width: read.width,
    height: read.height,
    expiryMinutes: demandPart(demand).expiryMinutes,
    validSeconds: read.expirySeconds,
    notices: { win: read.winUrl, billing: read.billingUrl, loss: read.lossUrl },
    impId: read.impId,
    bidId: responseId,
    adId: read.adId,
    creativeUrls: [],
    received: read.received,
  };
}

function invalidAsLost(
  { fault, ...bid }: InvalidBid,
  bidId: string,
  foreign: ForeignCurrency | undefined,
): LostBid {
  const isOther = fault.code === 'wrong_currency';
  return {
    ...bid,
    bidId,
    refusal: refuseFault(fault),
    ...(isOther && { currency: String(fault.met) }),
    ...(foreign && !isOther && { foreign: { ...foreign, cpm: 0 } }),
  };
}

/** The best bid of a response, with those that may replace it and those that take no part, or why there is none. */
function offersOf(
  { bids, responseId, faults, invalid, nbr, converted, currency, usdPerUnit }: BidResponse,
  demand: Demand,
  solicitation: Solicitation,
): Bid | NoBid {
  const foreign = currency === usd ? undefined : { currency, usdPerUnit };
  const offers: Bid[] = [];
  const lost: LostBid[] = [];
  const ranked = bids.length > 1 ? bids.toSorted((a, b) => b.price - a.price) : bids;
  for (const read of ranked) {
    const bid = bidOf(read, { responseId, foreign }, demand, solicitation);
    if ('reason' in bid) {
      const { impId: id, adId, seat, lossUrl } = read;
      const price = priceIn(read.price, foreign);
      lost.push({ impId: id, adId, seat, lossUrl, bidId: responseId, refusal: bid, ...price });
    } else offers.push(bid);
  }
  const [first] = faults;
  const refusal = lost[0]?.refusal ?? (first === undefined ? refuseNoBid(nbr) : refuseFault(first));
  for (const bid of invalid) lost.push(invalidAsLost(bid, responseId, foreign));
  const [best, ...further] = offers;
  const noted = converted && { tolerated: refuseFault(converted) };
  if (further.length + lost.length === 0 && !noted) return best ?? refusal;
  return best ? { ...best, further, lost, ...noted } : { ...refusal, lost, ...noted };
}

export function readAnswer(demand: Demand, solicitation: Solicitation, answer: OutboundAnswer): Bid | NoBid {
  if (answer.status === 204) return refuse('no_bid');
  if (answer.status !== 200)
    return refuse('invalid_response', { field: 'status', wanted: 200, met: answer.status });
  if (answer.body.trim() === '') return refuse('no_bid');
  const { opportunity } = solicitation;
  const response = readBidResponse(answer.body, {
    id: opportunity.auctionId,
    impIds,
    usdPerUnit: (currency) => rateAt(opportunity, currency),
    priceMax: cpmUsdMax,
  });
  return offersOf(response, demand, solicitation);
}
