import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { pino } from 'pino';
import { faultsOfRequest, faultsOfResponse } from '../protocols/openrtb/bid-request-schema.ts';
import { seeded } from '../support/seed.ts';
import { type Bidder, startBidder } from './bidder.ts';
import { type Values, zoneUrl } from './exchange-room.ts';
import { examples } from './rtb-examples.ts';
import { openRtbRoom, post, type RtbResponse, type RtbRoom } from './rtb-room.ts';

let room: RtbRoom;
let dsp: Bidder;
let url = '';
/** Names of the faults of the server itself; there are never any. */
const faults: string[] = [];

before(async () => {
  const stream = new Writable({
    write(chunk, _, done) {
      faults.push(String(chunk));
      done();
    },
  });
  room = await openRtbRoom(pino({ level: 'error' }, stream));
  dsp = await startBidder(({ imp }) => {
    const [{ native, ext } = {}] = imp as readonly Values[];
    if (ext) return { adm: 'https://brand.example/pop' };
    return { price: 0.5, adm: native ? '{"assets":[]}' : '<p></p>' };
  });
  const campaigns = await Promise.all([1, 2, 3].map((Type) => room.campaign({ Type })));
  const demand = await room.dsp({ ZoneUrlUsEast: `${dsp.url}/bid` });
  const rtbEp = await room.endpoint({
    AddSchainNode: 1,
    Campaigns: campaigns.map(({ Id }) => Id),
    DspRtbEps: [demand.Id],
  });
  await room.served();
  url = zoneUrl(rtbEp);
});
after(async () => {
  await dsp.close();
  await room.close();
});

const statuses = new Set([200, 204, 400, 401, 429]);

/** What holds for every answer, whatever was sent. */
function checkAnswer({ status, body, bids, headers }: RtbResponse): void {
  assert.ok(statuses.has(status), `status ${status}`);
  assert.equal(body === undefined, status === 204);
  if (body === undefined) return;
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assert.deepEqual(faultsOfResponse(body), []);
  assert.equal(bids.length > 0, status === 200);
  assert.equal(typeof body.nbr === 'number', status !== 200);
  for (const { price } of bids) assert.ok(price > 0 && price <= 4);
}

function checkBidder(): void {
  for (const request of dsp.requests.splice(0)) assert.deepEqual(faultsOfRequest(request), []);
  assert.deepEqual(faults, []);
}

describe('requests as others send them get what they deserve', () => {
  for (const { name, request, status } of examples) {
    test(`${name}: ${status}`, async () => {
      const answer = await post(url, request);
      checkAnswer(answer);
      assert.equal(answer.status, status);
      checkBidder();
    });
  }
});

const bytes = fc.uint8Array({ maxLength: 3000, size: 'max' }).map((array) => Buffer.from(array));
const example = fc.constantFrom(...examples.map(({ request }) => JSON.stringify(request)));

const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;

/** Values that do not belong where they come to stand. */
const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    ...[
      null,
      true,
      -1,
      0,
      0.5,
      1e21,
      -1e308,
      Number.MAX_SAFE_INTEGER,
      '',
      '\0',
      '\ud800',
      '\r\nx: y',
      ']]>"<',
      'x'.repeat(70_000),
    ],
    ...[
      [],
      {},
      [null],
      [[]],
      { __proto__: null, toString: 1 },
      deep(30),
      deep(200),
      new Array(300).fill({ id: 'x' }),
    ],
  ),
);

interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

function placesIn(value: unknown, holder?: Place): Place[] {
  const own = holder ? [holder] : [];
  if (typeof value !== 'object' || value === null) return own;
  const names = Object.keys(value);
  const members = value as Record<string, unknown>;
  return [...own, ...names.flatMap((name) => placesIn(members[name], { holder: members, name }))];
}

/** Whoever sends more than this is cut off without an answer. */
const drainedBytesMax = 8 * 1_048_576;

/** An example with some members replaced by strange values, or left out. */
const mutated = fc
  .tuple(
    example,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.oneof({ weight: 4, arbitrary: strange }, { weight: 1, arbitrary: fc.constant(undefined) }),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  )
  .map(([text, changes]) => {
    const request: unknown = JSON.parse(text);
    for (const [at, value] of changes) {
      const places = placesIn(request);
      const place = places[at % Math.max(1, places.length)];
      if (place) place.holder[place.name] = structuredClone(value);
    }
    return Buffer.from(JSON.stringify(request));
  })
  .filter(({ length }) => length < drainedBytesMax);

/** An example with bytes changed, or cut. */
const spoiled = fc
  .tuple(
    example,
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
    fc.option(fc.nat(), { freq: 3 }),
  )
  .map(([text, changes, cut]) => {
    const body = Buffer.from(text);
    for (const [at, byte] of changes) body[at % body.length] = byte;
    return cut === null ? body : body.subarray(0, cut % body.length);
  });

/** A body as it is, or compressed; and, now and then, not as its header says. */
const encoded = (body: fc.Arbitrary<Buffer>) =>
  fc
    .tuple(
      body,
      fc.constantFrom('identity', 'gzip', 'deflate'),
      fc.constantFrom('', '', '', 'gzip', 'br', 'zap, gzip'),
    )
    .map(([plain, encoding, lie]) => {
      const zipped = encoding === 'gzip' ? gzipSync(plain) : deflateSync(plain);
      return { body: encoding === 'identity' ? plain : zipped, encoding: lie || encoding };
    });

const kinds: readonly (readonly [string, fc.Arbitrary<Buffer>, number])[] = [
  ['any bytes', bytes, 100],
  ['strange values', mutated, 400],
  ['spoiled bytes', spoiled, 150],
];

describe('whatever is sent is answered as OpenRTB has it', () => {
  for (const [name, body, runs] of kinds) {
    test(name, async () => {
      const property = fc.asyncProperty(encoded(body), async ({ body: sent, encoding }) => {
        checkAnswer(await post(url, new Uint8Array(sent), { 'content-encoding': encoding }));
        checkBidder();
      });
      await fc.assert(property, seeded(runs));
    });
  }

  test('any query', async () => {
    const property = fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 200, size: 'max' }),
      fc.boolean(),
      async (text, isAdded) => {
        const to = isAdded
          ? `${url}&${encodeURIComponent(text.toWellFormed())}`
          : `${room.server.url}/rtb?zone=${encodeURI(text.toWellFormed())}`;
        checkAnswer(await post(to, examples[0]?.request ?? {}));
      },
    );
    await fc.assert(property, seeded(50));
    checkBidder();
  });
});
