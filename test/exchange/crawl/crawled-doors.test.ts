import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { startCrawling } from '../../../src/crawler/crawling.ts';
import { joinThreadGroup, threadGroupMemory } from '../../../src/serving/thread-group.ts';
import { addUsers } from '../../management/users.ts';
import { openExchange, type Values, zoneUrl } from '../exchange-room.ts';
import { bannerImp, post, requestOf } from '../rtb-room.ts';
import { type Internet, startInternet } from './internet.ts';

const storePath = 'play.google.com/store/apps/details?id=';
const pages = {
  'listed.example/ads.txt':
    '127.0.0.1, pub-7, DIRECT\nownerdomain=owner.example\nmanagerdomain=m.example, DE',
  'shared.example/ads.txt': 'ssp.example, s1, DIRECT\ninventorypartnerdomain=partner.example',
  'partner.example/ads.txt': 'ssp.example, p1, DIRECT',
  'listed.example/': 'welcome',
  'other.example/ads.txt': 'ssp.example, a1, DIRECT',
  'none.example/': 'welcome',
  'bare.example/': 'welcome',
  [`${storePath}com.there`]: '<meta name="appstore:developer_url" content="https://studio.example">',
  'studio.example/app-ads.txt': 'ssp.example, a1, RESELLER',
  'ssp.example/sellers.json': '{"sellers":[{"seller_id":"a1"}]}',
};

const site = (domain: string) => ({ site: { domain, page: `https://${domain}/` } });
const app = (bundle: string) => ({ site: undefined, app: { bundle } });
const chain = (asi: string, sid: string) => ({
  source: { schain: { ver: '1.0', complete: 1, nodes: [{ asi, sid, hp: 1 }] } },
});

const pollMs = 10;
const waitMsMax = 10_000;

/** What something is, once it is as awaited. */
async function awaited<T>(look: () => T | Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  const lateMs = performance.now() + waitMsMax;
  for (;;) {
    const value = await look();
    if (isThere(value) || performance.now() > lateMs) return value;
    await delay(pollMs);
  }
}

