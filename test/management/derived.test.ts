import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Api, type Fetched, startApi, type Values } from './api.ts';
import { assertRefused } from './refusals.ts';
import { type ResourceName, resourceNames, resourceOf, resources } from './resources.ts';

const baseUrl = 'https://exchange.example/console';
const regions = [
  { name: 'us-east', url: 'https://us-east.exchange.example' },
  { name: 'eu', url: 'https://eu.exchange.example' },
];
const { api } = await startApi({ baseUrl, regions });
const { api: plain, server: plainServer } = await startApi();

/** Statistics URLs, as the specification writes their templates: path, and the parameter that names the object. */
const statistics: readonly (readonly [ResourceName, field: string, path: string, key?: 'zone' | 'feed'])[] = [
  ['Publisher', 'StatsByDate', '/api/ortb/stats/publisher/general'],
  ['Advertiser', 'StatsByDate', '/api/ortb/stats/advertiser/general'],
  ['VastTag', 'StatsByDate', '/api/ortb/stats/publisher/vast', 'zone'],
  ['RtbEp', 'StatsByDate', '/api/ortb/stats/publisher/rtb', 'zone'],
  ['PopFeed', 'StatsByDate', '/api/xml/stats/publisher/pop', 'feed'],
  ['PopFeed', 'StatsBySubId', '/api/xml/stats/publisher/pop/subid', 'feed'],
  ['DspPopFeed', 'StatsByDate', '/api/xml/stats/advertiser/pop', 'feed'],
  ['DspRtbEp', 'StatsByDate', '/api/ortb/stats/advertiser/rtb', 'zone'],
];

async function ownerOf(client: Api, { PublisherId, AdvertiserId, ...object }: Values): Promise<Values> {
  if (PublisherId !== undefined) return client.one('Publisher', Number(PublisherId));
  return AdvertiserId === undefined ? object : client.one('Advertiser', Number(AdvertiserId));
}

suite('statistics URLs', () => {
  for (const [name, field, path, key] of statistics) {
    for (const [client, base] of [
      [api, baseUrl],
      [plain, plainServer.url],
    ] as const) {
      test(`${name}.${field}Csv and Json at ${base === baseUrl ? 'the base URL' : 'the address'}`, async () => {
        const object = await client.add(name);
        const { Username, StatsAuth } = await ownerOf(client, object);
        const id = key ? `&${key}=${object.Id}` : '';
        const csv = `${base}${path}?username=${Username}&auth=${StatsAuth}${id}&date_from={date_from}&date_to={date_to}`;
        assert.equal(object[`${field}Csv`], csv);
        assert.equal(object[`${field}Json`], `${csv}&type=json`);
        const [row] = await client.all(name, `?AfterId=${object.Id - 1}`);
        assert.equal(row?.[`${field}Csv`], csv, 'the array form has it too');
      });
    }
  }
  test('a DSP VAST Tag has none (specification 2.6)', async () => {
    const names = Object.keys(await api.add('DspVastTag'));
    assert.deepEqual(
      names.filter((name) => name.startsWith('StatsBy')),
      [],
    );
  });
  test('usernames are escaped, and follow a change of the owner', async () => {
    const { Id, StatsAuth } = await api.add('Publisher', { Username: 'a&b=c#d%+{x}' });
    const tag = await api.add('VastTag', { PublisherId: Id });
    const url = new URL(String(tag.StatsByDateCsv));
    assert.deepEqual(
      [url.searchParams.get('username'), url.searchParams.get('auth')],
      ['a&b=c#d%+{x}', StatsAuth],
    );
    await api.update('Publisher', { Id, Username: 'later' });
    const { StatsByDateCsv } = await api.one('VastTag', tag.Id);
    assert.equal(new URL(String(StatsByDateCsv)).searchParams.get('username'), 'later');
  });
});

const zoneMacros = [
  'ip',
  'ua',
  'width',
  'height',
  'linearity',
  'pos',
  'placement',
  'site_url',
  'app_bundle',
  'app_name',
  'app_store_url',
  'bidfloor',
  'minduration',
  'maxduration',
  'startdelay',
  'category',
  'device_type',
  'device_make',
  'device_model',
  'os',
  'osv',
  'lang',
  'ifa',
  'series',
  'season',
  'context',
  'cb',
];

