import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Finding, Subject } from '../../../src/exchange/crawl/crawl-findings.ts';
import { createCrawler } from '../../../src/exchange/crawl/crawler.ts';
import { createFetcher } from '../../../src/exchange/demand/outbound/fetcher.ts';
import { type Internet, type Page, startInternet } from './internet.ts';

const hourMs = 3_600_000;
const listed = 'ssp.example, a1, DIRECT, f00d # our own\nreseller.example, b2, reseller';
const seller = 'ssp.example a1';
const storePage = (developer: string) =>
  `<!doctype html><html><head><meta name="appstore:developer_url" content="${developer}"></head><body>`;

/** A file that is so many redirects away, on its host. */
function chainOfRedirects(host: string, count: number): Record<string, Page> {
  const path = (step: number) => (step === 0 ? '/ads.txt' : `/${step}`);
  const steps = Array.from({ length: count }, (_, step) => [
    `${host}${path(step)}`,
    { status: 301, location: path(step + 1) },
  ]);
  return { ...Object.fromEntries(steps), [`${host}/${count}`]: listed };
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

const pages = {
  'news.example/ads.txt': `${listed}\nsubdomain=blog.news.example`,
  'blog.news.example/ads.txt': 'other.example, o9, DIRECT',
  'news.example/': 'welcome',
  'moved.example/ads.txt': { status: 301, location: 'http://www.moved.example/files/ads.txt' },
  'www.moved.example/files/ads.txt': listed,
  ...chainOfRedirects('many.example', 10),
  ...chainOfRedirects('toomany.example', 25),
  'left.example/ads.txt': { status: 308, location: 'http://cdn.example/left.txt' },
  'cdn.example/left.txt': listed,
  'within.example/ads.txt': { status: 307, location: 'http://www.within.example/' },
  'www.within.example/': { status: 302, location: 'http://cdn.example/left.txt' },
  'twice.example/ads.txt': { status: 301, location: 'http://hop.example/' },
  'hop.example/': { status: 302, location: 'http://twice.example/real.txt' },
  'twice.example/real.txt': listed,
  'seeother.example/ads.txt': { status: 303, location: 'http://seeother.example/real.txt' },
  'seeother.example/real.txt': listed,
  'a.github.io/ads.txt': { status: 301, location: 'http://b.github.io/ads.txt' },
  'b.github.io/ads.txt': { status: 301, location: 'http://b.github.io/real.txt' },
  'b.github.io/real.txt': listed,
  'typed.example/ads.txt': { status: 200, type: 'Text/Plain; charset=utf-8', body: listed },
  'mistyped.example/ads.txt': { status: 200, type: 'text/html', body: listed },
  'created.example/ads.txt': { status: 201, body: listed },
  'locked.example/ads.txt': { status: 401 },
  'gone.example/ads.txt': { status: 410 },
  'host.example/ads.txt': `${listed}\ninventorypartnerdomain=Partner.example\ninventorypartnerdomain=bare.example\ninventorypartnerdomain=down.example`,
  'partner.example/ads.txt': 'partner-ssp.example, p1, DIRECT',
  'stranger.example/ads.txt': 'partner-ssp.example, p1, DIRECT',
  'owned.example/ads.txt': `${listed}\nownerdomain=owner.example\nmanagerdomain=manager.example`,
  'circle.example/ads.txt': { status: 302, location: '/ads.txt' },
  'soft.example/ads.txt': '<!doctype html><p>Page not found: ssp.example, a1, DIRECT',
  'empty.example/ads.txt': '# nobody yet',
  'down.example/ads.txt': { status: 503 },
  'down.example/': { status: 503 },
  'busy.example/ads.txt': { status: 429 },
  'guarded.example/': { status: 403 },
  'closed.example/': { status: 410 },
  'www.only.example/': 'welcome',
  'large.example/ads.txt': `${listed}\n${'#'.repeat(70_000)}`,
  'large.example/': '<p>'.repeat(70_000),
  'bare.example/robots.txt': '',
  'play.google.com/store/apps/details?id=com.there': storePage('https://www.studio.example/games'),
  'play.google.com/store/apps/details?id=com.untold': '<html><head></head><body>',
  'play.google.com/store/apps/details?id=com.shy': { status: 403 },
  'studio.example/app-ads.txt': listed,
  'ssp.example/sellers.json': JSON.stringify({
    sellers: [{ seller_id: 'a1', seller_type: 'PUBLISHER' }, { seller_id: 7 }, null, {}],
  }),
  'broken.example/sellers.json': '{"sellers":[',
  'other.example/sellers.json': '{"version":"1.0"}',
};
const store = 'play.google.com/store/apps/details?id=';

describe('a crawler', () => {
  let internet: Internet;
  before(async () => {
    internet = await startInternet(pages);
  });
  after(() => internet[Symbol.asyncDispose]());

  const openCrawler = (now = () => 0, proxy = internet.proxy) => {
    const { fetch } = createFetcher({ allowPrivate: false, proxy, answerBytesMax: 65_536 });
    return createCrawler({ fetch, fetchLong: fetch, now, userAgent: 'test' });
  };
  const subjectOf = (kind: string, ...about: readonly string[]) => [kind, ...about].join('\t') as Subject;

  const rows: readonly (readonly [
    what: string,
    subject: Subject,
    finding: Finding | undefined,
    hours: number,
  ])[] = [
    ['a site that answers', subjectOf('site', 'news.example'), 'yes', 6],
    ['a site that answers only as www', subjectOf('site', 'only.example'), 'yes', 6],
    ['a site that lets no crawler in', subjectOf('site', 'guarded.example'), 'yes', 6],
    ['a site with a long page', subjectOf('site', 'large.example'), 'yes', 6],
    ['a site that is not there', subjectOf('site', 'nowhere.example'), 'no', 0.25],
    ['a site that is closed', subjectOf('site', 'closed.example'), 'no', 0.25],
    ['a site that fails', subjectOf('site', 'down.example'), 'no', 0.25],
    ['an app of the store', subjectOf('app', `${store}com.there`), 'yes', 6],
    ['an app that the store has not', subjectOf('app', `${store}com.gone`), 'no', 0.25],
    ['a store that does not tell', subjectOf('app', `${store}com.shy`), undefined, 0.25],
    ['a seller of ads.txt', subjectOf('ads.txt', 'news.example', 'ssp.example', 'a1'), 'yes', 24],
    ['a reseller of ads.txt', subjectOf('ads.txt', 'news.example', 'reseller.example', 'b2'), 'yes', 24],
    ['an account that is not listed', subjectOf('ads.txt', 'news.example', 'ssp.example', 'A1'), 'no', 24],
    ['a subdomain, by its owner', subjectOf('ads.txt', 'shop.news.example', 'ssp.example', 'a1'), 'yes', 24],
    ['a subdomain of its own', subjectOf('ads.txt', 'blog.news.example', 'ssp.example', 'a1'), 'no', 24],
    ['ads.txt elsewhere', subjectOf('ads.txt', 'moved.example', 'ssp.example', 'a1'), 'yes', 24],
    ['ads.txt behind many redirects', subjectOf('ads.txt', 'many.example', 'ssp.example', 'a1'), 'yes', 24],
    ['behind too many', subjectOf('ads.txt', 'toomany.example', 'ssp.example', 'a1'), undefined, 0.25],
    ['one that leaves the domain', subjectOf('ads.txt', 'left.example', 'ssp.example', 'a1'), 'yes', 24],
    ['one that leaves it later', subjectOf('ads.txt', 'within.example', 'ssp.example', 'a1'), 'yes', 24],
    ['one that comes back', subjectOf('ads.txt', 'twice.example', 'ssp.example', 'a1'), undefined, 0.25],
    ['by public suffix', subjectOf('ads.txt', 'a.github.io', 'ssp.example', 'a1'), undefined, 0.25],
    ['303 is none', subjectOf('ads.txt', 'seeother.example', 'ssp.example', 'a1'), undefined, 0.25],
    ['plain text in any case', subjectOf('ads.txt', 'typed.example', 'ssp.example', 'a1'), 'yes', 24],
    ['another type', subjectOf('ads.txt', 'mistyped.example', 'ssp.example', 'a1'), 'missing', 6],
    ['any success', subjectOf('ads.txt', 'created.example', 'ssp.example', 'a1'), 'yes', 24],
    ['ads.txt with a lock', subjectOf('ads.txt', 'locked.example', 'ssp.example', 'a1'), undefined, 0.25],
    ['ads.txt that is gone', subjectOf('ads.txt', 'gone.example', 'ssp.example', 'a1'), 'missing', 6],
    [
      "a partner's seller",
      subjectOf('ads.txt', 'host.example', 'partner-ssp.example', 'p1', 'partner.example'),
      'yes',
      24,
    ],
    [
      "the owner's seller, whoever the partner is",
      subjectOf('ads.txt', 'host.example', 'ssp.example', 'a1', 'partner.example'),
      'yes',
      24,
    ],
    [
      'nobody whom the partner names',
      subjectOf('ads.txt', 'host.example', 'partner-ssp.example', 'p2', 'partner.example'),
      'no',
      24,
    ],
    [
      'a partner that the owner does not name',
      subjectOf('ads.txt', 'host.example', 'partner-ssp.example', 'p1', 'stranger.example'),
      'no',
      24,
    ],
    [
      'a partner without ads.txt',
      subjectOf('ads.txt', 'host.example', 'partner-ssp.example', 'p1', 'bare.example'),
      'missing',
      6,
    ],
    [
      'a partner that fails',
      subjectOf('ads.txt', 'host.example', 'partner-ssp.example', 'p1', 'down.example'),
      'missing',
      0.25,
    ],
    ['ads.txt in a circle', subjectOf('ads.txt', 'circle.example', 'ssp.example', 'a1'), undefined, 0.25],
    ['a page instead of ads.txt', subjectOf('ads.txt', 'soft.example', 'ssp.example', 'a1'), 'missing', 6],
    ['ads.txt without a record', subjectOf('ads.txt', 'empty.example', 'ssp.example', 'a1'), 'missing', 6],
    ['no ads.txt', subjectOf('ads.txt', 'bare.example', 'ssp.example', 'a1'), 'missing', 6],
    ['ads.txt that fails', subjectOf('ads.txt', 'down.example', 'ssp.example', 'a1'), undefined, 0.25],
    ['ads.txt, later', subjectOf('ads.txt', 'busy.example', 'ssp.example', 'a1'), undefined, 0.25],
    ['ads.txt that is too long', subjectOf('ads.txt', 'large.example', 'ssp.example', 'a1'), undefined, 0.25],
    ['nobody there', subjectOf('ads.txt', 'nowhere.example', 'ssp.example', 'a1'), undefined, 0.25],
    [
      'app-ads.txt of the developer whom the store names',
      subjectOf('app-ads.txt', `${store}com.there`, 'bare.example', 'ssp.example', 'a1'),
      'yes',
      24,
    ],
    [
      'app-ads.txt of the developer whom the request names',
      subjectOf('app-ads.txt', `${store}com.untold`, 'studio.example', 'ssp.example', 'a1'),
      'yes',
      24,
    ],
    ['an app of nobody', subjectOf('app-ads.txt', '', '', 'ssp.example', 'a1'), 'missing', 6],
    ['a seller of sellers.json', subjectOf('sellers.json', 'ssp.example', 'a1'), 'yes', 24],
    ['a seller by number', subjectOf('sellers.json', 'ssp.example', '7'), 'yes', 24],
    ['a seller that is not listed', subjectOf('sellers.json', 'ssp.example', 'b2'), 'no', 24],
    ['sellers.json that breaks off', subjectOf('sellers.json', 'broken.example', 'a1'), 'missing', 6],
    ['sellers.json without sellers', subjectOf('sellers.json', 'other.example', 'a1'), 'missing', 6],
    ['a system that is no host', subjectOf('sellers.json', '', 'a1'), 'missing', 6],
  ];
  for (const [what, subject, finding, hours] of rows) {
    test(`${what}: ${finding}`, async () => {
      const { crawl } = openCrawler();
      // So that the network is known to work.
      await crawl(subjectOf('site', 'news.example'));
      const { business: _, ...news } = await crawl(subject);
      assert.deepEqual(news, { subject, finding, forMs: hours * hourMs });
    });
  }

  test('where nobody answers, it may be our own network', async () => {
    let nowMs = 0;
    const { crawl } = openCrawler(() => nowMs);
    const findings = async (...hosts: readonly string[]) => {
      const found: (Finding | undefined)[] = [];
      for (const host of hosts) found.push((await crawl(subjectOf('site', host))).finding);
      return found;
    };
    assert.deepEqual(await findings('nowhere.example', 'news.example', 'nowhere.example'), [
      undefined,
      'yes',
      'no',
    ]);
    nowMs = hourMs;
    assert.deepEqual(await findings('nowhere.example'), [undefined]);
  });

  test('a file that names a partner has it asked only if a request does', () => {
    assert.ok(!internet.asked.includes('stranger.example/ads.txt'));
  });

  test('who is behind a site is told with what its file says', async () => {
    const { business } = await openCrawler().crawl(subjectOf('ads.txt', 'owned.example', 'ssp.example', 'x'));
    assert.deepEqual(business, { owner: 'owner.example', managers: ['manager.example'] });
  });

  const faults: readonly (readonly [what: string, page: Page | undefined, kept: boolean, hours: number])[] = [
    ['fails', { status: 503 }, true, 0.25],
    ['is locked', { status: 403 }, true, 0.25],
    ['is of another type', { status: 200, type: 'text/html', body: listed }, true, 6],
    ['is too long', '#'.repeat(70_000), true, 0.25],
    ['leads into a circle', { status: 301, location: '/ads.txt' }, true, 0.25],
    ['is not there', { status: 404 }, false, 6],
    ['declares nothing', '# nobody', false, 6],
  ];
  for (const [what, page, isKept, hours] of faults) {
    test(`a file that then ${what} ${isKept ? 'counts, also for those who ask first' : 'counts no more'}`, async () => {
      const changing: Record<string, Page> = { 'c.example/ads.txt': listed };
      await using own = await startInternet(changing);
      let nowMs = 0;
      const { crawl } = openCrawler(() => nowMs, own.proxy);
      const look = async (...about: readonly string[]) => {
        const { finding, forMs } = await crawl(subjectOf('ads.txt', 'c.example', ...about));
        return [finding, forMs / hourMs];
      };
      assert.deepEqual(await look('ssp.example', 'a1'), ['yes', 24]);
      if (page !== undefined) changing['c.example/ads.txt'] = page;
      for (let times = 0; times < 3; times += 1) {
        nowMs += 24 * hourMs;
        assert.deepEqual(await look('reseller.example', 'b2'), [isKept ? 'yes' : 'missing', hours]);
        assert.deepEqual(await look('reseller.example', 'b3'), [isKept ? 'no' : 'missing', hours]);
      }
      changing['c.example/ads.txt'] = 'new.example, n1, DIRECT';
      nowMs += hours * hourMs;
      assert.deepEqual(await look('reseller.example', 'b2'), ['no', 24]);
    });
  }

  test('no redirect leads to a private address', async () => {
    const asked: string[] = [];
    await using server = createServer(({ headers: { host }, url }, response) => {
      asked.push(`${host?.replace(/:.*/, '')}${url}`);
      const location = url === '/ads.txt' ? `http://inside.example:${portOf(server)}/secret.txt` : undefined;
      response.writeHead(location ? 302 : 200, location ? { location } : {}).end(listed);
    });
    server.listen(0);
    await once(server, 'listening');
    const { fetch, close } = createFetcher({
      allowPrivate: false,
      isPrivate: (address) => address !== '127.0.0.1',
      resolve: (name, _, callback) =>
        callback(null, [{ address: name === 'inside.example' ? '127.0.0.2' : '127.0.0.1', family: 4 }]),
    });
    const atPort: typeof fetch = (request, ms) =>
      fetch({ ...request, url: request.url.replace('.example/', `.example:${portOf(server)}/`) }, ms);
    const { crawl } = createCrawler({ fetch: atPort, fetchLong: atPort, now: () => 0, userAgent: 'test' });
    const { finding } = await crawl(subjectOf('ads.txt', 'open.example', 'ssp.example', 'a1'));
    assert.equal(finding, undefined);
    assert.deepEqual(asked, ['open.example/ads.txt']);
    await close();
  });

  test('a sellers.json counts until there is another, also if it is gone', async () => {
    const changing: Record<string, Page> = { 's.example/sellers.json': '{"sellers":[{"seller_id":"a1"}]}' };
    await using own = await startInternet(changing);
    let nowMs = 0;
    const { crawl } = openCrawler(() => nowMs, own.proxy);
    const look = async (account: string) =>
      (await crawl(subjectOf('sellers.json', 's.example', account))).finding;
    assert.equal(await look('a1'), 'yes');
    for (const page of [{ status: 404 }, { status: 500 }, '{"sellers":', '<html>']) {
      changing['s.example/sellers.json'] = page;
      nowMs += 24 * hourMs;
      assert.deepEqual([await look('a1'), await look('b2')], ['yes', 'no']);
    }
  });

  test('a file is fetched once for all who ask, and again when a day is over', async () => {
    let nowMs = 0;
    const { crawl } = openCrawler(() => nowMs);
    const fetches = () => internet.asked.filter((name) => name === 'news.example/ads.txt').length;
    const before = fetches();
    const sellers = [seller, 'reseller.example b2', 'other.example o9'].map((one) =>
      subjectOf('ads.txt', 'news.example', ...one.split(' ')),
    );
    await Promise.all(sellers.map(crawl));
    nowMs = 24 * hourMs - 1;
    await Promise.all(sellers.map(crawl));
    assert.equal(fetches() - before, 1);
    nowMs = 24 * hourMs;
    await Promise.all(sellers.map(crawl));
    assert.equal(fetches() - before, 2);
  });
});