describe('what others publish decides at the doors, once it is crawled', () => {
  let internet: Internet;
  let room: Awaited<ReturnType<typeof openExchange>>;
  before(async () => {
    internet = await startInternet(pages);
    room = await openExchange({ crawlProxy: internet.proxy });
  });
  after(async () => {
    await room.close();
    await internet[Symbol.asyncDispose]();
  });

  const rows: readonly (readonly [
    what: string,
    endpoint: Values,
    request: Values,
    first: string,
    then: string,
  ])[] = [
    ['ads.txt lists the publisher', { CheckAdsTxt: 2 }, site('listed.example'), 'ads_txt_unavailable', 'bid'],
    ['ads.txt lists others', { CheckAdsTxt: 1 }, site('other.example'), 'bid', 'ads_txt_violation'],
    [
      "a partner's ads.txt lists the seller of its inventory",
      { CheckAdsTxt: 2 },
      {
        site: { domain: 'shared.example', inventorypartnerdomain: 'partner.example' },
        ...chain('ssp.example', 'p1'),
      },
      'ads_txt_unavailable',
      'bid',
    ],
    [
      'the partner of OpenRTB 2.5',
      { CheckAdsTxt: 2 },
      {
        site: { domain: 'shared.example', ext: { inventorypartnerdomain: 'www.Partner.example' } },
        ...chain('ssp.example', 'p1'),
      },
      'bid',
      'bid',
    ],
    ['ads.txt is asked of the root', { CheckAdsTxt: 1 }, site('a.other.example'), 'bid', 'ads_txt_violation'],
    [
      'app-ads.txt lists the seller',
      { CheckAppAdsTxt: 2 },
      { ...app('com.there'), ...chain('ssp.example', 'a1') },
      'ads_txt_unavailable',
      'bid',
    ],
    ['app-ads.txt lists others', { CheckAppAdsTxt: 1 }, app('com.there'), 'bid', 'ads_txt_violation'],
    [
      'sellers.json does not list the seller',
      { CheckSellersJson: 1 },
      chain('ssp.example', 'b2'),
      'bid',
      'sellers_json_violation',
    ],
    // Those before have answered: silence is the site's own.
    ['the site is not there', { CheckSiteLive: 1 }, site('gone.example'), 'bid', 'site_not_live'],
    ['the app is not there', { CheckAppStore: 1 }, app('com.gone'), 'bid', 'app_not_live'],
  ];
  for (const [what, endpoint, request, first, then] of rows) {
    test(`${what}: ${first}, then ${then}`, async () => {
      const campaign = await room.add('campaign', { Type: 2, Cpm: 4, Html: '<p>ad</p>' });
      const rtbEp = await room.add('ortb/rtbep', { BannerEnabled: 1, ...endpoint, Campaigns: [campaign.Id] });
      await room.served();
      const outcome = async () => {
        const { status } = await post(zoneUrl(rtbEp), requestOf([bannerImp], request));
        const [held] = (await room.call(
          `exchange/auctions?RtbEp=${rtbEp.Id}`,
        )) as unknown as readonly Values[];
        return status === 200 ? 'bid' : held?.Outcome;
      };
      assert.equal(await outcome(), first);
      assert.equal(await awaited(outcome, (one) => one === then), then);
    });
  }

  test('demand has no part in an auction of a site that is not there', async () => {
    const demand = await room.add('ortb/dspvasttag', {
      ZoneUrlUsEast: 'http://127.0.0.1:1/',
      CheckSiteLive: 1,
    });
    const tag = await room.add('ortb/vasttag', { Tmax: 5000, DspVastTags: [demand.Id] });
    await room.served();
    const Url = zoneUrl(tag, { site_url: 'https://none.example.gone.example/' });
    const rule = async () => {
      const asked = { VastTag: { Id: tag.Id }, Request: { Url } };
      const { Candidates } = await room.call('exchange/explain', asked);
      return (Candidates as readonly Values[])[0]?.Rule;
    };
    assert.equal(await rule(), '');
    assert.equal(await awaited(rule, (one) => one !== ''), 'site_not_live');
  });

  test('/metrics counts what was found', async () => {
    const text = await (await fetch(`${room.server.url}/metrics`)).text();
    for (const [kind, finding] of [
      ['ads.txt', 'yes'],
      ['ads.txt', 'no'],
      ['site', 'no'],
    ]) {
      assert.match(text, new RegExp(`^bourse_crawled_total{kind="${kind}",finding="${finding}"} [1-9]`, 'm'));
    }
  });

  test('a publisher sees the lines it is to publish, and whether they were found on its places', async () => {
    const places: readonly Values[] = [
      { SiteDomain: 'listed.example' },
      { SiteDomain: 'www.other.example' },
      { SiteDomain: 'sub.bare.example' },
      { SiteDomain: 'listed.example', AppBundle: 'com.there' },
      { AppName: 'Nameless' },
    ];
    for (const values of places) await room.add('ortb/vasttag', values);
    const inactive = await room.add('bannerep', { SiteDomain: 'asleep.example' });
    await room.call('bannerep/deactivate', { BannerEp: { Id: inactive.Id } });
    const other = await room.call('publisher/add', {
      Publisher: { Mail: 'o@example.com', Name: 'O', Country: 'DE', Username: 'other' },
    });
    const stranger = (other.Publisher as Values).Id;
    await room.call('bannerep/add', { BannerEp: { PublisherId: stranger, SiteDomain: 'strange.example' } });
    const account = { kind: 'Publisher', id: room.publisher.Id } as const;
    const [user] = await addUsers(room.server, [{ role: 3, teamId: 1, partner: account }]);
    const ask = async () => {
      const headers = { authorization: `Bearer ${user?.token}` };
      const answer = await fetch(`${room.server.url}/api/portal/adstxt/get`, { headers });
      return (await answer.json()) as { File: string; Line: string; Places: readonly Values[] }[];
    };
    const isKnown = (files: Awaited<ReturnType<typeof ask>>) =>
      files.flatMap(({ Places }) => Places).every(({ State }) => State !== 'unknown');
    const Line = '127.0.0.1, pub-7, DIRECT';
    const unnamed = { OwnerDomain: '', ManagerDomains: [] };
    assert.deepEqual(await awaited(ask, isKnown), [
      {
        File: 'ads.txt',
        Line,
        Places: [
          {
            Place: 'listed.example',
            Url: 'https://listed.example/ads.txt',
            State: 'found',
            OwnerDomain: 'owner.example',
            ManagerDomains: ['m.example, DE'],
          },
          { Place: 'other.example', Url: 'https://other.example/ads.txt', State: 'not_listed', ...unnamed },
          { Place: 'sub.bare.example', Url: 'https://bare.example/ads.txt', State: 'no_file', ...unnamed },
        ],
      },
      {
        File: 'app-ads.txt',
        Line,
        Places: [{ Place: 'com.there', Url: '', State: 'not_listed', ...unnamed }],
      },
    ]);
    assert.deepEqual(await room.call(`publisher/adstxt?Id=${room.publisher.Id}`), await ask());
    assert.ok(!internet.asked.some((name) => /asleep|strange/.test(name)));
  });

  test('endpoints that check nothing ask nobody', async () => {
    const campaign = await room.add('campaign', { Type: 2, Cpm: 4, Html: '<p>ad</p>' });
    const rtbEp = await room.add('ortb/rtbep', { BannerEnabled: 1, Campaigns: [campaign.Id] });
    await room.served();
    const { status } = await post(zoneUrl(rtbEp), requestOf([bannerImp], site('none.example')));
    assert.equal(status, 200);
    assert.ok(!internet.asked.some((name) => name.startsWith('none.example')));
  });
});

