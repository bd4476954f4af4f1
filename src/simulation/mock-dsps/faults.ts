import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface MockBid {
  /** `id` of the bid request; `""` for a GET. */
  readonly requestId: string;
  /** The same for its ad and creative. */
  readonly id: string;
  /** CPM. */
  readonly price: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Code of the deal that it is for; undefined = it is open. */
  readonly deal: string | undefined;
  /** Instead of the ad; undefined = an ad is made for the bid. */
  readonly markup: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type ResponseFault = (response: ServerResponse, answer: Answer, bounds: FaultBounds) => void;

type BidFault = (bid: MockBid) => MockBid;

const dripMs = 50;
const bombBytes = 64 * 1024 * 1024;
const blockBytes = 64 * 1024;
/** Per fault; an answer that has not ended by then is cut off. */
export const faultBounds = { msMax: 15_000, bytesMax: 16 * 1024 * 1024, atOnceMax: 16 };
export type FaultBounds = Readonly<typeof faultBounds>;

const pack = promisify(gzip);
let bomb: Promise<Buffer> | undefined;

/** Packed once, off this thread. */
function gzipBomb(): Promise<Buffer> {
  bomb ??= pack(Buffer.alloc(bombBytes), { level: 1 });
  return bomb;
}

/** A byte every 50 ms, until all is sent or the caller hangs up. */
function drip(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  const bytes = Buffer.from(body);
  let at = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(at, at + 1));
    at += 1;
    if (at < bytes.length) return;
    clearInterval(timer);
    response.end();
  }, dripMs);
  response.on('close', () => clearInterval(timer));
}

function endless(response: ServerResponse, { headers }: Answer, { bytesMax }: FaultBounds): void {
  response.writeHead(200, headers);
  const block = Buffer.alloc(blockBytes, ' ');
  let bytes = 0;
  const more = () => {
    while (!response.destroyed && bytes < bytesMax) {
      bytes += blockBytes;
      if (!response.write(block)) return;
    }
    response.destroy();
  };
  response.on('drain', more);
  more();
}

const responseFaults = {
  error: (response) => response.writeHead(500).end('out of order'),
  hang: () => undefined,
  reset: (response) => response.destroy(),
  drip,
  endless,
  empty: (response) => response.writeHead(200).end(),
  /** Neither text nor any format. */
  garbage: (response) => response.writeHead(200).end(Buffer.from('fffe003c3e7b225d', 'hex')),
  /** Half of the answer, as if it were the whole. */
  truncated: (response, { status, headers, body }) =>
    response.writeHead(status, headers).end(body.slice(0, body.length / 2)),
  /** A few KB that unpack to 64 MB. */
  bomb: (response, { headers }) =>
    void gzipBomb().then((packed) =>
      response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(packed),
    ),
  /** To a port of the exchange's own machine at which nobody listens. */
  redirect: (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
} satisfies Readonly<Record<string, ResponseFault>>;

const bidFaults = {
  negative: (bid) => ({ ...bid, price: -bid.price }),
  nan: (bid) => ({ ...bid, price: Number.NaN }),
  huge: (bid) => ({ ...bid, price: 1e308 }),
  zero: (bid) => ({ ...bid, price: 0 }),
  euro: (bid) => ({ ...bid, currency: 'EUR' }),
  /** For an auction that nobody asked about. */
  stranger: (bid) => ({ ...bid, requestId: `${bid.requestId}-of-another` }),
  markup: (bid) => ({ ...bid, markup: '<p>Not what you asked for</p>' }),
} satisfies Readonly<Record<string, BidFault>>;

type ResponseFaultName = keyof typeof responseFaults;
type BidFaultName = keyof typeof bidFaults;

export type Fault = ResponseFaultName | BidFaultName;

/** @internal */
export const faults: readonly string[] = [...Object.keys(responseFaults), ...Object.keys(bidFaults)];

const isResponseFault = (name: string): name is ResponseFaultName => Object.hasOwn(responseFaults, name);
const isBidFault = (name: string): name is BidFaultName => Object.hasOwn(bidFaults, name);

export const isFault = (name: string): name is Fault => isResponseFault(name) || isBidFault(name);

/** Faults of sending leave the bid honest. */
export function bidWith(fault: Fault | undefined, bid: MockBid): MockBid {
  return fault !== undefined && isBidFault(fault) ? (bidFaults[fault] as BidFault)(bid) : bid;
}

/** By fault, in this thread. */
const underWay = new Map<string, number>();

/** Within its bounds of number and time. */
function sendFault(
  fault: ResponseFaultName,
  response: ServerResponse,
  answer: Answer,
  bounds: FaultBounds,
): void {
  const others = underWay.get(fault) ?? 0;
  if (others >= bounds.atOnceMax) {
    response.writeHead(503).end('too many answers with this fault at once\n');
    return;
  }
  underWay.set(fault, others + 1);
  const timer = setTimeout(() => response.destroy(), bounds.msMax);
  response.once('close', () => {
    clearTimeout(timer);
    underWay.set(fault, (underWay.get(fault) ?? 1) - 1);
  });
  (responseFaults[fault] as ResponseFault)(response, answer, bounds);
}

export function sendWith(
  fault: Fault | undefined,
  response: ServerResponse,
  answer: Answer,
  bounds: FaultBounds = faultBounds,
): void {
  const { status, headers, body } = answer;
  if (response.destroyed) return;
  if (fault !== undefined && isResponseFault(fault)) sendFault(fault, response, answer, bounds);
  else if (body === '') response.writeHead(status, headers).end();
  else response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}
