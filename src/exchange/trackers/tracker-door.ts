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
/** Any time is before the end of a token: links are read when they have expired, too, as they still lead somewhere. */
export const whenever = 0;
const billingRetries = 5;
const lossCodeMax = 9999;

/** An ad as a tracker found it, with its objects as they are now. */
export interface Report {
  readonly ad: TrackedAd;
  readonly request: IncomingMessage;
  readonly context: DoorContext;
}

/** Its two objects, as they are configured now. */
export const objectsOf = ({ ad, context }: Report) => {
  const snapshot = context.snapshot();
  return {
    supply: snapshot.supply(ad.supply.kind, ad.supply.id),
    demand: snapshot.demand(ad.demand.kind, ad.demand.id),
  };
};

const promisedTo = ({ offer }: TrackedAd) => (offer === '' ? 'ad' : 'offer');

/** Whether an ad comes too late to be won or shown: its promise may stand no more. */
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

/** The field of the match flag that does not let an impression or click count; undefined where all do. */
export function mismatchOf(report: Report): string | undefined {
  const { ad, request, context } = report;
  const { supply, demand } = objectsOf(report);
  const flags = [supply, demand].flatMap((object) => (object ? [object.match] : []));
  return mismatch(ad, context.callerOf(request), flags);
}

/** Counts an impression or click into the quality of its inventory, and as invalid where it is. */
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

/** A fallback has won: it was shown. Other winners were counted and told after the auction, or are once their offer has won. */
function winFallback({ ad, context: { reports, services } }: Report): void {
  reports.events.count(pairOf(ad), 'wins', services.now());
  if (ad.winNotice !== '') services.outbound.notify(ad.winNotice);
}

/** Its two sides, each of which has promised it an impression, as a pair that counts for that side alone. */
function promisesOf({ ad: { supply, demand, subId } }: Report): Pair[] {
  return [
    { supply, demand: undefined, subId },
    { supply, demand, subId },
  ];
}

/** Counts a promise as ended, which a restart then knows nothing of. */
function endPromise({ ad, context }: Report, pair: Pair): void {
  context.reports.events.count(pair, 'promised', ad.auctionMs, -1);
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

/** An offer has won; whoever tells of its billable event says as much. */
async function win({ ad, ...report }: Report): Promise<void> {
  const { reports, services } = report.context;
  const isFirst = await reports.events.bill(event({ ad, ...report }, 'wins'));
  if (isFirst && ad.winNotice !== '') services.outbound.notify(ad.winNotice);
}

/**
 * Shown: counted, and billed unless somebody else tells of the billable event; each once for an auction. Answers
 * whether it counted now.
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
    if (isOver(report)) return;
    const told = asTold(report);
    await Promise.all([win(told), told.ad.offer === name && bill(told)]);
  };
}

/** An offer has lost: what was promised is free again, and its bidder is told why. */
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

/** What each tracker of markup counts; those that are not here (errors, quartiles) count nothing that is paid. */
const ofMarkup: Countings = { impression, click, clicktracking: click };

/** What each notice counts. Its price is its caller's word, which none but the holder of the auction may give. */
const ofNotices: Countings = { win: winNoticeAs('win'), billing: winNoticeAs('billing'), loss };

/** What a tracker of an ad counts. A pop counts where its visitor is sent on, and by its notices, and nowhere else. */
function countingOf(name: string, { isNotice, landing }: TrackedAd) {
  if (isNotice) return ofNotices[name];
  return landing === '' ? ofMarkup[name] : undefined;
}

/**
 * Where a click leads: to the address of the campaign as it is now; never to one that a request names. The way of a
 * pop's visitor is another, which checks him.
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
 * `/track/<event>?t=<token>`: counts what the token allows, and answers as usual where it allows nothing. An event
 * that cannot be made durable is not acknowledged: 503, so that the player may try again.
 */
export const trackerDoor: Door = {
  path: trackerPath,
  async serve(request, response, context) {
    if (refuseMethod(request, response)) return;
    const url = request.url ?? '';
    const name = url.slice(trackerPath.length).split('?', 1)[0] ?? '';
    const token = zoneQuery(url).text('t', tokenCharactersMax);
    const nowMs = context.services.now();
    const ad = context.tokens.read(token, name === 'click' ? whenever : nowMs);
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
