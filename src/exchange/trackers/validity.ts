import { mismatchedField } from './match.ts';
import { countedPair, eventOf, objectsOf, type TrackerCall } from './tracker-call.ts';

/** The match flag's field; undefined if valid. */
export function mismatchOf(call: TrackerCall): string | undefined {
  const { ad, request, context } = call;
  const { supply, demand } = objectsOf(call);
  const flags = [supply, demand].flatMap((object) => (object ? [object.match] : []));
  return mismatchedField(ad, context.callerOf(request), flags);
}

/** For the quality of its inventory; invalid ones for statistics too. */
export function countValidity({ ad, context }: TrackerCall, isInvalid: boolean): void {
  const { events, quality } = context.reports;
  quality.count({ ...ad.supply, place: ad.place }, isInvalid, context.services.now());
  if (isInvalid) events.count(countedPair(ad), 'invalid', ad.auctionMs);
}

/** Once per auction. */
export async function countInvalid(call: TrackerCall, name: 'invalid_impressions' | 'invalid_clicks') {
  if (await call.context.reports.events.bill(eventOf(call, name))) countValidity(call, true);
}
