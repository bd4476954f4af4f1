import type { IncomingMessage, ServerResponse } from 'node:http';
import { lossReasons } from '../../protocols/openrtb/loss-reasons.ts';
import { fillMacros } from '../../protocols/openrtb/macros.ts';
import type { BillableEvent } from '../../statistics/events.ts';
import type { Door, DoorContext } from '../doors/door.ts';
import { openToAll, refuseMethod } from '../doors/open-to-all.ts';
import { zoneQuery } from '../doors/query.ts';
import { cpmMicrosOf } from '../money.ts';
import { parseIpAddress } from '../reading/ip-address.ts';
import { atAddressOf } from './at-address.ts';
import { mismatch } from './match.ts';
import type { OfferBilling, TrackedAd } from './tokens.ts';
import { trackerPath } from './tracker-url.ts';

/** A GIF of one transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const billingRetries = 5;
const lossCodeMax = 9999;

/** An ad as a tracker found it, with its objects as they are now. */
interface Report {
  readonly ad: TrackedAd;
  readonly request: IncomingMessage;
  readonly context: DoorContext;
}

const objectsOf = ({ ad, context }: Report) => {
  const snapshot = context.snapshot();
  return {
    supply: snapshot.supply(ad.supply.kind, ad.supply.id),
    demand: snapshot.demand(ad.demand.kind, ad.demand.id),
  };
};

const pairOf = ({ supply, demand, subId }: TrackedAd) => ({ supply, demand, subId });

function event(
  { ad, context }: Report,
  name: BillableEvent['event'],
  price = { spentNanos: 0, revenueNanos: 0 },
) {
  const { auctionId, expiresMs } = ad;
  const timeMs = context.services.now();
  return { pair: pairOf(ad), event: name, auctionId, timeMs, expiresMs, ...price };
}

/** Whether the match flags let an impression or click count; one that they refuse counts as invalid. */
function isValid(report: Report): boolean {
  const { ad, request, context } = report;
  const { supply, demand } = objectsOf(report);
  const flags = [supply, demand].flatMap((object) => (object ? [object.match] : []));
  const { events, quality } = context.reports;
  const field = mismatch(ad, context.callerOf(request), flags);
  const timeMs = context.services.now();
  quality.count({ ...ad.supply, place: ad.place }, field !== undefined, timeMs);
  if (field !== undefined) events.count(pairOf(ad), 'invalid', timeMs);
  return field === undefined;
}

/** Books an impression that was counted now: limits of both sides, and the demand's billing notice. */
function book(report: Report): void {
  const { ad, context } = report;
  const { limits, outbound, now } = context.services;
  const { supply, demand } = objectsOf(report);
  // That of the request: a player's pixel may come from its server.
  const ip = parseIpAddress(ad.ip);
  const amounts = [
    [supply, ad.payoutCpmMicros],
    [demand, ad.clearingCpmMicros],
  ] as const;
  for (const [object, nanos] of amounts) {
    if (!object) continue;
    limits.keepPromise(object, ip, ad.auctionMs);
    limits.bookAmount(object, nanos, now());
  }
  if (ad.billingNotice !== '') outbound.notify(ad.billingNotice, billingRetries);
}

/** The billable event: durable before it is acknowledged, once for an auction (delivery, "Trackers"). */
async function bill(report: Report): Promise<void> {
  const { ad, context } = report;
  // A thousandth of a CPM in micro-USD is the same number in nano-USD.
  const price = { spentNanos: ad.payoutCpmMicros, revenueNanos: ad.clearingCpmMicros };
  const { supply, demand } = objectsOf(report);
  const atAddress = atAddressOf(ad, [supply, demand]);
  if (await context.reports.events.bill({ ...event(report, 'bills', price), atAddress })) book(report);
}

/** An offer has won; whoever tells of its billable event says as much. */
async function win({ ad, ...report }: Report): Promise<void> {
  const { reports, services } = report.context;
  const isFirst = await reports.events.bill(event({ ad, ...report }, 'wins'));
  if (isFirst && ad.winNotice !== '') services.outbound.notify(ad.winNotice);
}

