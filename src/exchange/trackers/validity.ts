import { mismatch } from './match.ts';
import { eventOf, objectsOf, pairOf, type Report } from './report.ts';

/** The field of the match flag that makes an impression or click invalid; undefined if it is valid. */
export function mismatchOf(report: Report): string | undefined {
  const { ad, request, context } = report;
  const { supply, demand } = objectsOf(report);
  const flags = [supply, demand].flatMap((object) => (object ? [object.match] : []));
  return mismatch(ad, context.callerOf(request), flags);
}

/** Counts an impression or click for the quality of its inventory, and in the statistics if it is invalid. */
export function countValidity({ ad, context }: Report, isInvalid: boolean): void {
  const { events, quality } = context.reports;
  quality.count({ ...ad.supply, place: ad.place }, isInvalid, context.services.now());
  if (isInvalid) events.count(pairOf(ad), 'invalid', ad.auctionMs);
}

/** Counts an impression or click that is refused as invalid, once for its auction. */
export async function countInvalid(report: Report, name: 'invalid_impressions' | 'invalid_clicks') {
  if (await report.context.reports.events.bill(eventOf(report, name))) countValidity(report, true);
}
