import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { authenticate } from '../../src/exchange/auction/authenticate.ts';
import type { Snapshot } from '../../src/exchange/snapshot/snapshot.ts';
import { ask, type DoorAnswer } from './ask.ts';
import { zoneUrl } from './exchange-room.ts';
import { directUrl, feedUrl } from './pop-room.ts';
import { openRtbRoom, post, type RtbRoom, requestOf, videoImp } from './rtb-room.ts';
import { unrestrictedSupply } from './unrestricted.ts';

let room: RtbRoom;
let urls: readonly (readonly [door: string, url: string])[];

before(async () => {
  room = await openRtbRoom();
  const film = await room.campaign();
  const demand = { Campaigns: [film.Id] };
  const [vast, banner, feed, rtb] = await Promise.all([
    room.add('ortb/vasttag', { ...demand, Version: 1 }),
    room.add('bannerep', demand),
    room.add('xml/popfeed', { ...demand, FallbackUrl: 'https://fallback.example/' }),
    room.endpoint({ ...demand, HeaderBidJs: 1 }),
  ]);
  await room.served();
  urls = [
    ['/vast', zoneUrl(vast)] as const,
    ['/banner', zoneUrl(banner)] as const,
    ['/pop in XML', feedUrl(feed, {}, 'Xml')] as const,
    ['/pop in JSON', feedUrl(feed)] as const,
    ['/direct', directUrl(feed)] as const,
    ['/rtb', zoneUrl(rtb)] as const,
    ['statistics', String(vast.StatsByDateJson).replace(/\{\w+\}/g, '')],
  ];
});
after(() => room.close());

/** What an answer tells, without what differs from one to the next. */
function told({ status, headers: { date: _, 'x-request-id': id, ...headers }, text }: DoorAnswer) {
  return { status, headers, text: id === undefined ? text : text.replaceAll(String(id), '') };
}

/** The URL for another object, and with another secret, in all ways in which the secret may be wrong. */
function wrongOnes(url: string) {
  const { searchParams } = new URL(url);
  const auth = searchParams.get('auth') ?? '';
  const name = ['username', 'zone', 'feed'].find((one) => searchParams.has(one)) ?? '';
  const set = (values: Readonly<Record<string, string>>) => {
    const changed = new URL(url);
    for (const [key, value] of Object.entries(values)) changed.searchParams.set(key, value);
    return changed.href;
  };
  const other = name === 'username' ? 'nobody' : '999';
  const secrets = [
    `${auth.slice(0, -1)}${auth.endsWith('A') ? 'B' : 'A'}`,
    auth.slice(1),
    `${auth}A`,
    'x',
    '',
  ];
  return {
    unknown: [set({ [name]: other }), set({ [name]: other, auth: 'x' }), set({ [name]: '', auth: '' })],
    wrong: secrets.map((secret) => set({ auth: secret })),
  };
}

describe('a wrong secret is answered as an unknown object is', () => {
  const methods = { GET: () => ({}), HEAD: () => ({}), OPTIONS: () => ({ origin: 'https://news.example' }) };
  for (const [method, headersOf] of Object.entries(methods)) {
    test(method, async () => {
      for (const [door, url] of urls) {
        const { unknown, wrong } = wrongOnes(url);
        const answers = await Promise.all([...unknown, ...wrong].map((one) => ask(one, headersOf(), method)));
        const [first, ...others] = answers.map(told);
        for (const other of others) assert.deepEqual(other, first, `${method} ${door}`);
      }
    });
  }

  test('POST', async () => {
    const [, url = ''] = urls.find(([door]) => door === '/rtb') ?? [];
    const { unknown, wrong } = wrongOnes(url);
    const request = requestOf([videoImp]);
    assert.equal((await post(url, request)).status, 200);
    const answers = [...unknown, ...wrong].map((one) =>
      post(one, request, { origin: 'https://news.example' }),
    );
    const [first, ...others] = (await Promise.all(answers)).map(({ status, headers, body }) => {
      const shown = [...headers].filter(([name]) => name !== 'date');
      return { status, shown, body };
    });
    assert.equal(first?.status, 401);
    for (const other of others) assert.deepEqual(other, first);
  });

  test('and in the same time', () => {
    const auth = 'a'.repeat(32);
    const known = { ...unrestrictedSupply('VastTag'), auth };
    const snapshot: Pick<Snapshot, 'supply'> = { supply: (_, id) => (id === 1 ? known : undefined) };
    const callsPerRound = 2000;
    const nsOf = (id: string, secret: string) => {
      const startNs = process.hrtime.bigint();
      for (let call = 0; call < callsPerRound; call += 1) {
        authenticate(snapshot as Snapshot, { kind: 'VastTag', id, auth: secret }, Date.now());
      }
      return Number(process.hrtime.bigint() - startNs) / callsPerRound;
    };
    const wrong = 'b'.repeat(32);
    const rounds = Array.from({ length: 60 }, () => [nsOf('1', wrong), nsOf('2', wrong)] as const).slice(10);
    // The quickest round is the one that nothing else of the machine has held up.
    const ofWrong = Math.min(...rounds.map(([one]) => one));
    const ofUnknown = Math.min(...rounds.map(([, one]) => one));
    const [less = 0, more = 0] = [ofWrong, ofUnknown].toSorted((a, b) => a - b);
    assert.ok(more < 2 * less, `${ofWrong} ns for a wrong secret, ${ofUnknown} ns for an unknown object`);
  });
});
