import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { played } from '../protocols/vast/vast-player.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

type Values = Readonly<Record<string, unknown>>;

let server: TestServer;
let owner: { publisher: Values; advertiser: Values };

async function call(path: string, body?: object): Promise<Values> {
  const response = await fetch(`${server.url}/api/${path}`, {
    headers: { authorization: `Bearer ${server.token}` },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json()) as Values;
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

async function add(path: string, wrapper: string, values: object): Promise<Values & { Id: number }> {
  const answer = await call(`${path}/add`, { [wrapper]: values });
  return answer[wrapper] as Values & { Id: number };
}

/** Waits until the exchange serves what was written last. */
async function served(): Promise<void> {
  const changes = (await call('history/get?Limit=1000')) as unknown as readonly { Revision: number }[];
  await call(`exchange/status?Revision=${changes.at(-1)?.Revision}`);
}

const account = { Mail: 'a@example.com', Name: 'A', Country: 'DE' };
const creative = {
  Name: 'Film',
  Cpm: 4,
  MediaUrl: 'https://cdn.example/film.mp4',
  Mime: 'video/mp4',
  Duration: 15,
  Width: 640,
  Height: 360,
  ClickUrl: 'https://brand.example/offer?a=1&b=2',
  AdDomain: 'brand.example',
};

const addTag = (values: object) =>
  add('ortb/vasttag', 'VastTag', { PublisherId: owner.publisher.Id, ...values });
const addCampaign = (values: object) =>
  add('campaign', 'Campaign', { AdvertiserId: owner.advertiser.Id, ...creative, ...values });

/** A zone URL of the tag, with some macros filled and the others as they were handed out. */
function zoneUrl(tag: Values, macros: Readonly<Record<string, string>> = {}): string {
  const [{ ZoneUrl = '' } = {}] = tag.ZoneUrls as readonly { ZoneUrl: string }[];
  return Object.entries(macros).reduce(
    (url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(value)),
    ZoneUrl,
  );
}

async function vast(url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, { headers });
  return { response, text: await response.text() };
}

const urlsOf = (text: string, event: string) =>
  [...text.matchAll(new RegExp(`${server.url}/track/${event}\\?t=[\\w-]+`, 'g'))].map(([url]) => url);

async function statistics(tag: Values): Promise<Values> {
  const url = String(tag.StatsByDateJson).replace(/\{date_(from|to)\}/g, '');
  const [row] = (await (await fetch(url)).json()) as Values[];
  return row ?? {};
}

/** Counts reach the database within about a second. */
async function statisticsWith(tag: Values, isThere: (row: Values) => boolean): Promise<Values> {
  for (;;) {
    const row = await statistics(tag);
    if (isThere(row)) return row;
  }
}

before(async () => {
  server = await startTestServer({ allowPrivateDemand: true });
  owner = {
    publisher: await add('publisher', 'Publisher', { ...account, Username: 'pub' }),
    advertiser: await add('advertiser', 'Advertiser', { ...account, Username: 'adv' }),
  };
});
after(() => server.close());

describe('a VAST Tag with a campaign', () => {
  let tag: Values & { Id: number };
  before(async () => {
    const film = await addCampaign({ Countries: [] });
    tag = await addTag({ Bidfloor: 1, PublisherProfitShare: 50, Campaigns: [film.Id] });
    await served();
  });

  test('gives the ad with trackers, counts its impression once, and leads clicks on', async () => {
    const { response, text } = await vast(zoneUrl(tag, { site_url: 'https://news.example/', cb: '1' }), {
      origin: 'https://news.example',
    });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^application\/xml/);
    assert.equal(response.headers.get('access-control-allow-origin'), 'https://news.example');
    const [ad] = await played(text);
    assert.ok(ad);
    assert.match(text, /https:\/\/cdn\.example\/film\.mp4/);
    const [impression = ''] = urlsOf(text, 'impression');
    for (const _ of [1, 2, 3]) assert.equal((await fetch(impression)).status, 200);
    const [click = ''] = urlsOf(text, 'click');
    const clicked = await fetch(click, { redirect: 'manual' });
    assert.equal(clicked.status, 302);
    assert.equal(clicked.headers.get('location'), creative.ClickUrl);
    const row = await statisticsWith(tag, ({ Requests }) => Number(Requests) > 0);
    const { Requests, Bids, Wins, Bills, NetImpressions, Clicks, Spent } = row;
    assert.deepEqual([Requests, Bids, Wins, Bills, NetImpressions, Clicks], [1, 1, 1, 1, 1, 1]);
    // Half of what is above the floor of 1, of a bid of 4: 2.5 CPM.
    assert.equal(Spent, 0.0025);
  });

  test('a forged token counts nothing and is answered as usual', async () => {
    const { text } = await vast(zoneUrl(tag));
    const [impression = ''] = urlsOf(text, 'impression');
    const forged = impression.slice(0, -4) + (impression.endsWith('AAAA') ? 'BBBB' : 'AAAA');
    assert.equal((await fetch(forged)).status, 200);
    const row = await statisticsWith(tag, ({ Requests }) => Number(Requests) > 1);
    assert.equal(row.NetImpressions, 1);
  });
});

