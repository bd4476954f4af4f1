import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpUrl } from '../../protocols/http-url.ts';
import { lossReasons } from '../../protocols/openrtb/loss-reasons.ts';
import { fillMacros } from '../../protocols/openrtb/macros.ts';
import type { BillableEvent, Pair } from '../../statistics/events.ts';
import type { Door, DoorContext } from '../doors/door.ts';
import { endLater } from '../doors/end-later.ts';
import { openToAll, refuseMethod } from '../doors/open-to-all.ts';
import { zoneQuery } from '../doors/query.ts';
import { cpmMicrosOf } from '../money.ts';
import { parseIpAddress } from '../reading/ip-address.ts';
import { atAddressOf } from './at-address.ts';
import { mismatch } from './match.ts';
import { tokenCharactersMax } from './tokens.ts';
import type { OfferBilling, TrackedAd } from './tracked-ad.ts';
import { trackerPath } from './tracker-url.ts';

/** A GIF of one transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
/** A time before any token expires, to read links whose token has expired: they must still lead somewhere. */
export const beforeExpiryMs = 0;
const billingRetries = 5;
const lossCodeMax = 9999;

/** One call of a tracker, with the ad that its token carries. */
export interface Report {
  readonly ad: TrackedAd;
  readonly request: IncomingMessage;
  readonly context: DoorContext;
}

/** The ad's supply and demand object as they are configured now; undefined where they are gone. */
export const objectsOf = ({ ad, context }: Report) => {
  const snapshot = context.snapshot();
  return {
    supply: snapshot.supply(ad.supply.kind, ad.supply.id),
    demand: snapshot.demand(ad.demand.kind, ad.demand.id),
  };
};

const promisedTo = ({ offer }: TrackedAd) => (offer === '' ? 'ad' : 'offer');

/** Whether it is too late for an ad to be won or shown, because its promise may have ended. */
const isOver = ({ ad, context }: Report) =>
  ad.standsUntilMs > 0 && context.services.now() >= ad.standsUntilMs;

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
  const timeMs = context.services.now();
  quality.count({ ...ad.supply, place: ad.place }, isInvalid, timeMs);
  if (isInvalid) events.count(pairOf(ad), 'invalid', timeMs);
}

/** Counts an impression or click that is refused as invalid, once for its auction. */
export async function countInvalid(report: Report, name: 'invalid_impressions' | 'invalid_clicks') {
  if (await report.context.reports.events.bill(event(report, name))) countValidity(report, true);
}

/** Counts the win of a fallback, which wins by being shown. Other ads win at the auction, and offers by a notice. */
function winFallback({ ad, context: { reports, services } }: Report): void {
  reports.events.count(pairOf(ad), 'wins', services.now());
  if (ad.winNotice !== '') services.outbound.notify(ad.winNotice);
}

/** Supply and demand, each of which has promised the ad an impression, as pairs that each count for one side alone. */
function promisesOf({ ad: { supply, demand, subId } }: Report): Pair[] {
  return [
    { supply, demand: undefined, subId },
    { supply, demand, subId },
  ];
}

/** Takes a promise off the count of open ones, so that a restart does not restore it. */
function endPromise({ ad, context }: Report, pair: Pair): void {
  context.reports.events.count(pair, 'promised', ad.auctionMs, -1);
}

/** Books an impression that was just billed: the limits of both sides, and the demand's billing notice. */
function book(report: Report): void {
  const { ad, context } = report;
  const { limits, outbound, now } = context.services;
  const { supply, demand } = objectsOf(report);
  // The address of the ad request, because the pixel's may be that of the player's server.
  const ip = parseIpAddress(ad.ip);
  const amounts = [
    [supply, ad.payoutCpmMicros],
    [demand, ad.clearingCpmMicros],
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

/** The billable event: durable before it is acknowledged, once for an auction (delivery, "Trackers"). */
async function bill(report: Report): Promise<void> {
  const { ad, context } = report;
  // A thousandth of a CPM in micro-USD is the same number in nano-USD.
  const price = { spentNanos: ad.payoutCpmMicros, revenueNanos: ad.clearingCpmMicros };
  const { supply, demand } = objectsOf(report);
  const atAddress = atAddressOf(ad, [supply, demand]);
  if (await context.reports.events.bill({ ...event(report, 'bills', price), atAddress })) book(report);
}

/** Counts the win of an offer and tells its bidder. A report of the billable event means that it has won, too. */
async function win({ ad, ...report }: Report): Promise<void> {
  const { reports, services } = report.context;
  const isFirst = await reports.events.bill(event({ ad, ...report }, 'wins'));
  if (isFirst && ad.winNotice !== '') services.outbound.notify(ad.winNotice);
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
    context.reports.events.bill(event(report, 'impressions')),
    isBilled && bill(report),
    ad.offer === 'impression' && win(report),
  ]);
  return isFirst;
}

const usd = 'USD';

/**
 * The report with the price that the notice names, if that is less than the offered one: the publisher asks no more.
 */
