import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { Logger } from 'pino';
import { startTestServer, type TestServer } from '../support/server.ts';

/** JSON that a test looks into. */
export type Values = Readonly<Record<string, unknown>>;

/** A bid of an answer, as far as tests ask. */
export interface AnsweredBid extends Values {
  readonly impid: string;
  readonly price: number;
  readonly adm: string;
  readonly nurl: string;
  readonly burl?: string;
  readonly lurl: string;
}

/** An answer of `/rtb`. */
export interface RtbResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where there is no body. */
  readonly body:
    | (Values & { readonly seatbid?: readonly { readonly bid: readonly AnsweredBid[] }[] })
    | undefined;
  readonly bids: readonly AnsweredBid[];
}

type Added = Values & { readonly Id: number };

const account = { Mail: 'a@example.com', Name: 'A', Country: 'DE' };
const allMedia = { BannerEnabled: 1, VideoEnabled: 1, AudioEnabled: 1, NativeEnabled: 1, PopEnabled: 1 };

/** An exchange with a publisher and an advertiser, and short ways to what tests of `/rtb` do. */
export async function startRtbRoom(logger?: Logger) {
  const server: TestServer = await startTestServer({ allowPrivateDemand: true }, logger);
  const call = async (path: string, body?: object): Promise<Values> => {
    const response = await fetch(`${server.url}/api/${path}`, {
      headers: { authorization: `Bearer ${server.token}` },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    const answer = (await response.json()) as Values;
    assert.equal(response.status, 200, JSON.stringify(answer));
    return answer;
  };
  const add = async (path: string, wrapper: string, values: object) =>
    (await call(`${path}/add`, { [wrapper]: values }))[wrapper] as Added;
  const publisher = await add('publisher', 'Publisher', {
    ...account,
    Username: 'pub',
    SellerId: 'seller-1',
  });
  const advertiser = await add('advertiser', 'Advertiser', { ...account, Username: 'adv' });
  return {
    server,
    call,
    advertiserId: advertiser.Id,
    /** An RTB EP with all media and, unless told otherwise, all of the profit for the publisher. */
    endpoint: (values: object = {}) =>
      add('ortb/rtbep', 'RtbEp', {
        PublisherId: publisher.Id,
        ...allMedia,
        PublisherProfitShare: 100,
        ...values,
      }),
    campaign: (values: object = {}) =>
      add('campaign', 'Campaign', { AdvertiserId: advertiser.Id, ...film, ...values }),
    dspTag: (values: object) =>
      add('ortb/dspvasttag', 'DspRtbEp', { AdvertiserId: advertiser.Id, ...values }),
    dsp: (values: object) =>
      add('ortb/dsprtbep', 'DspRtbEp', { AdvertiserId: advertiser.Id, ...allMedia, ...values }),
    /** Waits until the exchange serves what was written last. */
    async served(): Promise<void> {
      const changes = (await call('history/get?Limit=1000')) as unknown as readonly { Revision: number }[];
      await call(`exchange/status?Revision=${changes.at(-1)?.Revision}`);
    },
  };
}

/** What `startRtbRoom` answers. */
export type RtbRoom = Awaited<ReturnType<typeof startRtbRoom>>;

const film = {
  Name: 'Film',
  Cpm: 4,
  MediaUrl: 'https://cdn.example/film.mp4',
  Mime: 'video/mp4',
  Duration: 15,
  ClickUrl: 'https://brand.example/offer',
  Html: '<p>brand</p>',
  AdDomain: 'brand.example',
};

/** The URL that an endpoint was handed out. */
export function zoneUrl({ ZoneUrls }: Values): string {
  return (ZoneUrls as readonly { ZoneUrl: string }[])[0]?.ZoneUrl ?? '';
}

/** Sends a body to an endpoint: an object as JSON, anything else as it is. */
export async function post(
  url: string,
  body: object | string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<RtbResponse> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: isRaw ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const answer: RtbResponse['body'] = text === '' ? undefined : JSON.parse(text);
  const bids = (answer?.seatbid ?? []).flatMap(({ bid }) => bid);
  return { status: response.status, headers: response.headers, body: answer, bids };
}

/** A row of an endpoint's statistics of today. */
export async function statistics(object: Values): Promise<Values> {
  const url = String(object.StatsByDateJson).replace(/\{date_(from|to)\}/g, '');
  const [row] = (await (await fetch(url)).json()) as Values[];
  return row ?? {};
}

/** The row once it is as wanted: counts reach the database within about a second. */
export async function statisticsWith(object: Values, isThere: (row: Values) => boolean): Promise<Values> {
  for (;;) {
    const row = await statistics(object);
    if (isThere(row)) return row;
  }
}

/** A bidder on loopback: what it was sent, and what it answers to a bid request. */
export interface MockDsp extends AsyncDisposable {
  readonly url: string;
  readonly requests: Values[];
  /** Paths with query of the notices that came. */
  readonly notices: string[];
  /** Resolves with the first notice that begins so. */
  noticed(start: string): Promise<string>;
}

async function bodyOf(request: IncomingMessage): Promise<Values> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  return JSON.parse(text.toString()) as Values;
}

/** Starts a bidder; `bid` makes the bid for a request, undefined bids nothing. `URL` in it becomes the bidder's own. */
export async function startMockDsp(bid: (request: Values) => object | undefined): Promise<MockDsp> {
  const requests: Values[] = [];
  const notices: string[] = [];
  const waiting: { readonly start: string; readonly resolve: (notice: string) => void }[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const notice = request.url ?? '';
      notices.push(notice);
      for (const { start, resolve } of waiting) if (notice.startsWith(start)) resolve(notice);
      return response.end();
    }
    const received = await bodyOf(request);
    requests.push(received);
    const answered = bid(received);
    if (!answered) return response.writeHead(204).end();
    const made = { id: 'b1', impid: '1', price: 3, crid: 'c1', adomain: ['dsp.example'], ...answered };
    const text = JSON.stringify({ id: received.id, cur: 'USD', seatbid: [{ seat: 's1', bid: [made] }] });
    return response.end(text.replaceAll('DSP_URL', url));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    notices,
    noticed(start) {
      const known = notices.find((notice) => notice.startsWith(start));
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => waiting.push({ start, resolve }));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A bid request on a site with these impressions. */
export function requestOf(imps: readonly object[], members: object = {}): Values {
  return {
    id: 'request-1',
    imp: imps.map((imp, index) => ({ id: String(index + 1), ...imp })),
    site: { domain: 'news.example', page: 'https://news.example/today', publisher: { id: 'p1' } },
    device: { ua: 'Mozilla/5.0 (Windows NT 10.0) Chrome/126.0', ip: '203.0.113.7', geo: { country: 'DEU' } },
    at: 1,
    tmax: 2000,
    ...members,
  };
}

export const videoImp = { video: { mimes: ['video/mp4'], w: 640, h: 360, protocols: [2, 3, 5, 6] } };
export const bannerImp = { banner: { w: 300, h: 250 } };
export const nativeImp = { native: { request: '{"ver":"1.2","assets":[]}', ver: '1.2' } };
export const audioImp = { audio: { mimes: ['audio/mpeg'] } };
export const popImp = { instl: 1, ext: { type: 'popunder' } };