/** Of each resource the URLs that differ by region: what an entry holds after its region. */
const regional: Readonly<
  Partial<Record<ResourceName, Readonly<Record<string, (url: string, o: Values) => Values>>>>
> = {
  VastTag: {
    ZoneUrls: (url, { Id, Auth }) => ({
      ZoneUrl: `${url}/vast?zone=${Id}&auth=${Auth}${zoneMacros.map((name) => `&${name}={${name}}`).join('')}`,
    }),
  },
  RtbEp: { ZoneUrls: (url, { Id, Auth }) => ({ ZoneUrl: `${url}/rtb?zone=${Id}&auth=${Auth}` }) },
  PopFeed: {
    DirectUrls: (url, { Id, AuthDirectUrl }) => ({
      DirectUrl: `${url}/direct?feed=${Id}&auth=${AuthDirectUrl}`,
    }),
  },
};
const plainRegions = [{ name: 'us-east', url: plainServer.url }];

suite('regional URLs', () => {
  for (const [name, fields] of Object.entries(regional) as [ResourceName, Record<string, never>][]) {
    for (const [field, entry] of Object.entries<(url: string, object: Values) => Values>(fields)) {
      test(`${name}.${field}, one entry for each region`, async () => {
        for (const [client, places] of [
          [api, regions],
          [plain, plainRegions],
        ] as const) {
          const object = await client.add(name);
          assert.deepEqual(
            object[field],
            places.map(({ name: Region, url }) => ({ Region, ...entry(url, object) })),
          );
        }
      });
    }
  }
  test('PopFeed.FeedUrls, in XML and in JSON', async () => {
    const { Id, Auth, FeedUrls } = await api.add('PopFeed');
    const entries = FeedUrls as readonly { Region: string; FeedUrlXml: string; FeedUrlJson: string }[];
    assert.deepEqual(
      entries.map(({ Region }) => Region),
      ['us-east', 'eu'],
    );
    for (const [index, { url }] of regions.entries()) {
      const { FeedUrlXml = '', FeedUrlJson = '', ...rest } = entries[index] ?? {};
      assert.deepEqual(Object.keys(rest), ['Region']);
      const shape = `${url}/pop?feed=${Id}&auth=${Auth}&subid={subid}&query={query}&user_ip={user_ip}&ua={ua}&url={url}&uid={uid}`;
      assert.equal(FeedUrlXml, shape);
      assert.ok(FeedUrlJson.startsWith(shape) && FeedUrlJson !== FeedUrlXml, FeedUrlJson);
    }
  });
});

const secrets: readonly (readonly [ResourceName, string])[] = [
  ['Publisher', 'StatsAuth'],
  ['Advertiser', 'StatsAuth'],
  ['VastTag', 'Auth'],
  ['RtbEp', 'Auth'],
  ['BannerEp', 'Auth'],
  ['PopFeed', 'Auth'],
  ['PopFeed', 'AuthDirectUrl'],
];

suite('credentials (A8)', () => {
  for (const [name, field] of secrets) {
    test(`${name}.${field}: URL-safe, 128 bits or more, its own, and it stays`, async () => {
      const objects = [await api.add(name), await api.add(name)];
      const [first, second] = objects.map((object) => String(object[field]));
      assert.match(first ?? '', /^[A-Za-z0-9_-]{22,}$/);
      assert.notEqual(first, second);
      const { Id = 0 } = objects[0] ?? {};
      assert.equal((await api.update(name, { Id, Name: 'Renamed', [field]: first }))[field], first);
    });

    test(`${name}.${field}: an update that sends another one is refused, and changes nothing`, async () => {
      const { Id } = await api.add(name, { Name: 'Kept' });
      const before = await api.one(name, Id);
      const { path, wrapper } = resources[name];
      for (const sent of ['mine', '', ` ${before[field]}`, null, 5, [before[field]]]) {
        for (const query of ['', '?DryRun=1']) {
          const body = { [wrapper]: { Id, Name: 'Changed', [field]: sent } };
          const reply = await api.post(`/api/${path}/update${query}`, body);
          const says = ['leave it out, or send it as it was fetched'];
          assertRefused(reply, {
            status: 406,
            paths: [`${wrapper}.${field}`],
            says,
            never: [String(before[field])],
          });
        }
      }
      assert.deepEqual(await api.one(name, Id), before);
    });

    test(`${name}.${field}: is told beside the other faults, and is nothing of a configuration`, async () => {
      const { Id } = await api.add(name);
      const { path, wrapper } = resources[name];
      const body = { [wrapper]: { Id, Name: 5, [field]: 'mine' } };
      const paths = [`${wrapper}.${field}`, `${wrapper}.Name`].sort();
      assertRefused(await api.post(`/api/${path}/update`, body), { status: 406, paths });
      const Config = { Version: 1, [name]: [{ Name: 'New', [field]: 'mine' }] };
      const reply = await api.post('/api/config/apply', { Config });
      assertRefused(reply, { status: 406, says: [`${name}[New].${field} is not a known field`] });
    });
  }
  test("a feed's two credentials differ", async () => {
    const { Auth, AuthDirectUrl } = await api.add('PopFeed');
    assert.notEqual(Auth, AuthDirectUrl);
  });
});