function atNoticePrice(report: Report): Report {
  const query = zoneQuery(report.request.url ?? '');
  const payoutCpmMicros = cpmMicrosOf(query.amount('price') ?? 0);
  const currency = query.text('cur').toUpperCase();
  if (payoutCpmMicros === 0 || payoutCpmMicros >= report.ad.payoutCpmMicros) return report;
  if (currency !== usd && currency !== '') return report;
  return { ...report, ad: { ...report.ad, payoutCpmMicros } };
}

/** What a win or billing notice of an offer counts: the win, and the bill if this notice is the billable event. */
function winNoticeAs(name: OfferBilling) {
  return async (report: Report): Promise<void> => {
    if (isOver(report)) return;
    const priced = atNoticePrice(report);
    await Promise.all([win(priced), priced.ad.offer === name && bill(priced)]);
  };
}

/** Counts the loss of an offer: both sides get their promise back, and the bidder is told why it lost. */
async function loss(report: Report): Promise<void> {
  const { ad, context, request } = report;
  if (!(await context.reports.events.bill(event(report, 'losses')))) return;
  const { limits, outbound } = context.services;
  for (const object of Object.values(objectsOf(report))) {
    if (object) limits.withdraw(object, ad.auctionMs, promisedTo(ad));
  }
  for (const pair of promisesOf(report)) endPromise(report, pair);
  const query = zoneQuery(request.url ?? '');
  const LOSS = String(query.integer('loss', lossCodeMax) ?? lossReasons.lost_to_higher_bid);
  const MIN_TO_WIN = String(query.amount('mtw') ?? '');
  if (ad.lossNotice !== '') outbound.notify(fillMacros(ad.lossNotice, { LOSS, MIN_TO_WIN }));
}

/** A click: durable before it is acknowledged, once for an auction. Answers whether it counted now. */
export function billClick(report: Report): Promise<boolean> {
  return report.context.reports.events.bill(event(report, 'clicks'));
}

async function impression(report: Report): Promise<void> {
  if (mismatchOf(report) !== undefined) await countInvalid(report, 'invalid_impressions');
  else if (await billImpression(report)) countValidity(report, false);
}

async function click(report: Report): Promise<void> {
  if (mismatchOf(report) !== undefined) await countInvalid(report, 'invalid_clicks');
  else if (await billClick(report)) countValidity(report, false);
}

type Countings = Readonly<Record<string, (report: Report) => Promise<void>>>;

/** What each tracker in an ad's markup counts. Those that are not listed (errors, quartiles) count nothing. */
const ofMarkup: Countings = { impression, click, clicktracking: click };

/** What each notice counts. Its price is what the caller says, so only the holder of the auction has its token. */
const ofNotices: Countings = { win: winNoticeAs('win'), billing: winNoticeAs('billing'), loss };

/** What a tracker of an ad counts. A pop counts only where its visitor is sent on, and by its notices. */
function countingOf(name: string, { isNotice, landing }: TrackedAd) {
  if (isNotice) return ofNotices[name];
  return landing === '' ? ofMarkup[name] : undefined;
}

/**
 * Where a click leads: to the campaign's `ClickUrl` as it is now, never to an address that a request names. A pop's
 * visitor takes another way, which checks the visitor first.
 */
function destinationOf(name: string, report: Report): string | undefined {
  if (name !== 'click' || report.ad.landing !== '') return undefined;
  const { demand } = objectsOf(report);
  return httpUrl(String(demand?.document.ClickUrl ?? ''));
}

function acknowledge(
  request: IncomingMessage,
  response: ServerResponse,
  destination: string | undefined,
): void {
  const headers = openToAll(request, { 'cache-control': 'no-store' });
  if (destination !== undefined) {
    response.writeHead(302, { ...headers, location: destination, 'content-length': 0 }).end();
    return;
  }
  response.writeHead(200, { ...headers, 'content-type': 'image/gif', 'content-length': pixel.length });
  endLater(response, request.method === 'HEAD' ? undefined : pixel);
}

function unavailable(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, openToAll(request, { 'retry-after': '1', 'content-length': 0 })).end();
}

/**
 * `/track/<event>?t=<token>`: counts what the token allows; the answer is the same if it allows nothing. An event that
 * cannot be made durable is answered with 503, so that the player may try again.
 */
export const trackerDoor: Door = {
  path: trackerPath,
  async serve(request, response, context) {
    if (refuseMethod(request, response)) return;
    const url = request.url ?? '';
    const name = url.slice(trackerPath.length).split('?', 1)[0] ?? '';
    const token = zoneQuery(url).text('t', tokenCharactersMax);
    const nowMs = context.services.now();
    const ad = context.tokens.read(token, name === 'click' ? beforeExpiryMs : nowMs);
    const report = ad && { ad, request, context };
    try {
      if (report && nowMs < report.ad.expiresMs && request.method === 'GET')
        await countingOf(name, report.ad)?.(report);
    } catch (error) {
      context.onFault(error);
      return unavailable(request, response);
    }
    acknowledge(request, response, report && destinationOf(name, report));
  },
};
