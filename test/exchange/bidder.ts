import { createServer, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';
import type { Values } from './exchange-room.ts';

/** A bidder on loopback: what it was sent, and what it answers to a bid request. */
export interface Bidder extends Loopback {
  readonly requests: Values[];
  /** The same as texts. */
  readonly bodies: string[];
  /** Paths with query of the notices that came. */
  readonly notices: string[];
  /** Resolves with the first notice that begins so. */
  noticed(start: string): Promise<string>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  return text.toString();
}

/**
 * Starts a bidder; `bid` makes the bid for a request, undefined bids nothing. `DSP_URL` in it becomes the bidder's own,
 * and `"EXACT"` an integer that no number holds.
 */
export async function startBidder(
  bid: (request: Values) => object | undefined | Promise<object | undefined>,
): Promise<Bidder> {
  const requests: Values[] = [];
  const bodies: string[] = [];
  const notices: string[] = [];
  const waiting: { readonly start: string; readonly resolve: (notice: string) => void }[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const notice = request.url ?? '';
      notices.push(notice);
      for (const { start, resolve } of waiting) if (notice.startsWith(start)) resolve(notice);
      return response.end();
    }
    const body = await bodyOf(request);
    const received = JSON.parse(body) as Values;
    bodies.push(body);
    requests.push(received);
    const answered = await bid(received);
    if (!answered) return response.writeHead(204).end();
    const made = { id: 'b1', impid: '1', price: 3, crid: 'c1', adomain: ['dsp.example'], ...answered };
    const text = JSON.stringify({ id: received.id, cur: 'USD', seatbid: [{ seat: 's1', bid: [made] }] });
    return response.end(
      text.replaceAll('DSP_URL', loopback.url).replaceAll('"EXACT"', '12345678901234567890'),
    );
  });
  const loopback = await listenOnLoopback(server);
  return {
    ...loopback,
    requests,
    bodies,
    notices,
    noticed(start) {
      const known = notices.find((notice) => notice.startsWith(start));
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => waiting.push({ start, resolve }));
    },
  };
}
