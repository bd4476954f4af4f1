import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpUrl } from '../../protocols/http-url.ts';
import type { PlayedCounter } from '../../reference/counters.ts';
import { zoneQuery } from '../reading/query.ts';
import { billClick, billImpression } from '../trackers/bill.ts';
import { countLoss, winNoticeCounter } from '../trackers/notices.ts';
import { tokenCharactersMax } from '../trackers/token-sealer.ts';
import type { TokenType } from '../trackers/token-type.ts';
import { eventOf, isLive, objectsOf, readTrackerCall, type TrackerCall } from '../trackers/tracker-call.ts';
import { type TrackerEvent, trackerPath } from '../trackers/tracker-url.ts';
import { countInvalid, countValidity, invalidVisit } from '../trackers/validity.ts';
import { corsHeaders, refuseMethod } from './cors-headers.ts';
import type { DeliveryEndpoint } from './delivery-endpoint.ts';
import { endLater } from './end-later.ts';
import { pixel } from './pixel.ts';

async function impression(call: TrackerCall): Promise<void> {
  const invalid = invalidVisit(call);
  if (invalid) await countInvalid(call, 'invalid_impressions', invalid);
  else if (await billImpression(call)) countValidity(call, undefined);
}

async function click(call: TrackerCall): Promise<void> {
  const invalid = invalidVisit(call);
  if (invalid) await countInvalid(call, 'invalid_clicks', invalid);
  else if (await billClick(call)) countValidity(call, undefined);
}

interface Tracker {
  readonly type: TokenType;
  readonly count: (call: TrackerCall) => Promise<void>;
}

/** Each once per auction. */
const played = (event: PlayedCounter): Tracker => ({
  type: 'markup',
  count: async (call) => {
    await call.context.reports.events.bill(eventOf(call, event));
  },
});
/** The caller states a notice's price, so only the auction's holder has a token for it. */
const notice = (count: Tracker['count']): Tracker => ({ type: 'notice', count });

/** Below `/track/`. A pop has none in its markup: it counts when its visitor is sent on. */
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
  win: notice(winNoticeCounter('win')),
  billing: notice(winNoticeCounter('billing')),
  loss: notice(countLoss),
};

const trackerNamed: ReadonlyMap<string, Tracker> = new Map(Object.entries(trackers));

/** The campaign's current `ClickUrl`, never an address from the request. */
function destinationOf(name: string, call: TrackerCall): string | undefined {
  if (name !== 'click') return undefined;
  const { demand } = objectsOf(call);
  return httpUrl(demand?.settings.ClickUrl ?? '');
}

function acknowledge(
  request: IncomingMessage,
  response: ServerResponse,
  destination: string | undefined,
): void {
  const headers = corsHeaders(request, { 'cache-control': 'no-store' });
  if (destination !== undefined) {
    response.writeHead(302, { ...headers, location: destination, 'content-length': 0 }).end();
    return;
  }
  response.writeHead(200, { ...headers, 'content-type': pixel.type, 'content-length': pixel.body.length });
  endLater(response, request.method === 'HEAD' ? undefined : pixel.body);
}

function unavailable(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, corsHeaders(request, { 'retry-after': '1', 'content-length': 0 })).end();
}

/**
 * `/track/<event>?t=<token>`: answers the same whether or not the token allows anything. 503 if the event cannot be
 * made durable, so that players may retry.
 */
export const trackerEndpoint: DeliveryEndpoint = {
  path: trackerPath,
  async serve(request, response, context) {
    if (refuseMethod(request, response)) return;
    const url = request.url ?? '';
    const name = url.slice(trackerPath.length).split('?', 1)[0] ?? '';
    const tracker = trackerNamed.get(name);
    let call: TrackerCall | undefined;
    try {
      const token = zoneQuery(url).text('t', tokenCharactersMax);
      call = tracker && readTrackerCall(tracker.type, token, request, context);
      if (call && isLive(call) && request.method === 'GET') await tracker?.count(call);
    } catch (error) {
      context.onFault(error);
      return unavailable(request, response);
    }
    acknowledge(request, response, call && destinationOf(name, call));
  },
};
