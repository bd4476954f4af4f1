import { lossReasons } from '../../protocols/openrtb/loss-reasons.ts';
import { fillMacros } from '../../protocols/openrtb/macros.ts';
import { cpmMicrosOf } from '../money.ts';
import { zoneQuery } from '../reading/query.ts';
import { bill, noticesOf, win } from './bill.ts';
import { endStoredPromises, eventOf, isOver, promisedIn, type Report } from './report.ts';
import type { OfferBilling } from './tracked-ad.ts';

const lossCodeMax = 9999;
const usd = 'USD';

/**
 * The report with the price that the notice names, if that is less than the offered one: the publisher asks no more. A
 * price of 0 is one, too (reference, B7).
 */
function atNoticePrice(report: Report): Report {
  const query = zoneQuery(report.request.url ?? '');
  const price = query.amount('price');
  const currency = query.text('cur').toUpperCase();
  if (price === undefined || (currency !== usd && currency !== '')) return report;
  const payoutCpmMicros = Math.min(cpmMicrosOf(price), report.ad.payoutCpmMicros);
  return { ...report, ad: { ...report.ad, payoutCpmMicros } };
}

/** What a win or billing notice of an offer counts: the win, and the bill if this notice is the billable event. */
export function winNoticeAs(name: OfferBilling) {
  return async (report: Report): Promise<void> => {
    if (isOver(report)) return;
    const priced = atNoticePrice(report);
    await Promise.all([win(priced), priced.ad.offer === name && bill(priced)]);
  };
}

/** Counts the loss of an offer: both sides get their promise back, and the bidder is told why it lost. */
export async function loss(report: Report): Promise<void> {
  const { ad, context, request } = report;
  const query = zoneQuery(request.url ?? '');
  const LOSS = String(query.integer('loss', lossCodeMax) ?? lossReasons.lost_to_higher_bid);
  const MIN_TO_WIN = String(query.amount('mtw') ?? '');
  const notices = noticesOf('loss', fillMacros(ad.lossNotice, { LOSS, MIN_TO_WIN }));
  if (!(await context.reports.events.bill({ ...eventOf(report, 'losses'), notices }))) return;
  for (const promised of ad.promises) context.services.limits.withdraw(promised, promisedIn(ad));
  endStoredPromises(report);
}
