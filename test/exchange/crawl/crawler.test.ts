import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CrawlResult, Finding, Subject } from '../../../src/exchange/crawl/crawl-findings.ts';
import { createCrawler } from '../../../src/exchange/crawl/crawler.ts';
import { createFetcher } from '../../../src/exchange/demand/outbound/fetcher.ts';
import { type Internet, startInternet } from './internet.ts';

const hourMs = 3_600_000;
const listed = 'ssp.example, a1, DIRECT, f00d # our own\nreseller.example, b2, reseller';
const seller = 'ssp.example a1';
const storePage = (developer: string) =>
  `<!doctype html><html><head><meta name="appstore:developer_url" content="${developer}"></head><body>`;

const pages = {
  'news.example/ads.txt': `${listed}\nsubdomain=blog.news.example`,
  'blog.news.example/ads.txt': 'other.example, o9, DIRECT',
  'news.example/': 'welcome',
  'moved.example/ads.txt': { status: 301, location: 'http://www.moved.example/files/ads.txt' },
  'www.moved.example/files/ads.txt': listed,
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

  const openCrawler = (now = () => 0) => {
    const { fetch } = createFetcher({ allowPrivate: false, proxy: internet.proxy, answerBytesMax: 65_536 });
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
      const news: CrawlResult = { subject, finding, forMs: hours * hourMs };
      const { crawl } = openCrawler();
      // So that the network is known to work.
      await crawl(subjectOf('site', 'news.example'));
      assert.deepEqual(await crawl(subject), news);
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
