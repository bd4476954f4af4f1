import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { emptyVast, quartileEvents } from '../../protocols/vast/build-vast.ts';
import { ownMember, setOwnMember } from '../../reference/own-member.ts';
import { type Random, randomIn } from '../random.ts';
import { type Behaviour, readBehaviour } from './behaviour.ts';
import { type Answer, bidWith, type Fault, type FaultBounds, type MockBid, sendWith } from './faults.ts';
import { bidResponse, type MockImp, type MockOffer, readRequest } from './mock-openrtb.ts';
import { type AdUrls, mockVast } from './mock-vast.ts';

export interface MockDspOptions {
  /** As `/demo/dsp`. */
  readonly mount: string;
  /** Secret: mock DSPs answer only below the mount and one of these. */
  readonly keys: () => readonly string[];
  readonly random: Random;
  /** As `http://localhost:8080`; called for each ad. */
  readonly baseUrl: (request: IncomingMessage) => string;
  /** Of the film that ads play, and where clicks lead. */
  readonly media: string;
  readonly mediaType: string;
  readonly landing: string;
  /** Of faults; tests have smaller ones. */
  readonly bounds?: FaultBounds;
}

/** They answer, fail, stall and lie as their paths say. */
export interface MockDsps {
  /** False, with nothing done, for paths outside the mount. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** `request`, and what ads and notices report (`win`, `impression`, …). */
  counts(): Readonly<Record<string, number>>;
}

interface MockCall {
  readonly request: IncomingMessage;
  readonly behaviour: Behaviour;
  readonly fault: Fault | undefined;
  readonly urls: AdUrls;
  readonly random: Random;
}

const bodyBytesMax = 1024 * 1024;
const callsAtOnceMax = 1024;
const countedEvents: readonly string[] = ['impression', 'win', 'billing', 'loss', ...quartileEvents];
const noContent: Answer = { status: 204, headers: {}, body: '' };
const xml = { 'content-type': 'application/xml; charset=utf-8' };
const json = { 'content-type': 'application/json' };
const text = { 'content-type': 'text/plain; charset=utf-8' };
const unzip = promisify(gunzip);

/** Rejects if it is longer than 1 MiB, compressed or not. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new Error('the body is too long');
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (request.headers['content-encoding'] !== 'gzip') return body.toString();
  return (await unzip(body, { maxOutputLength: bodyBytesMax })).toString();
}

/** In which currency, at least at what price, and for which deal. */
type Terms = Pick<MockBid, 'currency' | 'deal'> & { readonly floorCpm: number };

const openTerms: Terms = { currency: 'USD', deal: undefined, floorCpm: 0 };

/** A deal's floor replaces that of the impression. */
function termsOf({ deal, currency }: Behaviour, { bidfloor, bidfloorcur, deals }: MockImp): Terms {
  const ofDeal = deals.get(deal);
  return {
    currency: bidfloorcur === currency ? currency : 'USD',
    deal: ofDeal === undefined ? undefined : deal,
    floorCpm: ofDeal ?? bidfloor,
  };
}

function bidOf(
  { behaviour, fault, random }: MockCall,
  requestId: string,
  { currency, deal, floorCpm }: Terms = openTerms,
): MockBid | undefined {
  const price = Number(randomIn(behaviour.price, random).toFixed(4));
  if (random() >= behaviour.fill || price < floorCpm) return undefined;
  return bidWith(fault, { requestId, id: randomUUID(), price, currency, deal, markup: undefined });
}

async function answerVast(ask: MockCall): Promise<Answer> {
  ask.request.resume();
  const bid = bidOf(ask, '');
  const markup = bid && (bid.markup ?? mockVast(bid, ask.behaviour, ask.urls, true));
  return { status: 200, headers: xml, body: markup ?? emptyVast('3.0') };
}

const html = (landing: string) => `<a href="${landing}">An ad</a>`;

