import type { Logger } from 'pino';
import type { Config } from '../../src/config.ts';
import { openExchange, type Values } from './exchange-room.ts';

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
  readonly body:
    | (Values & { readonly seatbid?: readonly { readonly bid: readonly AnsweredBid[] }[] })
    | undefined;
  readonly bids: readonly AnsweredBid[];
}

const allMedia = { BannerEnabled: 1, VideoEnabled: 1, AudioEnabled: 1, NativeEnabled: 1, PopEnabled: 1 };

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

/** An exchange, and short ways to what tests of `/rtb` do. */
export async function openRtbRoom(logger?: Logger, changes: Partial<Config> = {}) {
  const room = await openExchange(changes, logger);
  return {
    ...room,
    /** An RTB EP with all media and, unless told otherwise, all of the profit for the publisher. */
    endpoint: (values: Values = {}) =>
      room.add('ortb/rtbep', { ...allMedia, PublisherProfitShare: 100, ...values }),
    campaign: (values: Values = {}) => room.add('campaign', { ...film, ...values }),
    dsp: (values: Values) => room.add('ortb/dsprtbep', { ...allMedia, ...values }),
  };
}

/** What `openRtbRoom` answers. */
export type RtbRoom = Awaited<ReturnType<typeof openRtbRoom>>;

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
