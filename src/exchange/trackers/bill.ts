import { fillMacros } from '../../protocols/openrtb/macros.ts';
import type { Notice } from '../../statistics/events.ts';
import { atAddressOf } from './at-address.ts';
import { book } from './book.ts';
import { eventOf, isOver, objectsOf, promisedByOf, type Report } from './report.ts';
import { priceOf } from './tracked-ad.ts';

/** A notice as an event carries it: none where the bidder wants none. */
export const noticesOf = (kind: Notice['kind'], url: string): readonly Notice[] =>
  url === '' ? [] : [{ kind, url }];

/** The billable event: durable before it is acknowledged, once for an auction (reference, "Trackers"). */
export async function bill(report: Report): Promise<void> {
  const { ad, context } = report;
  const { supply, demand } = objectsOf(report);
  const atAddress = atAddressOf(ad, [supply, demand]);
  const billed = eventOf(report, 'bills', priceOf(ad));
  const IMP_TS = String(context.services.now());
  const notices = [
    ...(ad.isFallback ? noticesOf('win', ad.winNotice) : []),
    ...noticesOf('billing', fillMacros(ad.billingNotice, { IMP_TS })),
  ];
  const event = { ...billed, atAddress, promisedBy: promisedByOf(ad), notices, isWin: ad.isFallback };
  if (await context.reports.events.bill(event)) book(report);
}

/** Counts the win of an offer, of which its bidder is told. A report of the billable event means that it has won, too. */
export async function win(report: Report): Promise<void> {
  const { ad, context } = report;
  await context.reports.events.bill({ ...eventOf(report, 'wins'), notices: noticesOf('win', ad.winNotice) });
}

/**
 * Counts an impression, and bills it unless another tracker reports the billable event; each once for an auction.
 * Answers whether the impression counted now.
 */
export async function billImpression(report: Report): Promise<boolean> {
  const { ad, context } = report;
  if (isOver(report)) return false;
  const isBilled = ad.offer === '' || ad.offer === 'impression';
  const [isFirst] = await Promise.all([
    context.reports.events.bill(eventOf(report, 'impressions')),
    isBilled && bill(report),
    ad.offer === 'impression' && win(report),
  ]);
  return isFirst;
}

/** A click: durable before it is acknowledged, once for an auction. Answers whether it counted now. */
export function billClick(report: Report): Promise<boolean> {
  return report.context.reports.events.bill(eventOf(report, 'clicks'));
}
