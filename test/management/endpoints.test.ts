import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Fetched, posted, startApi, type Values } from './api.ts';
import { asAnswered, fullValues, makeWorld } from './full-values.ts';
import { assertRefused } from './refusals.ts';
import { resourceNames, resources } from './resources.ts';

const { server, api } = await startApi();
const world = await makeWorld(api, resourceNames);

const pick = (object: Values, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, object[name]]));

suite('4.1 account', () => {
  test('GET /api/auth/account answers the bare user', async () => {
    const reply = await api.get('/api/auth/account');
    assert.equal(reply.status, 200);
    const { Team, ...user } = reply.body as Values & { Team: Values };
    const members = ['Id', 'TeamId', 'Mail', 'FirstName', 'LastName', 'Role', 'Status', 'StatusString'];
    assert.deepEqual(Object.keys(reply.body), [...members, 'Team']);
    assert.deepEqual(pick(user, ['Mail', 'Role', 'Status', 'StatusString']), {
      Mail: server.mail,
      Role: 0,
      Status: 0,
      StatusString: 'Active',
    });
    assert.deepEqual(Object.keys(Team), ['Id', 'Name', 'Country', 'City', 'ZipCode', 'Address', 'Phone']);
    assert.equal(Team.Id, user.TeamId);
    assert.deepEqual([typeof user.Id, typeof Team.Name], ['number', 'string']);
  });
});

interface Created {
  readonly path: string;
  readonly name: keyof typeof fullValues;
  readonly required: readonly string[];
  /** Members that the answer has besides what was sent. */
  readonly adds: readonly string[];
}

const state = ['AccManagerId', 'AccManagerName', 'Status', 'StatusString'];
const figures = ['Qps', 'TodayRevenue', 'YesterdayRevenue', 'TodayFillRate', 'YesterdayFillRate'];
const statistics = ['StatsByDateCsv', 'StatsByDateJson'];

const created: readonly Created[] = [
  {
    path: '/api/publisher/add',
    name: 'Publisher',
    required: ['Mail', 'Name', 'Country', 'Username'],
    adds: [
      'StatsAuth',
      ...statistics,
      ...state,
      'BannerEpsCount',
      'VastTagsCount',
      'RtbEpsCount',
      'PopFeedsCount',
    ],
  },
  {
    path: '/api/advertiser/add',
    name: 'Advertiser',
    required: ['Mail', 'Name', 'Country', 'Username'],
    adds: [
      'StatsAuth',
      ...statistics,
      ...state,
      'CampaignsCount',
      'DspRtbEpsCount',
      'DspVastTagsCount',
      'DspPopFeedsCount',
    ],
  },
  {
    path: '/api/ortb/vasttag/add',
    name: 'VastTag',
    required: ['PublisherId'],
    adds: ['PublisherName', 'Auth', 'ZoneUrls', ...statistics, ...figures, ...state],
  },
  {
    path: '/api/ortb/dspvasttag/add',
    name: 'DspVastTag',
    required: ['AdvertiserId'],
    adds: ['AdvertiserName', 'Pace', 'ForecastUnits', 'ForecastEnd', ...figures, ...state],
  },
  {
    path: '/api/xml/popfeed/add',
    name: 'PopFeed',
    required: ['PublisherId'],
    adds: [
      'PublisherName',
      'Auth',
      'AuthDirectUrl',
      'FeedUrls',
      'DirectUrls',
      ...statistics,
      'StatsBySubIdCsv',
      'StatsBySubIdJson',
      ...figures,
      ...state,
    ],
  },
];

suite('4.2 create endpoints', () => {
  for (const { path, name, required, adds } of created) {
    const { wrapper } = resources[name];
    test(`POST ${path} stores every field and answers ${wrapper}`, async () => {
      const values = fullValues[name](world);
      const object = posted(await api.post(path, { [wrapper]: values }), wrapper);
      assert.deepEqual(pick(object, Object.keys(values)), asAnswered(values, object));
      assert.deepEqual(pick(object, ['TeamId', 'Status', 'StatusString']), {
        TeamId: 1,
        Status: 0,
        StatusString: 'Active',
      });
      assert.deepEqual(Object.keys(object).sort(), ['Id', 'TeamId', ...Object.keys(values), ...adds].sort());
      assert.deepEqual(await api.one(name, object.Id), object, 'a fetch answers the same');
    });
    for (const member of required) {
      test(`POST ${path} without ${member} is 406 and adds nothing`, async () => {
        const before = await api.all(name);
        const { [member]: _, ...values } = fullValues[name](world);
        const free = member === 'Username' || !('Username' in values) ? {} : { Username: 'another-name' };
        assertRefused(await api.post(path, { [wrapper]: { ...values, ...free } }), {
          status: 406,
          paths: [`${wrapper}.${member}`],
        });
        assert.equal((await api.all(name)).length, before.length);
      });
    }
    test(`POST ${path} names all required fields at once`, async () => {
      const paths = required.map((member) => `${wrapper}.${member}`);
      assertRefused(await api.post(path, { [wrapper]: {} }), { status: 406, paths });
    });
  }
});

const lists = [
  { name: 'DomainList', text: 'a.example\nb.example', counts: { DomainCount: 2 } },
  { name: 'IpList', text: '192.0.2.1\n10.0.0.0/8', counts: { IpCount: 1, IpRangesCount: 1 } },
] as const;