suite('names of owners', () => {
  for (const name of resourceNames) {
    const { owner } = resourceOf(name);
    if (!owner) continue;
    test(`${name} shows its owner's name, as it is now`, async () => {
      const object = await api.add(name);
      const Id = Number(object[`${owner}Id`]);
      for (const Name of ['First "name"', 'Second']) {
        await api.update(owner, { Id, Name });
        assert.equal((await api.one(name, object.Id))[`${owner}Name`], Name);
        const [row] = await api.all(name, `?AfterId=${object.Id - 1}`);
        assert.equal(row?.[`${owner}Name`], Name);
      }
    });
  }
});

const counts: Readonly<Record<'Publisher' | 'Advertiser', Readonly<Record<string, ResourceName>>>> = {
  Publisher: {
    BannerEpsCount: 'BannerEp',
    VastTagsCount: 'VastTag',
    RtbEpsCount: 'RtbEp',
    PopFeedsCount: 'PopFeed',
  },
  Advertiser: {
    CampaignsCount: 'Campaign',
    DspRtbEpsCount: 'DspRtbEp',
    DspVastTagsCount: 'DspVastTag',
    DspPopFeedsCount: 'DspPopFeed',
  },
};

suite('counts of what an account owns', () => {
  for (const owner of ['Publisher', 'Advertiser'] as const) {
    test(owner, async () => {
      const { Id } = await api.add(owner);
      const { Id: other } = await api.add(owner);
      const field = `${owner}Id`;
      const expected: Record<string, number> = {};
      let moved: [ResourceName, Fetched] | undefined;
      for (const [index, [count, name]] of Object.entries(counts[owner]).entries()) {
        expected[count] = index + 1;
        for (let made = 0; made <= index; made += 1) moved = [name, await api.add(name, { [field]: Id })];
      }
      const countsOf = async (id: number) => {
        const object = await api.one(owner, id);
        const [row] = await api.all(owner, `?AfterId=${id - 1}`);
        const pick = (from: Values) =>
          Object.fromEntries(Object.keys(counts[owner]).map((key) => [key, from[key]]));
        assert.deepEqual(row && pick(row), pick(object));
        return pick(object);
      };
      assert.deepEqual(await countsOf(Id), expected);
      assert.deepEqual(Object.values(await countsOf(other)), [0, 0, 0, 0]);
      if (!moved) return;
      await api.update(moved[0], { Id: moved[1].Id, [field]: other });
      assert.deepEqual(Object.values(await countsOf(Id)), [1, 2, 3, 3], 'one has moved');
      assert.deepEqual(Object.values(await countsOf(other)), [0, 0, 0, 1]);
    });
  }
});

suite('figures', () => {
  const figures = ['Qps', 'TodayRevenue', 'YesterdayRevenue', 'TodayFillRate', 'YesterdayFillRate'];
  const kinds = [
    'VastTag',
    'DspVastTag',
    'RtbEp',
    'DspRtbEp',
    'PopFeed',
    'DspPopFeed',
    'Campaign',
    'BannerEp',
  ];
  for (const name of kinds as ResourceName[]) {
    test(`${name} has them, 0 where there was no traffic`, async () => {
      const object = await api.add(name);
      assert.deepEqual(
        figures.map((field) => object[field]),
        [0, 0, 0, 0, 0],
      );
    });
  }
});
