import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { alertRules } from './alert-rules.ts';
import { freshUsername, startApi, type Values } from './api.ts';
import { dealRules } from './deal-rules.ts';
import { assertRefused } from './refusals.ts';
import { reportRules } from './report-rules.ts';
import { type ResourceName, resourceNames, resourceOf, resources } from './resources.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();
const colleague = await addUser(server, { role: 1, teamId: 1 });
const outsider = await addUser(server, { role: 0 });
const elsewhere = api.as(outsider.token);

const send = (name: ResourceName, values: Values, operation = 'update') =>
  api.post(`/api/${resources[name].path}/${operation}`, { [resources[name].wrapper]: values });

/** One field's rule: values that are stored as they are, and values that are refused. */
interface Row {
  readonly name: ResourceName;
  readonly field: string;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

const mails = {
  good: ['a@b.example', 'first.last+tag@sub.example.com', "o'brien@example.com"],
  bad: ['', 'a', 'a@', '@b.example', 'a b@c.example', 'a@b@c.example', 'a@b..example', 1, null],
};
const countries = {
  good: ['US', 'DE', 'XK', 'AP', 'O1'],
  bad: ['', 'us', 'USA', 'ZZ', 'Germany', ' US', 1, null],
};
const domains = {
  good: ['', 'example.com', 'a.b.example.co.uk'],
  bad: ['http://a.example', 'a b.example', 1, null],
};
const days = {
  good: ['', '2027-01-31', '2028-02-29'],
  bad: ['2027-02-29', '2027-13-01', '2027-1-1', '31.01.2027', '2027-01-31T00:00:00Z', 'today', 1, null],
};
const vendorIds = { good: [755, 65_535, 0], bad: [-1, 65_536, 1.5, '755', null] };
const consentModes = { good: [1, 2, 0], bad: [-1, 3, '1', null] };
const username64 = '!'.repeat(64);

const rows: readonly Row[] = [
  { name: 'Publisher', field: 'Mail', ...mails },
  { name: 'Advertiser', field: 'Mail', ...mails },
  { name: 'Publisher', field: 'Country', ...countries },
  { name: 'Advertiser', field: 'Country', ...countries },
  { name: 'Publisher', field: 'Name', good: ['A', '"A" & B'], bad: ['', 1, null] },
  {
    name: 'Publisher',
    field: 'Username',
    good: ['a', 'MiXed.Case', '~!@#$%^&*()[]{}<>/?', username64],
    bad: ['', 'with space', 'tab\t', 'ünï', `${username64}!`, 'new\nline', 1, null],
  },
  {
    name: 'Advertiser',
    field: 'Username',
    good: ['a', '~!@#$%^&*()[]{}<>/?', username64],
    bad: ['', 'Upper', 'uppeR', 'with space', 'ünï', `${username64}!`, 1, null],
  },
  ...(['Advertiser', 'DspVastTag', 'DspRtbEp', 'DspPopFeed'] as const).map((name) => ({
    name,
    field: 'GvlId',
    ...vendorIds,
  })),
  ...(
    [
      ...(['VastTag', 'RtbEp', 'BannerEp', 'PopFeed'] as const),
      ...(['Campaign', 'DspVastTag', 'DspRtbEp', 'DspPopFeed'] as const),
    ] as const
  ).map((name) => ({
    name,
    field: 'Currency',
    good: ['', 'USD', 'EUR', 'JPY'],
    bad: ['eur', 'EURO', 'XAU', 'ZZZ', 1, null],
  })),
  ...(['VastTag', 'RtbEp', 'BannerEp', 'PopFeed'] as const).map((name) => ({
    name,
    field: 'ConsentMode',
    ...consentModes,
  })),
  { name: 'Publisher', field: 'PlatformDomain', ...domains },
  { name: 'Publisher', field: 'SellersJsonDomain', ...domains },
  {
    name: 'Publisher',
    field: 'MsgApp',
    good: ['', 'Teams', 'Telegram', 'WhatsApp', 'Signal'],
    bad: [1, null],
  },
  { name: 'VastTag', field: 'SiteDomain', good: domains.good, bad: [1, null, {}] },
  { name: 'BannerEp', field: 'SiteDomain', good: domains.good, bad: [1, null, {}] },
  { name: 'Campaign', field: 'AdDomain', good: domains.good, bad: [1, null, {}] },
  { name: 'Campaign', field: 'StartDate', ...days },
  { name: 'Campaign', field: 'EndDate', ...days },
  { name: 'Campaign', field: 'TimeZone', good: ['', 'Europe/Berlin'], bad: ['Berlin', '+02:00', 1, null] },
  { name: 'DspPopFeed', field: 'Hours', good: ['', '01'.repeat(84)], bad: ['1', '2'.repeat(168), 1, null] },
  { name: 'Campaign', field: 'Mime', good: ['', 'video/mp4'], bad: ['video', 'video/', 1, null] },
  { name: 'Campaign', field: 'IabCategory', good: ['', 'IAB1', 'IAB7-39'], bad: ['IAB99', 'iab1', 1, null] },
  {
    name: 'DspRtbEp',
    field: 'CustomParams',
    good: [{}, { 'imp.tagid': 'a' }, { tmax: '100', 'ext.a.b': '' }, { [`ext.${'x'.repeat(251)}`]: 'a' }],
    bad: [
      { 'imp.tagid': 1 },
      { 'imp.tagid': null },
      { '': 'a' },
      { 'a..b': 'c' },
      [],
      'a',
      null,
      { [`ext.${'x'.repeat(252)}`]: 'a' },
      Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`ext.x${index}`, ''])),
    ],
  },
  {
    name: 'VastTag',
    field: 'Os',
    good: [
      [{ Family: 'Android' }, { Family: 'iOS', Versions: [{ Major: '17', Minor: '4' }] }],
      [{ Family: 'Windows', Versions: [{ Major: '', Minor: '' }] }],
    ],
    bad: [
      [{ Family: 'android' }],
      [{ Family: 'Chrome' }],
      [{ Family: 'iOS', Versions: {} }],
      [{ Family: 'iOS', Versions: [{ Major: 17, Minor: '' }] }],
      [{ Family: 'iOS', Versions: [{ Major: 'x', Minor: '' }] }],
      [{ Family: 'iOS', Versions: [{ Major: '1', Minor: '-1' }] }],
    ],
  },
  {
    name: 'VastTag',
    field: 'Browsers',
    good: [[{ Family: 'Chrome' }, { Family: 'Firefox', Versions: [{ Major: '120', Minor: '0' }] }]],
    bad: [[{ Family: 'chrome' }], [{ Family: 'Android' }], [{ Family: 'Chrome', Versions: ['1'] }]],
  },
  ...reportRules,
  ...alertRules,
  ...dealRules,
];

