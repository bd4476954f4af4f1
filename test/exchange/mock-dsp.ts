import { createServer, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';
import type { Values } from './exchange-room.ts';

/** A request as a DSP got it. */
export interface DspCall {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed. */
  readonly body: string;
}

/** What a DSP answers; 200, no headers and at once unless told. */
export interface DspAnswer {
  readonly status?: number;
  /** Infinity = never. */
  readonly afterMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A DSP on loopback that answers each path as it was told to. */
export interface MockDsp extends Loopback {
  /** Answers requests to a path from now on. */
  answer(path: string, with_: (call: DspCall) => DspAnswer): void;
  /** Requests to a path so far. */
  calls(path: string): readonly DspCall[];
  /** The first request to a path that fits, as soon as there is one. */
  call(path: string, isFit?: (call: DspCall) => boolean): Promise<DspCall>;
}

const waitMsMax = 5000;

/** Starts a DSP at a free port. Paths that it was not told of are answered 404. */
export async function startMockDsp(): Promise<MockDsp> {
  const answers = new Map<string, (call: DspCall) => DspAnswer>();
  const seen = new Map<string, DspCall[]>();
  const listeners = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const raw = Buffer.concat(chunks);
      const body = (headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString();
      const call = { method, url, headers, body };
      const path = url.split('?', 1)[0] ?? '';
      seen.set(path, [...(seen.get(path) ?? []), call]);
      const answer: DspAnswer = answers.get(path)?.(call) ?? { status: 404, body: '' };
      const send = () => void response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
      if (answer.afterMs === undefined) send();
      else if (answer.afterMs !== Number.POSITIVE_INFINITY) setTimeout(send, answer.afterMs);
      for (const listener of listeners) listener();
    });
  });
  const calls = (path: string) => seen.get(path) ?? [];
  return {
    ...(await listenOnLoopback(server)),
    answer: (path, with_) => void answers.set(path, with_),
    calls,
    call: (path, isFit = () => true) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${path} is not called`)), waitMsMax);
        const look = () => {
          const found = calls(path).find(isFit);
          if (!found) return;
          listeners.delete(look);
          clearTimeout(late);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
  };
}

/** What an InLine ad is made of; all but the price has a default. */
export interface SampleAd {
  readonly pricing?: string;
  readonly media?: string;
  readonly type?: string;
  readonly duration?: string;
  readonly version?: string;
  readonly inline?: string;
}

/** A VAST document with one InLine ad, as a DSP would send it. */
export function vastAd(ad: SampleAd = {}): string {
  const { pricing = '', media = 'https://dsp.example/a.mp4', type = 'video/mp4', version = '3.0' } = ad;
  const { duration = '00:00:10', inline = '' } = ad;
  return `<VAST version="${version}"><Ad id="1"><InLine><AdSystem>dsp</AdSystem><AdTitle>t</AdTitle>
    ${inline}<Impression><![CDATA[https://dsp.example/imp]]></Impression>${pricing}
    <Creatives><Creative><Linear><Duration>${duration}</Duration><MediaFiles>
    <MediaFile delivery="progressive" type="${type}" width="640" height="360">${media}</MediaFile>
    </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;
}

/** A wrapper that leads to another document. */
export function vastWrapper(to: string): string {
  return `<VAST version="3.0"><Ad id="w"><Wrapper><AdSystem>dsp</AdSystem>
    <VASTAdTagURI><![CDATA[${to}]]></VASTAdTagURI><Impression><![CDATA[https://dsp.example/wrapped]]></Impression>
    </Wrapper></Ad></VAST>`;
}

/** `<Pricing>` of an ad. */
export function pricing(value: string, currency = 'USD', model = 'CPM'): string {
  return `<Pricing model="${model}" currency="${currency}">${value}</Pricing>`;
}

/** An OpenRTB response to a bid request: a bid, or several of one seat, of these members beside those that each needs. */
export function bidResponse(
  { body }: DspCall,
  bids: object | readonly object[],
  response: object = {},
): DspAnswer {
  const { id, imp } = JSON.parse(body) as { id: string; imp: readonly { id: string }[] };
  const usual = { id: 'bid-1', impid: imp[0]?.id, adm: vastAd(), adomain: ['brand.example'], crid: 'film-1' };
  const bid = [bids].flat().map((one) => ({ ...usual, ...one }));
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, cur: 'USD', seatbid: [{ seat: 'seat-1', bid }], ...response }),
  };
}

/** A bid request of OpenRTB, as far as tests ask. */
interface BidRequest {
  readonly at: number;
  readonly tmax: number;
  readonly imp: readonly { readonly bidfloor: number; readonly tagid: string; readonly secure: number }[];
  readonly site?: { readonly domain: string };
  readonly source: { readonly schain?: { readonly complete: number; readonly nodes: readonly Values[] } };
}

const title = { id: 1, title: { text: 'Brand' } };

/** A bid with these assets for each native impression. */
export function nativeBids({ body }: DspCall, assets: readonly object[] = [title]): DspAnswer {
  const { id, imp } = JSON.parse(body) as { id: string; imp: { id: string; native?: object }[] };
  const adm = JSON.stringify({ ver: '1.2', assets, link: { url: 'https://brand.example/' } });
  const offer = { price: 2, adm, mtype: 4, crid: 'n', adomain: ['brand.example'] };
  const bid = imp.filter((one) => one.native).map((one) => ({ id: one.id, impid: one.id, ...offer }));
  return { body: JSON.stringify({ id, seatbid: [{ bid }] }) };
}

/** The bid request of the first call. */
export function requestIn([call]: readonly DspCall[]): BidRequest {
  return JSON.parse(call?.body ?? '') as BidRequest;
}
