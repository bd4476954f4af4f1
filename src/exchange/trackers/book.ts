import { fillMacros } from '../../protocols/openrtb/macros.ts';
import type { Promised } from '../limits/promised.ts';
import { endStoredPromises, objectsOf, pairOf, promisedIn, type Report } from './report.ts';
import { priceOf } from './tracked-ad.ts';

const billingRetries = 5;

/** Counts the win of a fallback, which wins by being shown. Other ads win at the auction, and offers by a notice. */
function winFallback({ ad, context: { reports, services } }: Report): void {
  reports.events.count(pairOf(ad), 'wins', ad.auctionMs);
  if (ad.winNotice !== '') services.outbound.notify(ad.winNotice);
}

/** Books an impression that was just billed: the limits of both sides, and the demand's billing notice. */
export function book(report: Report): void {
  const { ad, context } = report;
  const { limits, outbound, now } = context.services;
  const { supply, demand } = objectsOf(report);
  const auction = promisedIn(ad);
  const promisedBy = (object: Pick<Promised, 'kind' | 'id'>) =>
    ad.promises.find(({ kind, id }) => kind === object.kind && id === object.id);
  const { spentNanos, revenueNanos } = priceOf(ad);
  const amounts = [
    [supply, spentNanos],
    [demand, revenueNanos],
  ] as const;
  for (const [object, nanos] of amounts) {
    if (object) limits.book(object, promisedBy(object), { auction, nanos, nowMs: now() });
  }
  const own = [promisedBy(ad.supply), promisedBy(ad.demand)];
  for (const promised of ad.promises) if (!own.includes(promised)) limits.withdraw(promised, auction);
  endStoredPromises(report);
  if (ad.isFallback) winFallback(report);
  const IMP_TS = String(now());
  if (ad.billingNotice !== '') outbound.notify(fillMacros(ad.billingNotice, { IMP_TS }), billingRetries);
}
