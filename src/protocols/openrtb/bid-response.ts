import { ownMember } from '../../reference/own-member.ts';
import { isObject, LargeInteger, parseJsonExactly } from '../json.ts';
import { convertedMember, lenient } from './lenient.ts';
import { FormFault } from './member-types.ts';
import { bid as bidKind, name as nameType, type ReadBidObject } from './objects/bid.ts';
import { code as codeType } from './objects/bounds.ts';

/** OpenRTB 2.6 section 4.2.3; omitted members are `""`, empty or 0. */
export interface ReadBid {
  readonly id: string;
  readonly impId: string;
  /** CPM: more than 0, at most `priceMax`. */
  readonly price: number;
  /** `nurl`, `burl` and `lurl`, as sent. */
  readonly winUrl: string;
  readonly billingUrl: string;
  readonly lossUrl: string;
  /** `adm`; `""` if the win notice's answer brings it. */
  readonly markup: string;
  readonly adId: string;
  readonly adDomains: readonly string[];
  readonly bundle: string;
  readonly creativeId: string;
  readonly categories: readonly string[];
  readonly attributes: readonly number[];
  readonly dealId: string;
  readonly width: number;
  readonly height: number;
  /** Longest time from auction to impression that the bidder accepts. */
  readonly expirySeconds: number;
  /** 1 banner, 2 video, 3 audio, 4 native. */
  readonly markupType: number;
  /** `seat` of its `SeatBid`. */
  readonly seat: string;
  /** Some of its members are passed on. */
  readonly received: ReadBidObject;
}

type FaultCode =
  | 'not_json'
  | 'wrong_type'
  | 'missing'
  | 'wrong_id'
  | 'wrong_currency'
  | 'wrong_price'
  | 'too_many_bids';

export interface ResponseFault {
  readonly code: FaultCode;
  /** As `seatbid[0].bid[1].price`; `""` = the whole response. */
  readonly path: string;
  /** A number, null, the start of a text, or the name of another type. */
  readonly met: unknown;
}

/** It has an `id`, and may have a loss notice. */
export interface InvalidBid extends Pick<ReadBid, 'impId' | 'adId' | 'seat' | 'lossUrl'> {
  readonly fault: ResponseFault;
}

/** Section 4.2.1. */
export interface BidResponse {
  /** `bidid`: the bidder's ID of the response. */
  readonly responseId: string;
  /** No-Bid Reason Codes; undefined if none is given. */
  readonly nbr: number | undefined;
  readonly bids: readonly ReadBid[];
  readonly faults: readonly ResponseFault[];
  /** Those with an `id`; all, if the response as a whole is invalid. */
  readonly invalid: readonly InvalidBid[];
  /** The first member read despite its wrong type. */
  readonly converted: ResponseFault | undefined;
  /** Of all prices: upper case, and what a unit is worth in USD; 0 if it is not accepted. */
  readonly currency: string;
  readonly usdPerUnit: number;
}

export interface ExpectedResponse {
  readonly id: string;
  readonly impIds: ReadonlySet<string>;
  /** Undefined for a currency that is not accepted; asked in upper case. */
  readonly usdPerUnit: (currency: string) => number | undefined;
  /** In USD. A higher CPM counts as a mistake. */
  readonly priceMax: number;
}

type Members = Readonly<Record<string, unknown>>;

const bidsMax = 100;
const metMax = 64;

const isString = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

function fault(code: FaultCode, path: string, met: unknown): ResponseFault {
  if (met instanceof LargeInteger) return fault(code, path, met.digits);
  if (isString(met)) return { code, path, met: met.slice(0, metMax) };
  return { code, path, met: isNumber(met) || isAbsent(met) ? met : typeof met };
}

/** `adm`; `""` if it is only white space, which would be shown and paid as an ad. */
const markupOf = ({ adm = '' }: ReadBidObject): string => (/\S/.test(adm) ? adm : '');

const requiredMembers = ['id', 'impid', 'price'] as const;

