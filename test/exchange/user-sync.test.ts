import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { violations } from '../console/violations.ts';
import { type Loopback, listenOnLoopback } from '../support/loopback.ts';
import { borrowBrowser, returnBrowser } from '../support/shared-browser.ts';
import { allPurposes, consentString, type Said } from './consent-string.ts';
import { type Stored, zoneUrl } from './exchange-room.ts';
import { openRtbRoom, type RtbRoom } from './rtb-room.ts';

const [ours, vendor] = [8, 755];
const said = (one: Said = {}) =>
  encodeURIComponent(
    consentString({ purposes: allPurposes, vendors: [ours, vendor], disclosed: [ours, vendor], ...one }),
  );
const [first, second, third] = ['one', 'two', 'three'];

let room: RtbRoom;
/** Each partner's own server: a pixel or a page that sends its ID back; or it starts with us. */
let partners: Loopback;
let browser: Browser;
let endpoint: Stored;
let tag: Stored;
/** Codes of partners, by name. */
let codes: Readonly<Record<string, string>>;
/** The macro of the ID as partners have it. */
const syncUrl = (name: string) =>
  `http://${name}.localhost:${new URL(partners.url).port}/match?gdpr={gdpr}&to={redirect_url}$UID`;

const at = (url: string, path: string, more = '') => {
  const { origin, searchParams } = new URL(zoneUrl(endpoint));
  const query = `zone=${searchParams.get('zone')}&auth=${searchParams.get('auth')}`;
  return `${url || origin}${path}?${query}${more}`;
};
const setuid = (name: string, uid: string, more = '') =>
  `${room.server.url}/setuid?bidder=${codes[name]}&uid=${uid}${more}`;

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly location: string;
  /** As the browser sends it the next time. */
  readonly cookie: string;
  readonly headers: Headers;
}

/** Cookies with what an answer has set of them. */
function kept(before: string, response: Response): string {
  const jar = new Map(
    before
      .split('; ')
      .filter(Boolean)
      .map((pair) => [pair.split('=', 1)[0] ?? '', pair]),
  );
  for (const set of response.headers.getSetCookie()) {
    const [pair = ''] = set.split(';', 1);
    const name = pair.split('=', 1)[0] ?? '';
    if (set.includes('Max-Age=0;')) jar.delete(name);
    else jar.set(name, pair);
  }
  return [...jar.values()].join('; ');
}

async function reply(url: string, cookie = '', init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, {
    redirect: 'manual',
    ...init,
    headers: { ...(cookie && { cookie }), ...init.headers },
  });
  const location = response.headers.get('location') ?? '';
  const { status, headers } = response;
  return { status, headers, location, text: await response.text(), cookie: kept(cookie, response) };
}

const cookieSync = (body: object, cookie = '', more = '') =>
  reply(at('', '/cookie_sync', more), cookie, { method: 'POST', body: JSON.stringify(body) });

interface Listed {
  readonly status: string;
  readonly bidder_status: readonly { bidder: string; usersync: { url: string; type: string } }[];
}
const listed = ({ text }: Reply) => (JSON.parse(text) as Listed).bidder_status;
const namesIn = (answer: Reply) =>
  listed(answer)
    .map(({ bidder }) => Object.keys(codes).find((name) => codes[name] === bidder) ?? bidder)
    .toSorted();