suite('fields with a rule of their own', () => {
  for (const { name, field, good, bad } of rows) {
    const { wrapper } = resources[name];
    test(`${name}.${field}`, async () => {
      const { Id } = await api.add(name);
      for (const value of good) {
        assert.deepEqual((await api.update(name, { Id, [field]: value }))[field], value);
      }
      for (const value of bad) {
        const reply = await send(name, { Id, [field]: value });
        assertRefused(reply, { status: 406, says: [`${wrapper}.${field}`] });
      }
      assert.deepEqual((await api.one(name, Id))[field], good.at(-1));
    });
  }
  test('a campaign ends no earlier than it starts', async () => {
    const { Id } = await api.add('Campaign', { StartDate: '2027-01-02', EndDate: '2027-01-02' });
    const paths = ['Campaign.EndDate'];
    assertRefused(await send('Campaign', { Id, EndDate: '2027-01-01' }), { status: 406, paths });
    await api.update('Campaign', { Id, StartDate: '', EndDate: '2027-01-01' });
  });
});

const privacyMacros = ['gdpr', 'gdpr_consent', 'us_privacy', 'gpp', 'gpp_sid', 'coppa', 'lmt', 'gpc'];
const zoneMacros = [
  'width',
  'height',
  'cb',
  'ua',
  'ip',
  'app_name',
  'app_bundle',
  'device_model',
  'device_make',
  'app_store_url',
  'country',
  'lat',
  'lon',
  ...privacyMacros,
];
const feedMacros = ['ip', 'ua', 'url', 'query', 'subid', 'uid', 'country', 'lang', 'cb', ...privacyMacros];
const regional = (prefix: string) => ['UsEast', 'Eu', 'Apac'].map((region) => prefix + region);

/** Which macros a URL takes, and one that it does not although others do. */
const urls: readonly (readonly [
  ResourceName,
  fields: readonly string[],
  macros: readonly string[],
  not: string,
])[] = [
  ['DspVastTag', regional('ZoneUrl'), zoneMacros, 'query'],
  ['DspRtbEp', regional('ZoneUrl'), [], 'ip'],
  ['DspPopFeed', regional('FeedUrl'), feedMacros, 'width'],
  ['DspVastTag', ['StatsApi', 'StatsDashboardUrl'], [], 'ip'],
  ['VastTag', ['AppStoreUrl'], [], 'ip'],
  ['PopFeed', ['FallbackUrl'], [], 'ip'],
];

