import { clientOf } from '../reading/ssai-servers.ts';
import type { Reason } from '../reasons.ts';
import { mismatchedField } from './match.ts';
import { countedPair, eventOf, objectsOf, type TrackerCall } from './tracker-call.ts';

type InvalidVisit = Extract<Reason, 'prefetch' | 'visitor_refused'>;

/** Fetched in advance, or refused by a match flag; undefined if valid. */
export function invalidVisit(call: TrackerCall): InvalidVisit | undefined {
  const { ad, request, context } = call;
  const { supply, demand } = objectsOf(call);
  const flags = [supply, demand].flatMap((object) => (object ? [object.match] : []));
  const asking = context.callerOf(request);
  if (asking.isPrefetch) return 'prefetch';
  const caller = supply ? clientOf(supply, asking) : asking;
  return mismatchedField(ad, caller, flags) === undefined ? undefined : 'visitor_refused';
}

/** For the quality of its inventory; invalid ones for statistics too. */
export function countValidity(call: TrackerCall, invalid: InvalidVisit | undefined): void {
  const { ad, context } = call;
  const { events, quality } = context.reports;
  const publisherId = objectsOf(call).supply?.account.id ?? 0;
  quality.count(
    { ...ad.supply, publisherId, place: ad.place },
    invalid !== undefined,
    context.services.now(),
  );
  if (invalid) events.refuse(countedPair(ad), invalid, ad.auctionMs, { count: 0, lostNanos: 0, invalid: 1 });
}

/** Once per auction. */
export async function countInvalid(
  call: TrackerCall,
  name: 'invalid_impressions' | 'invalid_clicks',
  reason: InvalidVisit,
) {
  if (await call.context.reports.events.bill(eventOf(call, name))) countValidity(call, reason);
}
