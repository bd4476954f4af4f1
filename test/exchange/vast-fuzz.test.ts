import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { hostileText } from '../protocols/vast/hostile-text.ts';
import { played } from '../protocols/vast/vast-player.ts';
import { drawn, seeded } from '../support/seed.ts';
import { type Stored, zoneUrl } from './exchange-room.ts';
import { type MockDsp, startMockDsp, vastAd } from './mock-dsp.ts';
import { openVastRoom, type VastRoom } from './vast-room.ts';

let room: VastRoom;
let dsp: MockDsp;
let tag: Stored;

before(async () => {
  room = await openVastRoom();
  dsp = await startMockDsp();
  dsp.answer('/ad', () => ({ body: vastAd() }));
  const film = await room.add('campaign', { Name: '"Film" & ]]> <x>' });
  const query = [
    'ua',
    'ip',
    'app_name',
    'app_bundle',
    'device_model',
    'device_make',
    'app_store_url',
    'country',
  ];
  const ZoneUrlUsEast = `${dsp.url}/ad?${query.map((name) => `${name}={${name}}`).join('&')}`;
  const fetched = await room.add('ortb/dspvasttag', { FixedCpm: 5, ZoneUrlUsEast });
  tag = await room.add('ortb/vasttag', {
    Tmax: 5000,
    Waterfall: 1,
    Campaigns: [film.Id],
    DspVastTags: [fetched.Id],
  });
  await room.served();
});
after(() => Promise.all([room.close(), dsp.close()]));

interface Answered {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Asks for a path as it is: nothing of it is mended, unlike by `fetch`. */
function ask(path: string, headers: Readonly<Record<string, string>>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(`${room.server.url}/`, { path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status, headers: told } = response;
        resolve({ status, headers: told, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Throws where a text is no well-formed XML. */
function parse(text: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
}

const usual = new Set([
  'content-type',
  'content-length',
  'cache-control',
  'access-control-allow-origin',
  'date',
  'connection',
  'access-control-allow-credentials',
  'vary',
  'keep-alive',
  'content-security-policy',
  'x-content-type-options',
  'cross-origin-resource-policy',
]);

async function assertVast(path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const answered = await ask(path, headers);
  assert.equal(answered.status, 200, path.slice(0, 200));
  assert.equal(answered.headers['content-type'], 'application/xml; charset=utf-8');
  assert.deepEqual(
    Object.keys(answered.headers).filter((name) => !usual.has(name)),
    [],
    'no header comes of a query',
  );
  parse(answered.text);
  return (await played(answered.text)).length;
}

const macros = () => [...zoneUrl(tag).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
const encoded = (value: string) => encodeURIComponent(value.toWellFormed());

test('whatever fills the macros: 200, VAST that parses, and most often both ads', async () => {
  const ads = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(hostileText, { minLength: 27, maxLength: 27 }), async (values) => {
      const filled = macros().reduce(
        (url, name, index) => url.replace(`{${name}}`, () => encoded(values[index] ?? '')),
        zoneUrl(tag),
      );
      const found = await assertVast(filled.slice(room.server.url.length));
      ads.set(found, (ads.get(found) ?? 0) + 1);
    }),
    seeded(150),
  );
  // Floors and lengths that happen to be numbers may leave an ad out.
  assert.ok((ads.get(2) ?? 0) > drawn(150) / 2, JSON.stringify([...ads]));
});

/** What a URL may hold on the wire: no spaces, no control characters, no bytes above ASCII. */
const rawQuery = fc
  .array(
    fc.oneof(
      fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) }),
      fc.constantFrom(
        '%',
        '%0',
        '%0d%0a',
        '%00',
        '%ff%fe',
        '&',
        '&&',
        '=',
        '?',
        '#',
        ';',
        '%5D%5D%3E',
        '+',
        '[]',
      ),
      fc.constantFrom(
        'zone=',
        'auth=',
        'zone=1',
        'zone[]=1',
        'ip=::1',
        'width=-1',
        'bidfloor=1e9',
        '{ip}',
        '__proto__=1',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

test('whatever the query is: 200 and VAST that parses', async () => {
  const own = zoneUrl(tag)
    .slice(room.server.url.length)
    .replace(/&ip=.*$/, '');
  await fc.assert(
    fc.asyncProperty(rawQuery, fc.boolean(), async (query, isOwn) => {
      await assertVast(isOwn ? `${own}&${query}` : `/vast?${query}`);
    }),
    seeded(250),
  );
});

test('headers of players: 200, and an origin is given back whole or not at all', async () => {
  const value = fc
    .string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) })
    .map((text) => text.trim());
  const own = zoneUrl(tag).slice(room.server.url.length);
  await fc.assert(
    fc.asyncProperty(value, value, value, async (origin, referer, agent) => {
      const answered = await ask(own, { origin, referer, 'user-agent': agent, 'x-forwarded-for': referer });
      assert.equal(answered.status, 200);
      assert.equal(answered.headers['access-control-allow-origin'] ?? '', origin);
      parse(answered.text);
    }),
    seeded(60),
  );
});

test('values of 100 KB: 200 and VAST, whichever macro they fill', async () => {
  for (const name of macros()) {
    const long = encodeURIComponent(`"']]>\r\n<${'a'.repeat(100_000 - 30)}`);
    await assertVast(zoneUrl(tag).replace(`{${name}}`, long).slice(room.server.url.length));
  }
});
