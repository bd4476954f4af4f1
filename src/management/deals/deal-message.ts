import { entityOf } from '../../entities/registry.ts';
import { Refusal } from '../../fields/fault.ts';
import { readBuyerSeat } from '../../protocols/deals-api/buyer-seat.ts';
import { type Curation, type PushedDeal, type Terms, utcSeconds } from '../../protocols/deals-api/deal.ts';
import { countryAlpha3 } from '../../reference/countries.ts';
import type { Message } from '../../shared/message.ts';
import type { StoredObject, Values } from '../../store/interface.ts';
import type { Sending } from '../../store/sending/interface.ts';
import type { Context } from '../context.ts';
import { type DealState, dealStateOf, dealTimes, type PushResult, sellerStatusOf } from './deal-state.ts';

const guaranteed = 4;
const isWhitelist = 1;
const undisclosedFee = 0;

const linesOf = (text: unknown) =>
  String(text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Where a push goes, without what may be a credential. */
export function pushTarget(pushUrl: string): string {
  const { origin, pathname } = new URL(pushUrl);
  return origin + pathname;
}

/** Rejects with a `Refusal` if none has an alpha-3 code: the deal would be for all countries. */
function countriesOf({ Countries }: Values): readonly string[] {
  const wanted = (Countries ?? []) as readonly string[];
  const known = wanted.flatMap((code) => countryAlpha3(code) ?? []);
  if (wanted.length === 0 || known.length > 0) return known;
  throw new Refusal('invalid', 'none of its Countries has an alpha-3 code, which the Deals API requires');
}

function termsOf(deal: StoredObject): Terms {
  const { Currency, Price, PriceType, Type, Units, TotalCost } = deal.document;
  const { startMs, endMs } = dealTimes(deal);
  const countries = countriesOf(deal.document);
  const [price, units, cost] = [Price, Units, TotalCost].map(Number) as [number, number, number];
  return {
    ...(startMs !== undefined && { startdate: utcSeconds(startMs) }),
    ...(endMs !== undefined && { enddate: utcSeconds(endMs) }),
    ...(countries.length > 0 && { countries }),
    ...(price > 0 && { dealfloor: price }),
    cur: String(Currency || 'USD'),
    guar: Type === guaranteed ? 1 : 0,
    pricetype: Number(PriceType ?? 0),
    ...(units > 0 && { units }),
    ...(cost > 0 && { totalcost: cost }),
  };
}

function curationOf({ Curator, CurationFeeType }: Values): Curation | undefined {
  const [curator, curfeetype] = [String(Curator ?? ''), Number(CurationFeeType ?? undisclosedFee)];
  if (curator === '' && curfeetype === undisclosedFee) return undefined;
  return { ...(curator !== '' && { curator }), curfeetype };
}

/** `origin`: the exchange's own domain. Rejects with a `Refusal` if it cannot be said. */
function dealOf(deal: StoredObject, state: Omit<DealState, 'seats'>, origin: string): PushedDeal {
  const { Code, Name, Description, SeatList, SeatListMode, AdTypes, Curator } = deal.document;
  const seats = linesOf(SeatList);
  const adtypes = (AdTypes ?? []) as readonly number[];
  const curation = curationOf(deal.document);
  return {
    id: String(Code),
    ...(Name ? { name: String(Name) } : {}),
    sellerstatus: sellerStatusOf(deal, state),
    origin,
    // Nobody has said who sold what somebody else put together.
    ...(Curator ? {} : { seller: origin }),
    ...(Description ? { desc: String(Description) } : {}),
    ...(seats.length > 0 && { [SeatListMode === isWhitelist ? 'wseat' : 'bseat']: seats }),
    ...(adtypes.length > 0 && { adtypes }),
    dinventory: 2,
    terms: termsOf(deal),
    ...(curation && { curation }),
  };
}

/** The deal as it is now. Rejects with a `Refusal` if it is gone, or no longer sent there. */
export async function writeDealMessage(
  { store, now, consoleUrl }: Pick<Context, 'store' | 'now'> & { readonly consoleUrl: () => string },
  { teamId, objectId, target }: Sending,
): Promise<Message> {
  const deal = await store.find(entityOf('Deal'), teamId, { id: objectId });
  if (!deal) throw new Refusal('invalid', 'the deal no longer exists');
  const [url, headers] = [String(deal.document.PushUrl ?? ''), String(deal.document.PushHeaders ?? '')];
  if (url === '' || pushTarget(url) !== target)
    throw new Refusal('invalid', 'the deal is no longer sent there');
  const results = await store.sending.results('Deal', [objectId]);
  const state = dealStateOf(results.get(objectId) ?? [], now());
  const pushed = dealOf(deal, state, new URL(consoleUrl()).hostname);
  const told = { sellerStatus: pushed.sellerstatus } satisfies PushResult;
  const readAnswer = (text: string) => {
    const seats = text.trim() === '' ? undefined : readBuyerSeat(text, pushed.id);
    const error = seats && 'wrong' in seats ? `the deal arrived, but ${seats.wrong}` : '';
    const result: PushResult = seats && !('wrong' in seats) ? { ...told, seats } : told;
    return { error, result: JSON.stringify(result) };
  };
  return {
    subject: '',
    text: '',
    file: undefined,
    body: JSON.stringify(pushed),
    secrets: [],
    call: { url, headers, readAnswer },
  };
}