/** Types are right already; the path is within the bid. */
function faultOfBid(bid: ReadBidObject, expected: ExpectedResponse): ResponseFault | undefined {
  for (const name of requiredMembers) {
    if (bid[name] === undefined || bid[name] === '') return fault('missing', `.${name}`, undefined);
  }
  const { impid = '', price = 0, nurl = '' } = bid;
  if (!expected.impIds.has(impid)) return fault('wrong_id', '.impid', impid);
  if (!(price > 0 && price <= expected.priceMax)) return fault('wrong_price', '.price', price);
  return markupOf(bid) === '' && nurl === '' ? fault('missing', '.adm', undefined) : undefined;
}

function membersOf(bid: unknown): ReadBidObject | ResponseFault {
  if (!isObject(bid)) return fault('wrong_type', '', bid);
  const read = bidKind.read(bid);
  if (!(read instanceof FormFault)) return read;
  const [name = ''] = read.path.split('[', 1);
  return fault('wrong_type', `.${name}`, ownMember(bid, name));
}

const noticesOf = ({ nurl = '', burl = '', lurl = '' }: ReadBidObject) => ({
  winUrl: nurl,
  billingUrl: burl,
  lossUrl: lurl,
});

const adOf = (bid: ReadBidObject) => ({
  markup: markupOf(bid),
  adId: bid.adid ?? '',
  adDomains: bid.adomain ?? [],
  bundle: bid.bundle ?? '',
  creativeId: bid.crid ?? '',
  categories: bid.cat ?? [],
  attributes: bid.attr ?? [],
  width: bid.w ?? 0,
  height: bid.h ?? 0,
  markupType: bid.mtype ?? 0,
});

const readBid = (bid: ReadBidObject, seat: string): ReadBid => ({
  id: bid.id ?? '',
  impId: bid.impid ?? '',
  price: bid.price ?? 0,
  ...noticesOf(bid),
  ...adOf(bid),
  dealId: bid.dealid ?? '',
  expirySeconds: bid.exp ?? 0,
  seat,
  received: bid,
});

function textOf(value: unknown): string {
  const read = nameType.read(value);
  return read instanceof FormFault ? '' : read;
}

const nbrType = lenient(codeType);

function nbrOf(value: unknown): number | undefined {
  const read = nbrType.read(value);
  return read instanceof FormFault ? undefined : read;
}

function invalidBid(bid: unknown, seat: string, wrong: ResponseFault): InvalidBid[] {
  if (!isObject(bid) || textOf(bid.id) === '') return [];
  const { impid, adid, lurl } = bid;
  return [
    { impId: textOf(impid), adId: textOf(adid), seat, lossUrl: isString(lurl) ? lurl : '', fault: wrong },
  ];
}

function faultOfSeat(seat: unknown): ResponseFault | undefined {
  if (!isObject(seat)) return fault('wrong_type', '', seat);
  if (!Array.isArray(seat.bid)) return fault('wrong_type', '.bid', seat);
  const { seat: name } = seat;
  return isAbsent(name) || !(nameType.read(name) instanceof FormFault)
    ? undefined
    : fault('wrong_type', '.seat', name);
}

const atPath = (path: string, wrong: ResponseFault): ResponseFault => ({
  ...wrong,
  path: `${path}${wrong.path}`,
});

interface ReadBids {
  readonly bids: ReadBid[];
  readonly faults: ResponseFault[];
  readonly invalid: InvalidBid[];
  converted: ResponseFault | undefined;
}

/** The first member read as another type. */
function convertedIn(value: unknown, read: ReadBidObject, path: string): ResponseFault | undefined {
  if (!isObject(value)) return undefined;
  const name = convertedMember(value, read);
  return name === undefined ? undefined : fault('wrong_type', `${path}.${name}`, ownMember(value, name));
}