before(async () => {
  partners = await listenOnLoopback(
    createServer((request, response) => {
      const { searchParams, hostname } = new URL(request.url ?? '', `http://${request.headers.host}`);
      const uid = `id-of-${hostname.split('.', 1)[0]}`;
      const to = searchParams.get('to')?.replace('$UID', uid);
      if (hostname.startsWith('two.')) {
        const script = `<script>new Image().src = ${JSON.stringify(to ?? '')}</script>`;
        response.setHeader('content-type', 'text/html').end(script);
      } else if (to) response.writeHead(302, { location: to }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${request.url}</p>`);
    }),
  );
  room = await openRtbRoom();
  const other = await room.add('advertiser', {
    Mail: 'b@example.com',
    Name: 'B',
    Country: 'DE',
    Username: 'b',
  });
  const dsp = (SyncUrl: string, values: object = {}) =>
    room.add('ortb/dsprtbep', {
      Name: 'D',
      ZoneUrlUsEast: `${partners.url}/rtb`,
      BannerEnabled: 1,
      GvlId: vendor,
      SyncType: 1,
      SyncUrl,
      ...values,
    });
  const one = await dsp(syncUrl(first));
  const again = await dsp(syncUrl(first));
  const two = await dsp(syncUrl(second), { SyncType: 2 });
  const three = await dsp(syncUrl(third));
  const stranger = await dsp(syncUrl(first), { AdvertiserId: other.Id });
  const off = await dsp('https://off.example/{redirect_url}$UID', { SyncType: 0 });
  const named = { one, again, two, three, stranger, off };
  codes = Object.fromEntries(Object.entries(named).map(([name, { Id }]) => [name, `DspRtbEp-${Id}`]));
  const all = Object.values(named).map(({ Id }) => Id);
  endpoint = await room.endpoint({ DspRtbEps: all, SyncDomains: 'prebid.example\nlocalhost' });
  tag = await room.add('ortb/vasttag', { DspRtbEps: all });
  await room.served();
  browser = await borrowBrowser();
  await room.call('team/update', { Team: { GvlId: ours } });
  // A team's settings are used within about a second.
  while ((await reply(setuid('one', 'u', `&gdpr=1&gdpr_consent=${said()}`))).status !== 200);
});
after(async () => {
  await returnBrowser();
  await room.close();
  await partners.close();
});

describe('who permits what', () => {
  const cases: readonly { name: string; query?: string; headers?: Record<string, string>; may: boolean }[] = [
    { name: 'nothing is said', may: true },
    { name: 'GDPR does not apply', query: '&gdpr=0', may: true },
    { name: 'all purposes', query: `&gdpr=1&gdpr_consent=${said()}`, may: true },
    { name: 'no string', query: '&gdpr=1', may: false },
    { name: 'a broken string', query: '&gdpr=1&gdpr_consent=CPxx', may: false },
    { name: 'no purpose 1', query: `&gdpr=1&gdpr_consent=${said({ purposes: allPurposes.slice(1) })}`, may: false },
    { name: 'purpose 1 alone, without IDs', query: `&gdpr=1&gdpr_consent=${said({ purposes: [1] })}`, may: false },
    { name: 'another vendor', query: `&gdpr=1&gdpr_consent=${said({ vendors: [ours, 7], disclosed: [ours, 7] })}`, may: false },
    { name: 'the partner, but not us', query: `&gdpr=1&gdpr_consent=${said({ vendors: [vendor] })}`, may: false },
    { name: 'an opt-out from sale', query: '&us_privacy=1YYN', may: false },
    { name: 'no opt-out from sale', query: '&us_privacy=1YNN', may: true },
    { name: 'GPP that opts out', query: '&gpp=DBABLA~CAARAAAAAABA.YA&gpp_sid=7', may: false },
    { name: 'GPP that cannot be read', query: '&gpp=x&gpp_sid=7', may: false },
    { name: 'a child', query: '&coppa=1', may: false },
    { name: 'limited tracking', query: '&lmt=1', may: false },
    { name: 'Global Privacy Control in the URL', query: '&gpc=1', may: false },
    { name: 'Global Privacy Control of the browser', headers: { 'sec-gpc': '1' }, may: false },
  ]; // biome-ignore format: a table

  for (const { name, query = '', headers = {}, may } of cases) {
    test(name, async () => {
      const set = await reply(setuid('one', 'u', query), '', { headers });
      assert.equal(set.status, may ? 200 : 451, set.text);
      assert.equal(set.cookie.includes('u'), may);

      const inUrl = await reply(at('', '/cookie_sync', query), '', { method: 'POST', body: '{}', headers });
      const inBody = Object.fromEntries(new URLSearchParams(query));
      const answers = [inUrl, ...(query === '' ? [] : [await cookieSync(inBody)])];
      for (const answer of answers) assert.equal(listed(answer).length, may ? 4 : 0);

      const page = await reply(at('', '/sync', `&type=iframe${query}`), '', { headers });
      assert.equal(page.text.includes('two.localhost'), may);

      const to = encodeURIComponent('http://one.localhost/done?id=$UID');
      const started = await reply(
        `${room.server.url}/sync?bidder=${codes.one}&uid=u&redirect=${to}${query}`,
        '',
        { headers },
      );
      assert.match(started.location, may ? /\/done\?id=[\w-]{22}$/ : /\/done\?id=$/);
      assert.equal(started.cookie !== '', may);
    });
  }
});

describe('/cookie_sync', () => {
  test('lists each partner once, with a URL that comes back to /setuid', async () => {
    const answer = await cookieSync({ gdpr: 0 });
    assert.deepEqual(namesIn(answer), ['one', 'stranger', 'three', 'two']);
    assert.match(answer.text, /"status":"no_cookie"/);
    const two = listed(answer).find(({ bidder }) => bidder === codes.two);
    assert.equal(two?.usersync.type, 'iframe');
    const url = new URL(two?.usersync.url ?? '');
    assert.equal(url.searchParams.get('gdpr'), '0');
    const back = `${room.server.url}/setuid?bidder=${codes.two}&f=b&gdpr=0&uid=$UID`;
    assert.equal(url.searchParams.get('to'), back);
  });

  test('a match of an object is one of all objects of its partner, and of no other advertiser', async () => {
    const { cookie } = await reply(setuid('again', 'u'));
    const answer = await cookieSync({}, cookie);
    assert.deepEqual(namesIn(answer), ['stranger', 'three', 'two']);
    assert.match(answer.text, /"status":"ok"/);
  });

  test('bidders, filters and a limit narrow it', async () => {
    const bidders = [codes.again, codes.two, 'nobody', 7];
    assert.deepEqual(namesIn(await cookieSync({ bidders })), ['one', 'two']);
    const filterSettings = { iframe: { bidders: '*', filter: 'exclude' }, image: { bidders: [codes.one] } };
    assert.deepEqual(namesIn(await cookieSync({ filterSettings })), ['one']);
    assert.equal(listed(await cookieSync({ limit: 2 })).length, 2);
  });

  test('what no Prebid sends counts as not said', async () => {
    const odd = { toString: 1 };
    const bidders = [odd, [[odd]], null, ...Array.from({ length: 998 }, () => 'nobody'), codes.two];
    const answer = await cookieSync({ gdpr: odd, limit: odd, filterSettings: { iframe: [odd] }, bidders });
    assert.deepEqual([answer.status, namesIn(answer)], [200, []], 'the first thousand count');
  });

  test('any kind of supply object has it; others, and what is no body, are refused', async () => {
    const { searchParams } = new URL(zoneUrl(tag));
    const ofTag = `${room.server.url}/cookie_sync?zone=${searchParams.get('zone')}&auth=${searchParams.get('auth')}`;
    assert.equal((await reply(ofTag, '', { method: 'POST' })).status, 200);
    const wrong = await reply(ofTag.replace('auth=', 'auth=x'), '', { method: 'POST', body: '{}' });
    assert.equal(wrong.status, 401);
    for (const body of ['{', '[]', '1', 'x'.repeat(600_000)])
      assert.equal((await reply(ofTag, '', { method: 'POST', body })).status, 400);
    assert.equal((await reply(ofTag)).status, 405);
  });

  test('pages may ask with credentials', async () => {
    const headers = { origin: 'https://news.example' };
    const preflight = await reply(at('', '/cookie_sync'), '', { method: 'OPTIONS', headers });
    const answer = await reply(at('', '/cookie_sync'), '', { method: 'POST', body: '{}', headers });
    for (const one of [preflight, answer]) {
      assert.equal(one.headers.get('access-control-allow-origin'), 'https://news.example');
      assert.equal(one.headers.get('access-control-allow-credentials'), 'true');
    }
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });
});

describe('/setuid', () => {
  test('answers a pixel or an empty page, as asked or as the partner syncs', async () => {
    const types = [
      ['one', '', 'image/gif'],
      ['two', '', 'text/html; charset=utf-8'],
      ['one', '&f=b', 'text/html; charset=utf-8'],
      ['two', '&f=i', 'image/gif'],
    ] as const;
    for (const [name, f, type] of types)
      assert.equal((await reply(setuid(name, 'u', f))).headers.get('content-type'), type);
  });

  test('an empty ID ends the match', async () => {
    const { cookie } = await reply(setuid('one', 'u'));
    const both = await reply(setuid('two', 'v'), cookie);
    const ended = await reply(setuid('one', ''), both.cookie);
    assert.deepEqual(namesIn(await cookieSync({}, ended.cookie)), ['one', 'stranger', 'three']);
    assert.equal(
      (await reply(setuid('two', ''), ended.cookie)).cookie,
      '',
      'the last one deletes the cookie',
    );
  });

  test('refuses what is no ID, and who is no partner, by name', async () => {
    for (const uid of ['a'.repeat(257), '%C3%BC', 'a%0Ab', '$UID', '%7BUID%7D', '[UID]']) {
      const { status, text, cookie } = await reply(setuid('one', uid));
      assert.deepEqual([status, cookie], [400, ''], uid);
      assert.match(text, /^uid must/);
    }
    for (const bidder of [codes.off, 'DspRtbEp-999', 'RtbEp-1', '__proto__-1', '']) {
      const { status, text } = await reply(`${room.server.url}/setuid?bidder=${bidder}&uid=u`);
      assert.equal(status, 400);
      assert.match(text, /^bidder must/);
    }
  });
});

describe('/sync', () => {
  const sync = (redirect: string, more = '') =>
    at('', '/sync', `&redirect=${encodeURIComponent(redirect)}${more}`);

  test('a supply partner is sent matches that nobody but us can read', async () => {
    const { cookie } = await reply(setuid('one', 'secret-id'));
    for (const macro of ['$UID', '\u0024{UID}', '{uid}']) {
      const { status, location } = await reply(
        sync(`https://pbs.prebid.example/setuid?uid=${macro}&f=i`),
        cookie,
      );
      assert.equal(status, 302);
      assert.match(location, /^https:\/\/pbs\.prebid\.example\/setuid\?uid=[\w-]{50,1500}&f=i$/);
      assert.doesNotMatch(location, /secret/);
    }
    const { location } = await reply(sync('https://prebid.example/?uid=$UID'));
    assert.equal(location, 'https://prebid.example/?uid=');
  });

  test('it leads to no other place', async () => {
    const elsewhere = [
      'https://evil.example/',
      'https://evilprebid.example/',
      'http://prebid.example/',
      'https://prebid.example@evil.example/',
      'https://user:pw@prebid.example/',
      'javascript:alert(1)',
      '//prebid.example/',
      'https://prebid.example$UID.evil.example/',
    ];
    for (const redirect of elsewhere) {
      const { status, text, location } = await reply(sync(redirect));
      assert.deepEqual([status, location], [400, ''], redirect);
      assert.match(text, /^redirect must be .*SyncDomains/);
      const ofPartner = `${room.server.url}/sync?bidder=${codes.one}&redirect=${encodeURIComponent(redirect)}`;
      assert.equal((await reply(ofPartner)).status, 400);
    }
  });

  test('a partner that starts is told an ID of its own, which stays', async () => {
    const start = (name: string, host: string, cookie = '') =>
      reply(
        `${room.server.url}/sync?bidder=${codes[name]}&redirect=${encodeURIComponent(`http://${host}.localhost/?u=$UID`)}`,
        cookie,
      );
    const one = await start('one', 'one');
    const again = await start('again', 'one', one.cookie);
    const three = await start('three', 'three', one.cookie);
    const stranger = await start('stranger', 'one', one.cookie);
    assert.equal(again.location, one.location);
    assert.equal(new Set([one, three, stranger].map(({ location }) => location.split('u=')[1])).size, 3);
    assert.deepEqual(
      namesIn(await cookieSync({}, one.cookie)),
      ['one', 'stranger', 'three', 'two'],
      'it told us none',
    );
  });

  test('a page loads what lacks a match, and an image is sent to one of those', async () => {
    const { cookie } = await reply(setuid('one', 'u'));
    const page = await reply(at('', '/sync', '&type=iframe'), cookie);
    const hosts = [...page.text.matchAll(/<(img|iframe) .*?src="http:\/\/(\w+)\./g)].map(
      ([, tagName, name]) => `${tagName} ${name}`,
    );
    assert.deepEqual(hosts.toSorted(), ['iframe two', 'img one', 'img three']);
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    const seen = new Set<string>();
    for (let turn = 0; turn < 40; turn += 1)
      seen.add(new URL((await reply(at('', '/sync', '&type=image'), cookie)).location).hostname);
    assert.deepEqual([...seen].toSorted(), ['one.localhost', 'three.localhost']);
    const going = await reply(
      at('', '/sync', `&type=iframe&redirect=${encodeURIComponent('https://prebid.example/?u=$UID')}`),
    );
    assert.match(going.text, /content="3;url=\/sync\?zone=\d+&amp;auth=[\w-]+&amp;redirect=https/);
  });
});

describe('whoever has opted out', () => {
  test('is unknown everywhere, and may come back', async () => {
    const optout = `${room.server.url}/optout`;
    const choose = (
      choice: string,
      cookie: string,
      headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
    ) => reply(optout, cookie, { method: 'POST', body: new URLSearchParams({ choice }), headers });
    const { cookie } = await reply(setuid('one', 'u'));
    assert.equal((await choose('out', cookie, { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await choose('out', cookie, { origin: 'https://evil.example' })).status, 403);
    assert.equal((await choose('else', cookie)).status, 400);
    const out = await choose('out', cookie);
    assert.deepEqual([out.status, out.location], [303, '/optout']);
    assert.doesNotMatch(out.cookie, /bourse-uid-/);
    assert.equal((await reply(setuid('one', 'u'), out.cookie)).status, 401);
    assert.equal((await cookieSync({}, out.cookie)).status, 401);
    const page = await reply(at('', '/sync', '&type=iframe'), out.cookie);
    assert.doesNotMatch(page.text, /iframe |img /);
    const back = await choose('in', out.cookie);
    assert.equal((await reply(setuid('one', 'u'), back.cookie)).status, 200);
  });
});

describe('in a browser with two sites', () => {
  let site: Loopback;
  before(async () => {
    site = await listenOnLoopback(
      createServer((_request, response) => {
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>Site</title><body>');
      }),
    );
  });
  after(() => site.close());

  const visit = async (page: Page, name: string) => {
    await page.goto(`http://${name}.localhost:${new URL(site.url).port}/`);
  };
  /** As Prebid.js asks: who still has no match on this site. */
  const unmatched = (page: Page) =>
    page.evaluate(
      async (url) => {
        const answer = await fetch(url, { method: 'POST', body: '{}', credentials: 'include' });
        if (answer.status !== 200) return [String(answer.status)];
        const { bidder_status } = (await answer.json()) as { bidder_status: readonly { bidder: string }[] };
        return bidder_status.map(({ bidder }) => bidder);
      },
      at('', '/cookie_sync'),
    );
  const embed = (page: Page, url: string) =>
    page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(url)}, width: 800, height: 700 }))`,
    );
  /** Once only these are left. */
  const left = async (page: Page, names: readonly string[]) => {
    const wanted = names.map((name) => codes[name]).toSorted();
    for (;;) {
      const now = (await unmatched(page)).toSorted();
      if (now.length === wanted.length) return assert.deepEqual(now, wanted);
      await page.waitForTimeout(50);
    }
  };

  test('partners match from either side, on each site apart; a viewer deletes and opts out', {
    timeout: 120_000,
  }, async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await visit(page, 'a');
    assert.equal((await unmatched(page)).length, 4);
    // One, three and the stranger by an image, two by a page: all from our side.
    await embed(page, at('', '/sync', '&type=iframe'));
    await left(page, []);

    await visit(page, 'b');
    assert.equal((await unmatched(page)).length, 4, 'what one site knows is not known on the other');
    // From the side of the third partner.
    const done = encodeURIComponent(`http://three.localhost:${new URL(partners.url).port}/done?ours=$UID`);
    await embed(page, `${room.server.url}/sync?bidder=${codes.three}&uid=theirs&redirect=${done}`);
    await left(page, ['one', 'two', 'stranger']);
    const told = page.frames().find((frame) => frame.url().includes('/done'));
    assert.match(told?.url() ?? '', /ours=[\w-]{22}$/);

    await embed(page, `${room.server.url}/optout`);
    const choice = page.frameLocator('iframe >> nth=1');
    await choice.getByText('Now: your browser has one ID here.').waitFor();
    await choice.getByRole('button', { name: 'Delete my IDs' }).click();
    await choice.getByText('Now: your browser has no IDs here.').waitFor();
    assert.equal((await unmatched(page)).length, 4);
    await choice.getByRole('button', { name: 'Opt out' }).click();
    await choice.getByText('you have opted out').waitFor();
    assert.deepEqual(await unmatched(page), ['401']);
    await choice.getByRole('button', { name: 'Allow it again' }).click();
    await choice.getByRole('button', { name: 'Opt out' }).waitFor();
    assert.equal((await unmatched(page)).length, 4);
    // What people without a login read; the other page says that its link is wrong.
    for (const path of ['optout', 'unsubscribe?token=wrong']) {
      await page.goto(`${room.server.url}/${path}`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await violations(page), [], `${path}, ${colorScheme}`);
      }
    }
    await context.close();
  });
});