suite('macros in URLs', () => {
  for (const [name, fields, macros, not] of urls) {
    for (const field of fields) {
      test(`${name}.${field} takes ${macros.join() || 'none'}`, async () => {
        const { Id } = await api.add(name);
        const query = macros.map((macro) => `${macro}={${macro}}`).join('&');
        const url = `https://dsp.example/path?${query}`;
        assert.equal((await api.update(name, { Id, [field]: url }))[field], url);
        for (const macro of [not, 'nonsense', 'IP', ' ip', '']) {
          const value = `https://dsp.example/?a={${macro}}`;
          const paths = [`${resources[name].wrapper}.${field}`];
          assertRefused(await send(name, { Id, [field]: value }), {
            status: 406,
            paths,
          });
        }
        assert.equal((await api.one(name, Id))[field], url);
      });
    }
  }
});

suite('money and percentages', () => {
  const sent: readonly (readonly [unknown: number, stored: number])[] = [
    [0.1234564, 0.123456],
    [0.1234567, 0.123457],
    [1.0000001, 1],
    [0.0000001, 0],
    [999_999.1234567, 999_999.123457],
    [0.1 + 0.2, 0.3],
    [1.005, 1.005],
  ];
  for (const [value, stored] of sent) {
    test(`${value} is kept as ${stored}`, async () => {
      const added = await api.add('VastTag', { Bidfloor: value, SpentDailyLimit: value });
      assert.deepEqual([added.Bidfloor, added.SpentDailyLimit], [stored, stored]);
      assert.equal((await api.one('VastTag', added.Id)).Bidfloor, stored);
    });
  }
  test('numbers beyond all bounds are 406', async () => {
    const { Id } = await api.add('VastTag');
    for (const number of ['1e400', '-1e400', '1e308']) {
      const body = `{"VastTag":{"Id":${Id},"Bidfloor":${number}}}`;
      const reply = await api.send('/api/ortb/vasttag/update', { method: 'POST', body });
      assertRefused(reply, { status: 406, paths: ['VastTag.Bidfloor'] });
    }
  });
});

suite('countries', () => {
  test('names come back beside the codes, in the order sent; a name that is sent is ignored', async () => {
    const sent = [{ CC: 'XK' }, { CC: 'DE', Country: 'Nowhere' }, { CC: 'A1' }];
    const { Id, Countries } = await api.add('PopFeed', { Countries: sent });
    const known = (await api.get('/api/info/countries')).body as unknown as { CC: string; Country: string }[];
    const expected = ['XK', 'DE', 'A1'].map((CC) => known.find((country) => country.CC === CC));
    assert.deepEqual(Countries, expected);
    assert.deepEqual((await api.one('PopFeed', Id)).Countries, expected);
  });
});

suite('families and versions (specification 2.4)', () => {
  const any = { Major: '', Minor: '' };
  const rows: readonly (readonly [sent: readonly object[], shown: readonly object[]])[] = [
    [[{ Major: '14' }], [{ Major: '14', Minor: '' }]],
    [
      [{ Minor: '1' }, {}],
      [{ Major: '', Minor: '1' }, any],
    ],
    [[any], [any]],
  ];
  for (const [field, Family] of [
    ['Os', 'Android'],
    ['Browsers', 'Chrome'],
  ] as const) {
    test(`${field}: a version comes back with both its members, no versions without theirs`, async () => {
      for (const [sent, shown] of rows) {
        const tag = await api.add('VastTag', { [field]: [{ Family, Versions: sent }] });
        assert.deepEqual(tag[field], [{ Family, Versions: shown }]);
      }
      const tag = await api.add('VastTag', { [field]: [{ Family, Versions: [] }, { Family }] });
      assert.deepEqual(tag[field], [{ Family }, { Family }]);
    });
  }
});

suite('owners', () => {
  for (const name of resourceNames) {
    const { owner, wrapper } = resourceOf(name);
    if (!owner) continue;
    const field = `${owner}Id`;
    test(`${name} belongs to a ${owner} that is there, and may be given to another`, async () => {
      const object = await api.add(name);
      const paths = [`${wrapper}.${field}`];
      for (const value of [0, -1, 1.5, '1', null, [], 999_999]) {
        const changed = await send(name, { Id: object.Id, [field]: value });
        assertRefused(changed, { status: 406, paths });
        assertRefused(await send(name, { [field]: value }, 'add'), { status: 406, paths });
      }
      const other = await api.add(owner, { Name: 'Other', AccManagerId: colleague.id });
      const given = await api.update(name, { Id: object.Id, [field]: other.Id });
      const shown = [given[field], given[`${owner}Name`], given.AccManagerId];
      assert.deepEqual(shown, [other.Id, 'Other', colleague.id]);
    });
  }
});

