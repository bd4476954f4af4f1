import { isObject, parseJson } from '../../protocols/json.ts';
import type { MockBid } from './faults.ts';

/** OpenRTB 2.6, section 3.2.4. */
export interface MockImp {
  readonly id: string;
  /** CPM. */
  readonly bidfloor: number;
  readonly medium: 'video' | 'banner' | undefined;
}

/** As far as a mock DSP reads it. */
export interface MockRequest {
  readonly id: string;
  readonly imps: readonly MockImp[];
}

function readImp(value: unknown): MockImp[] {
  if (!isObject(value) || typeof value.id !== 'string') return [];
  const { id, bidfloor } = value;
  const medium = (['video', 'banner'] as const).find((name) => isObject(value[name]));
  return [{ id, bidfloor: typeof bidfloor === 'number' ? bidfloor : 0, medium }];
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
  readonly bid: MockBid;
  readonly markup: string;
  readonly domain: string;
  readonly category: string;
  readonly notice: (event: string) => string;
}

/** Sections 4.3.5 and 4.3.3: creative markup types. */
const markupTypes = { banner: 1, video: 2 } as const;

function bidOf({ imp, bid, markup, domain, category, notice }: MockOffer) {
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
    mtype: imp.medium && markupTypes[imp.medium],
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
