import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpUrl } from '../../protocols/http-url.ts';
import type { Billable } from '../../reference/counters.ts';
import { zoneQuery } from '../reading/query.ts';
import { billClick, billImpression } from '../trackers/bill.ts';
import { loss, winNoticeAs } from '../trackers/notices.ts';
import { eventOf, isLive, objectsOf, type Report, readReport } from '../trackers/report.ts';
import { tokenCharactersMax } from '../trackers/sealing.ts';
import type { TokenType } from '../trackers/token-type.ts';
import { type TrackerEvent, trackerPath } from '../trackers/tracker-url.ts';
import { countInvalid, countValidity, mismatchOf } from '../trackers/validity.ts';
import type { Door } from './door.ts';
import { endLater } from './end-later.ts';
import { openToAll, refuseMethod } from './open-to-all.ts';

/** A GIF of one transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

async function impression(report: Report): Promise<void> {
  if (mismatchOf(report) !== undefined) await countInvalid(report, 'invalid_impressions');
  else if (await billImpression(report)) countValidity(report, false);
}

async function click(report: Report): Promise<void> {
  if (mismatchOf(report) !== undefined) await countInvalid(report, 'invalid_clicks');
  else if (await billClick(report)) countValidity(report, false);
}

/** What opens a tracker, and what a call of it counts. */
interface Tracker {
  readonly type: TokenType;
  readonly count: (report: Report) => Promise<void>;
}

/** What a player reports of an ad, each once for its auction. */
const played = (event: Billable): Tracker => ({
  type: 'markup',
  count: async (report) => {
    await report.context.reports.events.bill(eventOf(report, event));
  },
});
/** The price of a notice is what the caller says, so only the holder of the auction has a token for it. */
const notice = (count: Tracker['count']): Tracker => ({ type: 'notice', count });

/** The trackers below `/track/`. A pop has none in its markup: it counts where its visitor is sent on. */
const trackers: Readonly<Record<Exclude<TrackerEvent, 'open'>, Tracker>> = {
  impression: { type: 'markup', count: impression },
  click: { type: 'markup', count: click },
  clicktracking: { type: 'markup', count: click },
  error: played('adErrors'),
  start: played('starts'),
  firstQuartile: played('firstQuartiles'),
  midpoint: played('midpoints'),
  thirdQuartile: played('thirdQuartiles'),
  complete: played('completes'),
  skip: played('skips'),
  win: notice(winNoticeAs('win')),
  billing: notice(winNoticeAs('billing')),
  loss: notice(loss),
};

const trackerNamed: ReadonlyMap<string, Tracker> = new Map(Object.entries(trackers));

/** Where a click leads: to the campaign's `ClickUrl` as it is now, never to an address that a request names. */
function destinationOf(name: string, report: Report): string | undefined {
  if (name !== 'click') return undefined;
  const { demand } = objectsOf(report);
  return httpUrl(demand?.settings.ClickUrl ?? '');
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
    const tracker = trackerNamed.get(name);
    let report: Report | undefined;
    try {
      const token = zoneQuery(url).text('t', tokenCharactersMax);
      report = tracker && readReport(tracker.type, token, request, context);
      if (report && isLive(report) && request.method === 'GET') await tracker?.count(report);
    } catch (error) {
      context.onFault(error);
      return unavailable(request, response);
    }
    acknowledge(request, response, report && destinationOf(name, report));
  },
};
