import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  bidRequestSchema,
  faultsOfRequest,
  faultsOfResponse,
} from '../protocols/openrtb/bid-request-schema.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
import { bannerImp, openRtbRoom, post, type RtbRoom, requestOf } from './rtb-room.ts';

interface Property {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Property;
}

/** Values that fit no member by chance; those that a code must be within. */
const codes: Readonly<Record<string, unknown>> = {
  context: 3,
  multiplier: 2.5,
  podseq: -1,
  slotinpod: 2,
  utcoffset: -480,
  startdelay: -1,
  maxextended: -1,
  lat: 52.5,
  lon: 13.4,
  country: 'DEU',
  language: 'de',
  bidfloorcur: 'USD',
  wseat: ['s1'],
  bseat: ['s2'],
  cur: ['USD'],
  mimes: ['video/mp4'],
  private_auction: 0,
  at: 1,
  tmax: 900,
  test: 0,
  bidfloor: 0.5,
  maxduration: 60,
};
const bits = new Set(
  'instl clickbrowser secure rwdd topframe vcm skip boxingallowed stitched mobile privacypolicy paid livestream sourcerelationship embeddable realtime firstbroadcast dnt lmt js geofetch coppa gdpr fd complete hp guar allimps'.split(
    ' ',
  ),
);
/** Set, these would change for whom or to whom the request is. */
const zero = new Set(['coppa', 'lmt']);

let texts = 0;
function sampleOf(name: string, property: Property): unknown {
  if (name in codes) return codes[name];
  if (name === 'ext') return { stray: 1 };
  const { type, items, $ref } = property;
  if (type === 'array') return [sampleOf(name, items ?? {})];
  if ($ref) return objectOf($ref.replace('#/definitions/', ''));
  if (bits.has(name)) return zero.has(name) ? 0 : 1;
  if (type === 'integer') return 5;
  if (type === 'number') return 0.75;
  texts += 1;
  return `${name}-${texts}`;
}

/** An object with every member that the IAB's table gives it. */
function objectOf(kind: string): Values {
  const { properties = {} } = bidRequestSchema.definitions[kind] ?? {};
  return Object.fromEntries(
    Object.entries<Property>(properties).map(([name, property]) => [name, sampleOf(name, property)]),
  );
}

/** Members that do not go on as they came, and why. */
const exceptions: Readonly<Record<string, string>> = {
  id: 'the auction’s own',
  'imp[].id': 'the impression’s own',
  'imp[].pmp': 'deals are ours; those of the request only say which of ours are offered',
  'imp[].bidfloor': 'with the margin',
  tmax: 'what is left of it',
  at: 'by either side',
  test: 'said only if it is one',
  allimps: 'each impression is a request',
  'user.buyeruid': 'another one for each bidder',
  '*.publisher': 'the endpoint’s seller',
  '*.id': 'the endpoint',
};
const places = ['site', 'app', 'dooh'];
const media = ['banner', 'video', 'audio', 'native'];

/** Where a member stands in a value, at any depth. */
function pathsTo(name: string, value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === name ? [path] : pathsTo(name, member, `${path}.${key}`),
  );
}

/** Paths of what a value lacks of another, or has otherwise. */
function missing(wanted: unknown, got: unknown, path = ''): string[] {
  if (path.endsWith('ext') && !path.includes('uids')) return [];
  if (Array.isArray(wanted)) return wanted.flatMap((item, at) => missing(item, Object(got)[at], `${path}[]`));
  if (typeof wanted !== 'object' || wanted === null) return wanted === got ? [] : [path];
  const dot = path === '' ? '' : '.';
  return Object.entries(wanted).flatMap(([name, value]) =>
    missing(value, Object(got)[name], `${path}${dot}${name}`),
  );
}

const isExcepted = (path: string) => {
  const general = path.replaceAll('[]', '').replace(/^(site|app|dooh)\./, '*.');
  return Object.keys(exceptions).some(
    (name) =>
      path === name ||
      path.startsWith(`${name}.`) ||
      path === `${name}[]` ||
      general === name ||
      general.startsWith(`${name}.`),
  );
};

let room: RtbRoom;
let dsp: Bidder;
let url = '';
let markup: object | undefined;
before(async () => {
  room = await openRtbRoom();
  dsp = await startBidder(() => markup);
  const { Id } = await room.dsp({ ZoneUrlUsEast: dsp.url });
  // The requests have consent strings of no meaning.
  url = zoneUrl(await room.endpoint({ DspRtbEps: [Id], ConsentMode: 1 }));
  await room.served();
});
after(async () => {
  await dsp.close();
  await room.close();
});

async function sentFor(request: object): Promise<Values> {
  const from = dsp.requests.length;
  const { body } = await post(url, request);
  const [sent = {}] = dsp.requests.slice(from);
  assert.notDeepEqual(sent, {}, JSON.stringify(body));
  assert.deepEqual(faultsOfRequest(sent), []);
  return sent;
}

/** A request with everything, but for one place and one medium alone. */
function wholeRequest(place: string, medium: string): Values {
  const request: Record<string, unknown> = { ...objectOf('BidRequest') };
  const [imp = {}] = request.imp as Record<string, unknown>[];
  for (const other of places) if (other !== place) delete request[other];
  for (const other of media) if (other !== medium) delete imp[other];
  return request;
}

describe('every member of the standard goes on, but for those that are named here', () => {
  for (const [index, medium] of media.entries()) {
    const place = places[index % places.length] ?? '';
    test(`${medium}, ${place}`, async () => {
      const request = wholeRequest(place, medium);
      const lost = missing(request, await sentFor(request)).filter((path) => !isExcepted(path));
      assert.deepEqual(lost, []);
    });
  }

  test('of extensions, only those that have a name', async () => {
    const skadn = { version: '2.0', skadnetids: ['a.skadnetwork'] };
    const dsa = { dsarequired: 3, pubrender: 0 };
    const request = wholeRequest('app', 'banner');
    const [imp] = request.imp as readonly Values[];
    const sent = await sentFor({
      ...request,
      imp: [{ ...imp, ext: { gpid: '/1/top', skadn, prebid: { bidder: {} } } }],
      regs: { ext: { dsa, gdpr: 1, stray: 1 } },
      ext: { prebid: {} },
    });
    const [sentImp = {}] = sent.imp as readonly Values[];
    assert.deepEqual(sentImp.ext, { gpid: '/1/top', skadn });
    assert.deepEqual(sent.regs, { gdpr: 1, ext: { dsa, gdpr: 1 } });
    assert.equal(sent.ext, undefined);
    const strays = pathsTo('stray', sent);
    assert.ok(strays.length > 0);
    for (const path of strays) assert.match(path, /(uids|nodes)\.0\.ext$|schain\.ext$/);
  });

  test('a bid’s answers to them go back', async () => {
    const ext = { skadn: { version: '2.0', network: 'a' }, dsa: { behalf: 'B', paid: 'C', adrender: 1 } };
    markup = { adm: '<p>x</p>', ext: { ...ext, stray: 1 } };
    const { body, bids } = await post(url, requestOf([bannerImp]));
    markup = undefined;
    assert.deepEqual(faultsOfResponse(body), []);
    assert.deepEqual(bids[0]?.ext, ext);
  });
});