suite('usernames', () => {
  for (const name of ['Publisher', 'Advertiser'] as const) {
    const paths = [`${name}.Username`];
    test(`${name}: no two in the installation, of any team`, async () => {
      const Username = freshUsername();
      const { Id } = await api.add(name, { Username });
      const values = { Mail: 'a@b.example', Name: 'A', Country: 'US', Username };
      assertRefused(await send(name, values, 'add'), { status: 406, paths });
      const theirs = await elsewhere.post(`/api/${resources[name].path}/add`, { [name]: values });
      assertRefused(theirs, { status: 406, paths, never: [`"TeamId"`, `${name} ${Id}`] });
      const other = await api.add(name);
      assertRefused(await send(name, { Id: other.Id, Username }), { status: 406, paths });
      assert.equal((await api.update(name, { Id, Username })).Username, Username, 'it keeps its own');
      await api.update(name, { Id, Username: freshUsername() });
      assert.equal((await api.update(name, { Id: other.Id, Username })).Username, Username, 'free again');
    });
    test(`${name}: two adds at once with one name: one is made`, async () => {
      const values = { Mail: 'a@b.example', Name: 'A', Country: 'US', Username: freshUsername() };
      const replies = await Promise.all([1, 2, 3, 4].map(() => send(name, values, 'add')));
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 406, 406, 406]);
    });
  }
  test('a publisher and an advertiser may share one', async () => {
    const Username = freshUsername();
    await api.add('Publisher', { Username });
    assert.equal((await api.add('Advertiser', { Username })).Username, Username);
  });
});

suite('AccManagerId', () => {
  for (const [name, owned, field] of [
    ['Publisher', 'RtbEp', 'PublisherId'],
    ['Advertiser', 'DspPopFeed', 'AdvertiserId'],
  ] as const) {
    test(`${name}: who created it, or who is named; what it owns shows the same`, async () => {
      const me = (await api.get('/api/auth/account')).body.Id;
      const account = await api.add(name);
      assert.equal(account.AccManagerId, me);
      const theirs = await api.as(colleague.token).add(name);
      assert.equal(theirs.AccManagerId, colleague.id);
      const named = await api.add(name, { AccManagerId: colleague.id });
      assert.equal(named.AccManagerId, colleague.id);
      assert.equal(named.AccManagerName, theirs.AccManagerName);
      const below = await api.add(owned, { [field]: account.Id, AccManagerId: colleague.id });
      assert.equal(below.AccManagerId, me, 'its own is not sent');
      await api.update(name, { Id: account.Id, AccManagerId: colleague.id });
      const after = await api.one(owned, below.Id);
      assert.deepEqual([after.AccManagerId, after.AccManagerName], [colleague.id, named.AccManagerName]);
      const managed = await api.all(owned, `?${field}=${account.Id}&AccManagerId=${colleague.id}`);
      assert.deepEqual(
        managed.map(({ Id }) => Id),
        [below.Id],
      );
      await api.as(colleague.token).update(name, { Id: account.Id, City: 'Rome' });
      assert.equal(
        (await api.one(name, account.Id)).AccManagerId,
        colleague.id,
        'an update names nobody anew',
      );
    });
    test(`${name}: 0 is nobody, and is sent back as it came`, async () => {
      const me = (await api.get('/api/auth/account')).body.Id;
      const { Id, ...account } = await api.add(name, { AccManagerId: 0 });
      assert.equal(account.AccManagerId, me, 'as if omitted');
      const cleared = await api.update(name, { Id, AccManagerId: 0 });
      const below = await api.add(owned, { [field]: Id });
      for (const one of [cleared, await api.one(name, Id), below])
        assert.deepEqual([one.AccManagerId, one.AccManagerName], [0, '']);
      const fetched = await api.one(name, Id);
      assert.deepEqual(await api.update(name, fetched), fetched);
      const { body } = await api.get(`/api/history/get?Entity=${name}&Id=${Id}`);
      const changes = (body as unknown as readonly Values[]).map(({ Changes }) => Changes);
      assert.deepEqual(changes.slice(1), [[{ Field: 'AccManagerId', Old: me, New: 0 }]]);
      assert.equal((await api.update(name, { Id, AccManagerId: me })).AccManagerId, me);
    });
    test(`${name}: nobody of another team, or of none`, async () => {
      const { Id } = await api.add(name);
      for (const AccManagerId of [outsider.id, 999_999, -1, '1', null]) {
        const paths = [`${name}.AccManagerId`];
        assertRefused(await send(name, { Id, AccManagerId }), { status: 406, paths });
      }
    });
  }
});
