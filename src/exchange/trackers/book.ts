import { isDeal } from '../../entities/kinds.ts';
import type { Promised } from '../limits/promised.ts';
import { priceOf } from './tracked-ad.ts';
import { endStoredPromises, objectsOf, promisedIn, type TrackerCall } from './tracker-call.ts';

/** At the limits of both sides and of its deal. */
export function bookImpression(call: TrackerCall): void {
  const { ad, context } = call;
  const { limits, now } = context.services;
  const { supply, demand, deal } = objectsOf(call);
  const auction = promisedIn(ad);
  const promisedBy = (object: Pick<Promised, 'kind' | 'id'>) =>
    ad.promises.find(({ kind, id }) => kind === object.kind && id === object.id);
  const { spentNanos, revenueNanos } = priceOf(ad);
  const amounts = [
    [supply, spentNanos],
    [demand, revenueNanos],
    [deal, revenueNanos],
  ] as const;
  for (const [object, nanos] of amounts) {
    if (object) limits.commit(object, promisedBy(object), { auction, nanos, nowMs: now() });
  }
  const own = [promisedBy(ad.supply), promisedBy(ad.demand)];
  for (const promised of ad.promises)
    if (!own.includes(promised) && !isDeal(promised.kind))
      limits.release(promised, auction, context.snapshot().limited(promised.kind, promised.id));
  endStoredPromises(call);
}
