import type { Promised } from '../limits/promised.ts';
import { endStoredPromises, objectsOf, promisedIn, type Report } from './report.ts';
import { priceOf } from './tracked-ad.ts';

/** Books an impression that was just billed at the limits of both sides. */
export function book(report: Report): void {
  const { ad, context } = report;
  const { limits, now } = context.services;
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
}