/** `ofAll`: a fault of the whole response, which makes each bid invalid. */
function readSeat(
  reading: ReadBids,
  { all, seat, path }: { readonly all: readonly unknown[]; readonly seat: unknown; readonly path: string },
  expected: ExpectedResponse,
  ofAll: ResponseFault | undefined,
): void {
  const { bids, faults, invalid } = reading;
  const name = textOf(seat);
  if (ofAll === undefined && name !== (seat ?? '')) {
    reading.converted ??= fault('wrong_type', `${path}.seat`, seat);
  }
  for (const [place, bid] of all.entries()) {
    const members = membersOf(bid);
    const ofBid = 'code' in members ? members : faultOfBid(members, expected);
    const ofOne = ofBid && atPath(`${path}.bid[${place}]`, ofBid);
    const wrong = ofAll ?? ofOne;
    if (wrong) invalid.push(...invalidBid(bid, name, wrong));
    else bids.push(readBid(members as ReadBidObject, name));
    if (ofOne && !ofAll) faults.push(ofOne);
    if (!wrong) reading.converted ??= convertedIn(bid, members as ReadBidObject, `${path}.bid[${place}]`);
  }
}

/** `ofAll`: a fault of the whole response, which makes each bid invalid. */
function readBids(
  seats: readonly unknown[],
  expected: ExpectedResponse,
  ofAll: ResponseFault | undefined,
): ReadBids {
  const reading: ReadBids = { bids: [], faults: ofAll ? [ofAll] : [], invalid: [], converted: undefined };
  let met = 0;
  for (const [index, seat] of seats.slice(0, bidsMax).entries()) {
    const path = `seatbid[${index}]`;
    const ofSeat = ofAll ? undefined : faultOfSeat(seat);
    if (ofSeat) reading.faults.push(atPath(path, ofSeat));
    const { bid, seat: name } = isObject(seat) ? seat : {};
    const all: readonly unknown[] = Array.isArray(bid) ? bid : [];
    const some = all.slice(0, Math.max(0, bidsMax - met));
    readSeat(reading, { all: some, seat: name, path }, expected, ofAll ?? ofSeat);
    met += all.length;
  }
  if (met > bidsMax && !ofAll) reading.faults.push(fault('too_many_bids', 'seatbid', met));
  return reading;
}

function faultOfAll(
  response: Members,
  { id }: ExpectedResponse,
  usdPerUnit: number,
): ResponseFault | undefined {
  const { cur } = response;
  if (!isAbsent(cur) && !isString(cur)) return fault('wrong_type', 'cur', cur);
  if (isAbsent(response.id)) return fault('missing', 'id', undefined);
  if (textOf(response.id) !== id) return fault('wrong_id', 'id', response.id);
  return usdPerUnit > 0 ? undefined : fault('wrong_currency', 'cur', cur);
}

const inUsd = { currency: 'USD', usdPerUnit: 1 } as const;

function currencyOf(
  { cur }: Members,
  expected: ExpectedResponse,
): Pick<BidResponse, 'currency' | 'usdPerUnit'> {
  if (isAbsent(cur)) return inUsd;
  const currency = isString(cur) ? cur.toUpperCase() : '';
  return currency === inUsd.currency ? inUsd : { currency, usdPerUnit: expected.usdPerUnit(currency) ?? 0 };
}

const withFault = (one: ResponseFault): BidResponse => ({
  responseId: '',
  nbr: undefined,
  bids: [],
  faults: [one],
  invalid: [],
  converted: undefined,
  ...inUsd,
});

/**
 * Strict about money, blocking and notices, lenient where a wrong type is unambiguous; ignores all else. One invalid
 * bid does not harm the others. No bids and no faults mean no bid. Never throws.
 */
export function readBidResponse(body: string, expected: ExpectedResponse): BidResponse {
  const response = parseJsonExactly(body, 'everywhere');
  if (response === undefined) return withFault(fault('not_json', '', body));
  if (!isObject(response)) return withFault(fault('wrong_type', '', response));
  const seats = response.seatbid ?? [];
  if (!Array.isArray(seats)) return withFault(fault('wrong_type', 'seatbid', seats));
  const responseId = textOf(response.bidid);
  const nbr = nbrOf(response.nbr);
  if (seats.length === 0) {
    return { responseId, nbr, bids: [], faults: [], invalid: [], converted: undefined, ...inUsd };
  }
  const currency = currencyOf(response, expected);
  const priceMax = expected.priceMax / (currency.usdPerUnit || 1);
  const ofAll = faultOfAll(response, expected, currency.usdPerUnit);
  return { responseId, nbr, ...currency, ...readBids(seats, { ...expected, priceMax }, ofAll) };
}
