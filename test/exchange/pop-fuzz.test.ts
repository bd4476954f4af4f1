import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { hostileText } from '../protocols/vast/hostile-text.ts';
import { drawn, seeded } from '../support/seed.ts';
import { ask } from './ask.ts';
import { type Partner, startPartner } from './partner.ts';
import { feedUrl, openPopRoom, type PopRoom, shown, target, visitor, xmlRecord } from './pop-room.ts';

/** What the partner answers. */
let fuzzBody = '';
let room: PopRoom;
let partner: Partner;

before(async () => {
  room = await openPopRoom();
  partner = await startPartner({ '/fuzz': (response) => response.end(fuzzBody) });
});
after(async () => {
  await partner.close();
  await room.close();
});

test('whatever demand answers, nobody is sent anywhere but to http or https', async () => {
  const dsp = await room.addDsp({ FeedUrlUsEast: `${partner.url}/fuzz`, PriceImp1000: 1 });
  const feed = await room.addFeed({ DspPopFeeds: [dsp.Id] });
  await room.served();
  const evil = fc.constantFrom(
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      'file:///etc/passwd',
      'https:evil',
      'https://',
    ],
    ...[
      'https://a.example/\r\nX: 1',
      'https://a.example/\u0000',
      'https://ü.example/😀\ud800',
      ' https://a.example ',
    ],
    ...['https://a.example/{a}|^"', 'https://user:pass@a.example/', 'HTTPS://A.example:99999/'],
  );
  const url = fc.oneof(
    evil,
    fc.webUrl(),
    hostileText.map((text) => `https://a.example/${text}`),
  );
  let clicks = 0;
  await fc.assert(
    fc.asyncProperty(url, fc.boolean(), async (target, isXml) => {
      const quoted = target.toWellFormed().replace(/[\0<&]/g, (character) => `&#${character.charCodeAt(0)};`);
      fuzzBody = isXml
        ? xmlRecord(`<bid>1</bid><url>${quoted}</url>`)
        : JSON.stringify({ bid: 1, url: target });
      const answer = await ask(feedUrl(feed, visitor));
      if (answer.status === 204) return;
      const { status, headers } = await ask(shown(answer).click);
      clicks += 1;
      assert.equal(status, 302);
      assert.match(String(headers.location), /^https?:\/\/[\x21-\x7e]+$/);
      assert.equal(headers.x, undefined);
    }),
    seeded(150),
  );
  assert.ok(clicks > drawn(50));
});

test('any query is answered as decided, with headers whole', async () => {
  const { Id } = await room.addCampaign();
  const feed = await room.addFeed({ Campaigns: [Id] });
  await room.served();
  const base = feedUrl(feed, visitor);
  const name = fc.constantFrom(
    'feed',
    'auth',
    'subid',
    'query',
    'user_ip',
    'ua',
    'url',
    'uid',
    'format',
    'lang',
    'js',
    '',
  );
  const raw = fc.oneof(
    hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.string({ unit: fc.constantFrom(...'%0dA&=+?;/{}~aZ9') }),
    fc.constantFrom('%0d%0aSet-Cookie:%20a=1', 'a'.repeat(9000), '%', '%ff%fe', '%00'),
  );
  const query = fc.array(fc.tuple(name, raw), { maxLength: 6 });
  const path = fc.constantFrom(
    '/pop?',
    '/direct?',
    '/click/?',
    '/click/x?',
    '/banner?',
    '/vast?',
    `${base}&`,
  );
  await fc.assert(
    fc.asyncProperty(path, query, async (start, members) => {
      const tail = members.map(([key, value]) => `${key}=${value}`).join('&');
      const url = `${start.startsWith('http') ? '' : room.server.url}${start}${tail}`.slice(0, 15_000);
      const { status, headers } = await ask(url);
      assert.ok([200, 204].includes(status), `${status} for ${url}`);
      assert.equal(headers['set-cookie'], undefined);
      assert.equal(headers.location, undefined);
    }),
    seeded(300),
  );
  const long = 'a'.repeat(100_000);
  assert.equal((await ask(`${base}&x=${long}`)).status, 200);
  const { click } = shown(
    await ask(feedUrl(feed, { ...visitor, subid: long.slice(0, 50_000), query: long.slice(0, 8_000) })),
  );
  assert.equal((await ask(click, { referer: `https://news.example/${long}` })).headers.location, target);
  for (const door of ['/pop', '/direct', '/banner', '/click/x', `/click/${long}`]) {
    assert.equal((await ask(`${room.server.url}${door}?subid=${long.slice(0, 20_000)}`)).status, 204);
  }
  assert.equal((await ask(base)).status, 200);
});