test('a thread beside the first learns what the crawler of the first finds', async () => {
  await using internet = await startInternet(pages);
  const memory = threadGroupMemory(2);
  const start = (number: number) => {
    const threadGroup = joinThreadGroup(memory, number);
    const logger = pino({ level: 'silent' });
    const url = () => 'https://us.example';
    const crawling = startCrawling({
      threadGroup,
      logger,
      now: Date.now,
      proxy: internet.proxy,
      url,
      gvlFile: undefined,
      ratesUrl: 'http://rates.example/latest.json',
      ratesFile: undefined,
      ratesDays: 7,
    });
    const close = () => {
      crawling.close();
      threadGroup.channel.close();
    };
    return { ...crawling, close };
  };
  const [first, second] = [start(0), start(1)];
  try {
    const look = () => second.findings.find('ads.txt', 'listed.example', '127.0.0.1', 'pub-7');
    assert.equal(look(), undefined);
    assert.equal(await awaited(look, (finding) => finding !== undefined), 'yes');
    assert.equal(first.findings.find('ads.txt', 'listed.example', '127.0.0.1', 'pub-7'), 'yes');
    assert.deepEqual(internet.asked, ['listed.example/ads.txt']);
  } finally {
    first.close();
    second.close();
  }
});

test('a crawler that fails rests before it begins again', async () => {
  const clock = { nowMs: 0 };
  const failed: string[] = [];
  const logger = { warn: (_: object, text: string) => void failed.push(text) } as unknown as Logger;
  const threadGroup = joinThreadGroup(threadGroupMemory(1), 0);
  const workerUrl = new URL('./failing-crawler.ts', import.meta.url).href;
  const url = () => 'https://us.example';
  const { findings, close } = startCrawling({
    threadGroup,
    logger,
    now: () => clock.nowMs,
    proxy: undefined,
    url,
    gvlFile: undefined,
    ratesUrl: 'http://rates.example/latest.json',
    ratesFile: undefined,
    ratesDays: 7,
    workerUrl,
  });
  const ask = (host: string) => findings.find('site', host);
  try {
    ask('one.example');
    await awaited(
      () => failed.length,
      (count) => count === 1,
    );
    ask('two.example');
    clock.nowMs = 9_999;
    ask('three.example');
    clock.nowMs = 10_000;
    await awaited(
      () => {
        // Until the thread that failed is gone.
        ask(`${crypto.randomUUID()}.example`);
        return failed.length;
      },
      (count) => count === 2,
    );
    assert.equal(failed.length, 2);
  } finally {
    close();
    threadGroup.channel.close();
  }
});