describe('what is refused is empty VAST, and explained by name', () => {
  interface Case {
    readonly name: string;
    readonly campaign?: object;
    readonly tag?: object;
    readonly macros?: Readonly<Record<string, string>>;
    readonly rule: string;
    readonly field: string;
  }
  const cases: readonly Case[] = [
    {
      name: 'the bid is below the floor',
      campaign: { Cpm: 0.5 },
      tag: { Bidfloor: 1 },
      rule: 'below_floor',
      field: 'Bidfloor',
    },
    {
      name: 'the size is not one of the list',
      campaign: { SizesListMode: 1, SizesList: ['300x250'] },
      macros: { width: '640', height: '360' },
      rule: 'size_not_targeted',
      field: 'SizesList',
    },
    {
      name: 'web traffic is not wanted',
      campaign: { WebEnabled: 0 },
      macros: { site_url: 'https://news.example/' },
      rule: 'environment_not_enabled',
      field: 'WebEnabled',
    },
    {
      name: 'the campaign is over',
      campaign: { EndDate: '2020-01-01' },
      rule: 'out_of_flight',
      field: 'EndDate',
    },
    {
      name: 'the ad is of a blocked domain',
      tag: { AdDomainsBrandsBlacklist: 'brand.example' },
      rule: 'domain_blocked',
      field: 'AdDomainsBrandsBlacklist',
    },
    {
      name: 'the campaign is a banner',
      campaign: { Type: 2, Html: '<p>no video</p>' },
      rule: 'media_not_enabled',
      field: 'Type',
    },
  ];
  for (const { name, campaign = {}, tag: values = {}, macros = {}, rule, field } of cases) {
    test(name, async () => {
      const film = await addCampaign(campaign);
      const tag = await addTag({ ...values, Campaigns: [film.Id] });
      await served();
      const url = zoneUrl(tag, macros);
      const { response, text } = await vast(url);
      assert.equal(response.status, 200);
      assert.equal((await played(text)).length, 0, text);
      const { Candidates } = await call('exchange/explain', {
        VastTag: { Id: tag.Id },
        Request: { Url: url },
      });
      const [candidate] = Candidates as readonly Values[];
      assert.deepEqual(
        [candidate?.Outcome, candidate?.Rule, candidate?.Field],
        ['refused', rule, field],
        JSON.stringify(candidate),
      );
    });
  }

  const strangers: readonly (readonly [string, (tag: Values) => string])[] = [
    ['another zone', (tag) => zoneUrl(tag).replace(/zone=\d+/, 'zone=999999')],
    ['a wrong auth', (tag) => zoneUrl(tag).replace(/auth=[^&]+/, 'auth=wrong')],
    ['no query', () => `${server.url}/vast`],
    [
      'hostile values',
      (tag) => zoneUrl(tag, { site_url: `"']]>\r\n<x>${'a'.repeat(9000)}`, ip: '::ffff:1.2' }),
    ],
  ];
  for (const [name, urlOf] of strangers) {
    test(`${name}: 200 and valid VAST`, async () => {
      const tag = await addTag({});
      await served();
      const { response, text } = await vast(urlOf(tag));
      assert.equal(response.status, 200);
      assert.equal((await played(text)).length, 0);
    });
  }
});

test('impressions are counted for the address that the request told, wherever the pixel comes from', async () => {
  const film = await addCampaign({ ImpressionsLimitPerIp: 1 });
  const tag = await addTag({ Campaigns: [film.Id] });
  await served();
  const [impression = ''] = urlsOf((await vast(zoneUrl(tag, { ip: '203.0.113.7' }))).text, 'impression');
  await fetch(impression);
  const ads = async (ip: string) => (await played((await vast(zoneUrl(tag, { ip }))).text)).length;
  assert.deepEqual([await ads('203.0.113.7'), await ads('203.0.113.8')], [0, 1]);
});

describe('a DSP VAST Tag', () => {
  test('is fetched, judged by its price, and given on with our trackers', async () => {
    const seen: string[] = [];
    const dsp = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.end(
        `<VAST version="3.0"><Ad id="1"><InLine><AdSystem>dsp</AdSystem><AdTitle>t</AdTitle>
        <Impression><![CDATA[https://dsp.example/imp]]></Impression><Pricing model="CPM" currency="USD">3.5</Pricing>
        <Creatives><Creative><Linear><Duration>00:00:10</Duration><MediaFiles>
        <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://dsp.example/a.mp4</MediaFile>
        </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`,
      );
    });
    await new Promise<void>((resolve) => dsp.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = dsp.address() as AddressInfo;
      const demand = await add('ortb/dspvasttag', 'DspRtbEp', {
        AdvertiserId: owner.advertiser.Id,
        ZoneUrlUsEast: `http://127.0.0.1:${port}/vast?w={width}&b={app_bundle}`,
      });
      const tag = await addTag({ Tmax: 2000, DspVastTags: [demand.Id] });
      await served();
      const { text } = await vast(zoneUrl(tag, { width: '640' }));
      assert.deepEqual(seen, ['/vast?w=640&b=']);
      assert.match(text, /https:\/\/dsp\.example\/imp/);
      const [impression = ''] = urlsOf(text, 'impression');
      await fetch(impression);
      const row = await statisticsWith(tag, ({ Requests }) => Number(Requests) > 0);
      assert.equal(row.Bills, 1);
      const auctions = (await call(`exchange/auctions?VastTag=${tag.Id}`)) as unknown as readonly Values[];
      assert.equal(auctions[0]?.Outcome, 'won');
    } finally {
      dsp.close();
    }
  });
});
