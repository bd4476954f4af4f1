import { fillMacros } from '../../protocols/openrtb/macros.ts';
import type { Pair } from '../../statistics/events.ts';
import { parseIpAddress } from '../reading/ip-address.ts';
import { objectsOf, pairOf, promisedTo, type Report } from './report.ts';
import { priceOf } from './tracked-ad.ts';

const billingRetries = 5;

/** Counts the win of a fallback, which wins by being shown. Other ads win at the auction, and offers by a notice. */
function winFallback({ ad, context: { reports, services } }: Report): void {
  reports.events.count(pairOf(ad), 'wins', services.now());
  if (ad.winNotice !== '') services.outbound.notify(ad.winNotice);
}

/** Supply and demand, each of which has promised the ad an impression, as pairs that each count for one side alone. */
export function promisesOf({ ad: { supply, demand, subId } }: Report): Pair[] {
  return [
    { supply, demand: undefined, subId },
    { supply, demand, subId },
  ];
}

/** Takes a promise off the count of open ones, so that a restart does not restore it. */
export function endPromise({ ad, context }: Report, pair: Pair): void {
  context.reports.events.count(pair, 'promised', ad.auctionMs, -1);
}

/** Books an impression that was just billed: the limits of both sides, and the demand's billing notice. */
export function book(report: Report): void {
  const { ad, context } = report;
  const { limits, outbound, now } = context.services;
  const { supply, demand } = objectsOf(report);
  // The address of the ad request, because the pixel's may be that of the player's server.
  const ip = parseIpAddress(ad.ip);
  const { spentNanos, revenueNanos } = priceOf(ad);
  const amounts = [
    [supply, spentNanos],
    [demand, revenueNanos],
  ] as const;
  for (const [object, nanos] of amounts) {
    if (!object) continue;
    limits.keepPromise(object, ip, ad.auctionMs, promisedTo(ad));
    limits.bookAmount(object, nanos, now());
  }
  for (const pair of promisesOf(report)) endPromise(report, pair);
  for (const demand of ad.alternatives) {
    limits.withdraw(demand, ad.auctionMs, promisedTo(ad));
    endPromise(report, { ...pairOf(ad), demand });
  }
  if (ad.isFallback) winFallback(report);
  const IMP_TS = String(now());
  if (ad.billingNotice !== '') outbound.notify(fillMacros(ad.billingNotice, { IMP_TS }), billingRetries);
}
