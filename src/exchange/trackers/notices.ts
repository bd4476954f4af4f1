import { lossReasons } from '../../protocols/openrtb/loss-reasons.ts';
import { fillMacros } from '../../protocols/openrtb/macros.ts';
import { type AuctionRates, foreignMicros, rateAt, usd } from '../currency.ts';
import { cpmMicrosOf } from '../money.ts';
import { type ZoneQuery, zoneQuery } from '../reading/query.ts';
import { billEvent, countWin, noticeList } from './bill.ts';
import type { OfferBilling } from './tracked-ad.ts';
import { endStoredPromises, eventOf, isTooLate, promisedIn, type TrackerCall } from './tracker-call.ts';

const lossCodeMax = 9999;

/** Of the currency that the price is in: that of the offer at the auction's, others at today's. */
function rateOf(query: ZoneQuery, rates: AuctionRates | undefined, timeMs: number): number | undefined {
  const offered = query.text('offercur') || usd;
  const currency = query.text('cur').toUpperCase() || offered;
  if (currency === offered && offered !== usd) return query.amount('offerrate');
  return rateAt({ rates, timeMs }, currency);
}

/** At the notice's price if that is below the offer, even 0 (reference, B7): the publisher asks no more. */
function atNoticePrice(call: TrackerCall): TrackerCall {
  const query = zoneQuery(call.request.url ?? '');
  const price = query.amount('price');
  const { now, rates } = call.context.services;
  const usdPerUnit = price === undefined ? undefined : rateOf(query, rates?.current(), now());
  if (price === undefined || usdPerUnit === undefined) return call;
  const asked = usdPerUnit === 1 ? cpmMicrosOf(price) : foreignMicros(price, { usdPerUnit });
  const payoutCpmMicros = Math.min(asked, call.ad.payoutCpmMicros);
  return { ...call, ad: { ...call.ad, payoutCpmMicros } };
}

/** The win, and the bill if this notice is the billable event. */
export function winNoticeCounter(name: OfferBilling) {
  return async (call: TrackerCall): Promise<void> => {
    if (isTooLate(call)) return;
    const priced = atNoticePrice(call);
    await Promise.all([countWin(priced), priced.ad.offer === name && billEvent(priced)]);
  };
}

/** Both sides get their promise back, and the bidder learns why it lost. */
export async function countLoss(call: TrackerCall): Promise<void> {
  const { ad, context, request } = call;
  const query = zoneQuery(request.url ?? '');
  const LOSS = String(query.integer('loss', lossCodeMax) ?? lossReasons.lost_to_higher_bid);
  const minToWin = query.amount('mtw');
  const ratio = query.amount('mtwrate') ?? 1;
  const MIN_TO_WIN = minToWin === undefined ? '' : String(Number((minToWin * ratio).toFixed(9)));
  const notices = noticeList('loss', fillMacros(ad.lossNotice, { LOSS, MIN_TO_WIN }));
  if (!(await context.reports.events.bill({ ...eventOf(call, 'losses'), notices }))) return;
  const { limited } = context.snapshot();
  for (const promised of ad.promises)
    context.services.limits.release(promised, promisedIn(ad), limited(promised.kind, promised.id));
  endStoredPromises(call);
}