/** Shown: counted, and billed unless somebody else tells of the billable event. */
async function impression(report: Report): Promise<void> {
  if (!isValid(report)) return;
  const { ad, context } = report;
  const isBilled = ad.offer === '' || ad.offer === 'impression';
  await Promise.all([
    context.reports.events.bill(event(report, 'impressions')),
    isBilled && bill(report),
    ad.offer === 'impression' && win(report),
  ]);
}

const usd = 'USD';

/** The report with the price that a notice tells, where that is less than was offered: the publisher asks for no more. */
function asTold(report: Report): Report {
  const query = zoneQuery(report.request.url ?? '');
  const told = cpmMicrosOf(query.amount('price') ?? 0);
  const currency = query.text('cur').toUpperCase();
  if (told === 0 || told >= report.ad.payoutCpmMicros || (currency !== usd && currency !== '')) return report;
  return { ...report, ad: { ...report.ad, payoutCpmMicros: told } };
}

/** A notice of the auction that an ad was offered in: a win, which may be the billable event itself, or that event. */
function winNoticeAs(name: OfferBilling) {
  return async (report: Report): Promise<void> => {
    if (report.ad.offer === '') return;
    const told = asTold(report);
    await Promise.all([win(told), told.ad.offer === name && bill(told)]);
  };
}

/** An offer has lost: what was promised is free again, and its bidder is told why. */
async function loss(report: Report): Promise<void> {
  const { ad, context, request } = report;
  if (ad.offer === '' || !(await context.reports.events.bill(event(report, 'losses')))) return;
  const { limits, outbound } = context.services;
  for (const object of Object.values(objectsOf(report))) {
    if (object) limits.withdraw(object, ad.auctionMs);
  }
  const query = zoneQuery(request.url ?? '');
  const LOSS = String(query.integer('loss', lossCodeMax) ?? lossReasons.lost_to_higher_bid);
  const MIN_TO_WIN = String(query.amount('mtw') ?? '');
  if (ad.lossNotice !== '') outbound.notify(fillMacros(ad.lossNotice, { LOSS, MIN_TO_WIN }));
}

async function click(report: Report): Promise<void> {
  if (isValid(report)) await report.context.reports.events.bill(event(report, 'clicks'));
}

/** What each tracker counts; those that are not here (errors, quartiles) count nothing that is paid. */
const countings: Readonly<Record<string, (report: Report) => Promise<void>>> = {
  impression,
  click,
  clicktracking: click,
  open: impression,
  win: winNoticeAs('win'),
  billing: winNoticeAs('billing'),
  loss,
};

/**
 * Where a click leads: to the address of the campaign as it is now, or to that of the pop which its token names; never
 * to one that a request names.
 */
function destinationOf(name: string, report: Report): string | undefined {
  if (name === 'open') return report.ad.landing || undefined;
  if (name !== 'click') return undefined;
  const { demand } = objectsOf(report);
  const url = demand?.document.ClickUrl;
  return typeof url === 'string' && url !== '' ? url : undefined;
}

function acknowledge(
  request: IncomingMessage,
  response: ServerResponse,
  destination: string | undefined,
): void {
  const headers = { 'cache-control': 'no-store', ...openToAll(request) };
  if (destination !== undefined) {
    response.writeHead(302, { ...headers, location: destination, 'content-length': 0 }).end();
    return;
  }
  response.writeHead(200, { ...headers, 'content-type': 'image/gif', 'content-length': pixel.length });
  response.end(request.method === 'HEAD' ? undefined : pixel);
}

function unavailable(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { 'retry-after': '1', 'content-length': 0, ...openToAll(request) }).end();
}

/**
 * `/track/<event>?t=<token>`: counts what the token allows, and answers as usual where it allows nothing. An event
 * that cannot be made durable is not acknowledged: 503, so that the player may try again.
 */
export const trackerDoor: Door = {
  path: trackerPath,
  async serve(request, response, context) {
    if (refuseMethod(request, response)) return;
    const url = request.url ?? '';
    const name = url.slice(trackerPath.length).split('?', 1)[0] ?? '';
    const ad = context.tokens.read(zoneQuery(url).text('t'), context.services.now());
    const report = ad && { ad, request, context };
    try {
      if (report && request.method === 'GET') await countings[name]?.(report);
    } catch (error) {
      context.onFault(error);
      return unavailable(request, response);
    }
    acknowledge(request, response, report && destinationOf(name, report));
  },
};