/** OpenRTB 2.6: for each imp a bid with a video and one with a banner, as it admits them; or 204. */
async function answerRtb(ask: MockCall): Promise<Answer> {
  const asked = readRequest(await bodyOf(ask.request));
  if (asked === undefined) return { status: 400, headers: text, body: 'not OpenRTB\n' };
  const { behaviour, urls } = ask;
  const { domain, category } = behaviour;
  const [first, ...others] = asked.imps.flatMap((imp) =>
    imp.media.flatMap((medium): MockOffer[] => {
      const bid = bidOf(ask, asked.id, termsOf(behaviour, imp));
      if (!bid) return [];
      const ad = medium === 'video' ? mockVast(bid, behaviour, urls, false) : html(urls.landing);
      return [{ imp, medium, bid, domain, category, markup: bid.markup ?? ad, notice: urls.tracker }];
    }),
  );
  if (!first) return noContent;
  return { status: 200, headers: json, body: bidResponse([first, ...others]) };
}

/** JSON, with the price of a thousand visits (`PriceImp1000` 1); or 204. */
async function answerPop(ask: MockCall): Promise<Answer> {
  ask.request.resume();
  const bid = bidOf(ask, '');
  if (!bid) return noContent;
  const { domain } = ask.behaviour;
  const record = { title: `A visit to ${domain}`, url: `https://${domain}/`, bid: bid.price };
  const result = [{ ...record, click: ask.urls.landing }];
  return { status: 200, headers: json, body: bid.markup ?? JSON.stringify({ result }) };
}

const kinds: ReadonlyMap<string, (ask: MockCall) => Promise<Answer>> = new Map([
  ['vast', answerVast],
  ['rtb', answerRtb],
  ['pop', answerPop],
]);

const usage = `A mock DSP is at ${[...kinds.keys()].join(' or ')}/<settings>, for example vast/price=2-6,fill=0.8,latency=20-90\n`;

/** In constant time. */
function isOneOf(keys: readonly string[], key: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const sent = digest(key);
  return keys.filter((one) => timingSafeEqual(digest(one), sent)).length > 0 && key !== '';
}

/** At `<mount>/<key>/<kind>/<settings>`. Events go to `<mount>/event/<event>`, because players must not see the key. */
export function createMockDsps(options: MockDspOptions): MockDsps {
  const { mount, keys, random, baseUrl, media, mediaType, landing, bounds } = options;
  const counts: Record<string, number> = {};
  let underWay = 0;
  const count = (name: string) => {
    setOwnMember(counts, name, (ownMember(counts, name) ?? 0) + 1);
  };

  async function bid(kind: string, settings: string, request: IncomingMessage, response: ServerResponse) {
    const answer = kinds.get(kind);
    const behaviour = readBehaviour(decodeURIComponent(settings));
    if (!answer || 'wrong' in behaviour) {
      request.resume();
      const body = answer && 'wrong' in behaviour ? `${behaviour.wrong}\n` : usage;
      return sendWith(undefined, response, { status: 404, headers: text, body });
    }
    count('request');
    const base = baseUrl(request);
    const urls: AdUrls = {
      media: base + media,
      mediaType,
      landing: base + landing,
      tracker: (event) => `${base}${mount}/event/${event}`,
    };
    const fault = random() < behaviour.faulty ? behaviour.fault : undefined;
    const [made] = await Promise.all([
      answer({ request, behaviour, fault, urls, random }),
      wait(randomIn(behaviour.latency, random)),
    ]);
    sendWith(fault, response, made, bounds);
  }

  async function serve(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, kind = '', settings = ''] = path.split('/');
    underWay += 1;
    try {
      if (underWay <= callsAtOnceMax) return await bid(kind, settings, request, response);
      request.resume();
      sendWith(undefined, response, { status: 503, headers: text, body: 'too many calls at once\n' });
    } catch {
      // The caller has gone, or its request cannot be read.
      if (response.headersSent) response.destroy();
      else sendWith(undefined, response, { status: 400, headers: text, body: 'cannot be read\n' });
    } finally {
      underWay -= 1;
    }
  }

  return {
    handle(request, response) {
      const [path = ''] = (request.url ?? '').split('?', 1);
      if (!path.startsWith(`${mount}/`)) return false;
      const [key = '', ...rest] = path.slice(mount.length + 1).split('/');
      const [event = ''] = rest;
      if (key === 'event' && countedEvents.includes(event)) {
        request.resume();
        count(event);
        sendWith(undefined, response, noContent);
        return true;
      }
      if (!isOneOf(keys(), key)) return false;
      void serve(`/${rest.join('/')}`, request, response);
      return true;
    },
    counts: () => counts,
  };
}