suite('4.3 update endpoints', () => {
  for (const { name, text, counts } of lists) {
    const { path, wrapper } = resources[name];
    const updated = async (values: Values) =>
      posted(await api.post(`/api/${path}/update`, { [wrapper]: values }), wrapper);
    test(`POST /api/${path}/update changes what is sent, and answers without ListText`, async () => {
      const { Id } = await api.add(name);
      const object = await updated({ Id, Name: 'Renamed', Global: 1, ListText: text });
      assert.deepEqual(pick(object, ['Id', 'Name', 'Global', ...Object.keys(counts)]), {
        Id,
        Name: 'Renamed',
        Global: 1,
        ...counts,
      });
      assert.ok(!('ListText' in object));
      assert.equal((await api.one(name, Id)).ListText, text);
      const renamed = await updated({ Id, Name: 'Again' });
      assert.deepEqual(renamed, { ...object, Name: 'Again' }, 'the others keep their value');
      assert.equal((await api.one(name, Id)).ListText, text);
      assert.deepEqual(await updated({ Id }), renamed, 'Id alone is enough');
    });
    test(`POST /api/${path}/update without Id is 406`, async () => {
      const reply = await api.post(`/api/${path}/update`, { [wrapper]: { Name: 'Lost' } });
      assertRefused(reply, { status: 406, paths: [`${wrapper}.Id`] });
    });
  }
});

const switches = [
  ['/api/publisher/activate', 'Publisher', 0],
  ['/api/publisher/deactivate', 'Publisher', 1],
  ['/api/advertiser/activate', 'Advertiser', 0],
  ['/api/advertiser/deactivate', 'Advertiser', 1],
  ['/api/xml/popfeed/activate', 'PopFeed', 0],
  ['/api/ortb/dspvasttag/deactivate', 'DspVastTag', 1],
  ['/api/xml/dsppopfeed/deactivate', 'DspPopFeed', 1],
] as const;

suite('4.4 activate and deactivate endpoints', () => {
  for (const [path, name, status] of switches) {
    const { wrapper, path: resource } = resources[name];
    const opposite = status === 0 ? 'deactivate' : 'activate';
    test(`POST ${path} answers ${wrapper} with the new status`, async () => {
      const added = await api.add(name);
      const { Id } = added;
      posted(await api.post(`/api/${resource}/${opposite}`, { [wrapper]: { Id } }), wrapper);
      const expected = { ...added, Status: status, StatusString: status === 0 ? 'Active' : 'Inactive' };
      for (const time of ['once', 'twice']) {
        const object = posted(await api.post(path, { [wrapper]: { Id } }), wrapper);
        assert.deepEqual(object, expected, `${time}: nothing else changes`);
      }
      assert.equal((await api.one(name, Id)).Status, status);
    });
    for (const [what, value] of Object.entries({ absent: undefined, zero: 0, text: '1', unknown: 999_999 })) {
      test(`POST ${path} with Id ${what} is 406`, async () => {
        const reply = await api.post(path, { [wrapper]: { Id: value } });
        assertRefused(reply, { status: 406, paths: [`${wrapper}.Id`] });
      });
    }
  }
});

const fetches = [
  { name: 'RtbEp', owner: 'Publisher' },
  { name: 'DspVastTag', owner: 'Advertiser' },
  { name: 'AppList', owner: undefined },
  { name: 'DomainList', owner: undefined },
] as const;
const idsOf = (objects: readonly Fetched[]) => objects.map(({ Id }) => Id);

suite('4.5 fetch endpoints', () => {
  for (const { name, owner } of fetches) {
    const { path } = resources[name];
    test(`GET /api/${path}/get answers one object bare, or an array`, async () => {
      const ofOwner = owner ? { [`${owner}Id`]: (await api.add(owner)).Id } : {};
      const active = await api.add(name, ofOwner);
      const inactive = await api.add(name, ofOwner);
      await api.post(`/api/${path}/deactivate`, { [resources[name].wrapper]: { Id: inactive.Id } });
      const objects = await api.all(name);
      const all = idsOf(objects);
      assert.ok(all.includes(active.Id) && all.includes(inactive.Id));
      assert.equal((await api.one(name, inactive.Id)).Status, 1);
      const activeOnly = idsOf(await api.all(name, '?ActiveOnly=1'));
      assert.deepEqual(activeOnly, idsOf(objects.filter(({ Status }) => Status === 0)));
      assert.deepEqual(idsOf(await api.all(name, '?Id=0&ActiveOnly=0')), all, '0 is as absent');
      if (!owner) return;
      const owned = `${owner}Id=${Object.values(ofOwner)[0]}`;
      assert.deepEqual(idsOf(await api.all(name, `?${owned}`)), [active.Id, inactive.Id]);
      assert.deepEqual(idsOf(await api.all(name, `?${owned}&ActiveOnly=1`)), [active.Id]);
      assert.deepEqual(idsOf(await api.all(name, `?${owner}Id=0&AccManagerId=0`)), all);
      assert.deepEqual(idsOf(await api.all(name, `?AccManagerId=${active.AccManagerId}`)), all);
      assert.deepEqual(await api.all(name, '?AccManagerId=999999'), []);
      assert.deepEqual(await api.all(name, `?${owner}Id=999999`), []);
    });
    test(`GET /api/${path}/get of an unknown Id is 406`, async () => {
      assertRefused(await api.get(`/api/${path}/get?Id=999999`), { status: 406, paths: ['Id'] });
    });
  }
});

const references = [
  ['/api/info/countries', ['CC', 'Country']],
  ['/api/info/iabcategories', ['Name', 'Title', 'Subcategories']],
] as const;

suite('4.6 reference endpoints', () => {
  for (const [path, members] of references) {
    test(`GET ${path} answers an array of objects`, async () => {
      const reply = await api.get(path);
      assert.equal(reply.status, 200);
      for (const entry of reply.body as unknown as Values[]) assert.deepEqual(Object.keys(entry), members);
    });
  }
});
