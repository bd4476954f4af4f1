import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpUrl } from '../../protocols/http-url.ts';
import type { Door } from '../doors/door.ts';
import { endLater } from '../doors/end-later.ts';
import { openToAll, refuseMethod } from '../doors/open-to-all.ts';
import { zoneQuery } from '../doors/query.ts';
import { billClick, billImpression } from './bill.ts';
import { loss, winNoticeAs } from './notices.ts';
import { objectsOf, type Report } from './report.ts';
import { tokenCharactersMax } from './tokens.ts';
import type { TrackedAd } from './tracked-ad.ts';
import { trackerPath } from './tracker-url.ts';
import { countInvalid, countValidity, mismatchOf } from './validity.ts';

/** A GIF of one transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
/** A time before any token expires, to read links whose token has expired: they must still lead somewhere. */
export const beforeExpiryMs = 0;

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
