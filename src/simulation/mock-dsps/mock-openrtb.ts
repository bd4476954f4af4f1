import { isObject, parseJson } from '../../protocols/json.ts';
import type { MockBid } from './faults.ts';

type Medium = 'video' | 'banner';

/** OpenRTB 2.6, section 3.2.4. */
export interface MockImp {
  readonly id: string;
  /** CPM. */
  readonly bidfloor: number;
  /** ISO 4217. */
  readonly bidfloorcur: string;
  readonly media: readonly Medium[];
  /** Their floors in CPM by their IDs. */
  readonly deals: ReadonlyMap<string, number>;
}

/** As far as a mock DSP reads it. */
export interface MockRequest {
  readonly id: string;
  readonly imps: readonly MockImp[];
}

const amountOf = (value: unknown) => (typeof value === 'number' ? value : 0);

function readImp(value: unknown): MockImp[] {
  if (!isObject(value) || typeof value.id !== 'string') return [];
  const { id, bidfloor, bidfloorcur = 'USD', pmp } = value;
  const media = (['video', 'banner'] as const).filter((name) => isObject(value[name]));
  const offered = isObject(pmp) && Array.isArray(pmp.deals) ? pmp.deals : [];
  const deals = new Map(offered.filter(isObject).map((deal) => [String(deal.id), amountOf(deal.bidfloor)]));
  return [{ id, bidfloor: amountOf(bidfloor), bidfloorcur: String(bidfloorcur), media, deals }];
}

/** Undefined if it is none. */
export function readRequest(body: string): MockRequest | undefined {
  const request = parseJson(body);
  if (!isObject(request) || typeof request.id !== 'string' || !Array.isArray(request.imp)) return undefined;
  return { id: request.id, imps: request.imp.flatMap(readImp) };
}

/** A bid, and where its notices go. */
export interface MockOffer {
  readonly imp: MockImp;
  readonly medium: Medium;
  readonly bid: MockBid;
  readonly markup: string;
  readonly domain: string;
  readonly category: string;
  readonly notice: (event: string) => string;
}

/** Sections 4.3.5 and 4.3.3: creative markup types. */
const markupTypes = { banner: 1, video: 2 } as const;

function bidOf({ imp, medium, bid, markup, domain, category, notice }: MockOffer) {
  return {
    id: bid.id,
    impid: imp.id,
    // JSON cannot write NaN as a number.
    price: Number.isNaN(bid.price) ? 'NaN' : bid.price,
    adid: bid.id,
    crid: bid.id,
    adm: markup,
    adomain: [domain],
    cat: [category],
    mtype: markupTypes[medium],
    ...(bid.deal !== undefined && { dealid: bid.deal }),
    nurl: `${notice('win')}?price=\${AUCTION_PRICE}`,
    burl: `${notice('billing')}?price=\${AUCTION_PRICE}`,
    lurl: `${notice('loss')}?reason=\${AUCTION_LOSS}`,
  };
}

/** OpenRTB 2.6, section 4.2; all offers belong to one request. */
export function bidResponse(offers: readonly [MockOffer, ...MockOffer[]]): string {
  const [{ bid }] = offers;
  const { requestId: id, currency: cur } = bid;
  return JSON.stringify({ id, bidid: bid.id, cur, seatbid: [{ seat: 'mock', bid: offers.map(bidOf) }] });
}
