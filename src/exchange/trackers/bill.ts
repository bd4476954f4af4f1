import { fillMacros } from '../../protocols/openrtb/macros.ts';
import type { BillableEvent, Notice } from '../../statistics/events.ts';
import { atAddressOf, atViewersOf } from './at-address.ts';
import { bookImpression } from './book.ts';
import { priceOf, type TrackedAd } from './tracked-ad.ts';
import { eventOf, isTooLate, objectsOf, promisedByOf, type TrackerCall } from './tracker-call.ts';

/** Empty if the bidder wants none. */
export const noticeList = (kind: Notice['kind'], url: string): readonly Notice[] =>
  url === '' ? [] : [{ kind, url }];

const localRatesOf = ({ localRates }: TrackedAd): Pick<BillableEvent, 'localRates'> =>
  localRates.length > 0 ? { localRates } : {};

/** Durable before it is acknowledged, once per auction (reference, "Trackers"). True if it counted now. */
export async function billEvent(
  call: TrackerCall,
  also: Pick<BillableEvent, 'isImpression'> = {},
): Promise<boolean> {
  const { ad, context } = call;
  const { supply, demand, deal } = objectsOf(call);
  const nowMs = context.services.now();
  const atAddress = atAddressOf(ad, [supply, demand, deal]);
  const atViewers = atViewersOf(ad, [supply, demand, deal], nowMs);
  const billed = { ...eventOf(call, 'bills', priceOf(ad)), ...also, ...localRatesOf(ad) };
  const IMP_TS = String(nowMs);
  const notices = [
    ...(ad.isFallback ? noticeList('win', ad.winNotice) : []),
    ...noticeList('billing', fillMacros(ad.billingNotice, { IMP_TS })),
  ];
  const event = {
    ...billed,
    atAddress,
    atViewers,
    promisedBy: promisedByOf(ad),
    notices,
    isWin: ad.isFallback,
  };
  const isFirst = await context.reports.events.bill(event);
  if (isFirst) bookImpression(call);
  return isFirst;
}

/** Notifies the bidder. A reported billable event means that the offer has won, too. */
export async function countWin(call: TrackerCall): Promise<void> {
  const { ad, context } = call;
  await context.reports.events.bill({ ...eventOf(call, 'wins'), notices: noticeList('win', ad.winNotice) });
}

/** Counts an impression, and bills it unless another tracker does; once per auction. True if it counted now. */
export async function billImpression(call: TrackerCall): Promise<boolean> {
  const { ad, context } = call;
  if (isTooLate(call)) return false;
  // Nothing but the impression bills an ad that is no offer.
  if (ad.offer === '') return billEvent(call, { isImpression: true });
  const [isFirst] = await Promise.all([
    context.reports.events.bill(eventOf(call, 'impressions')),
    ad.offer === 'impression' && billEvent(call),
    ad.offer === 'impression' && countWin(call),
  ]);
  return isFirst;
}

/** Durable before it is acknowledged, once per auction. True if it counted now. */
export function billClick(call: TrackerCall): Promise<boolean> {
  return call.context.reports.events.bill(eventOf(call, 'clicks'));
}
