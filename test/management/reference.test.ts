import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { specifiedTitles } from '../reference/specified-titles.ts';
import { startApi, type Values } from './api.ts';
import { assertRefused } from './refusals.ts';
import { addUser } from './users.ts';

const regions = [
  { name: 'us-east', url: 'https://us-east.exchange.example' },
  { name: 'apac', url: 'https://apac.exchange.example' },
];
const { server, api } = await startApi({ regions });
const analyst = api.as((await addUser(server, { role: 2 })).token);

async function list(name: string): Promise<readonly Values[]> {
  const reply = await api.get(`/api/info/${name}`);
  assert.equal(reply.status, 200, reply.text);
  assert.ok(Array.isArray(reply.body), 'a bare array');
  return reply.body as unknown as Values[];
}

const names = [
  'countries',
  'iabcategories',
  'os',
  'browsers',
  'devicetypes',
  'adpositions',
  'linearities',
  'placements',
  'creativeattributes',
  'regions',
  'roles',
];

suite('every list', () => {
  for (const name of names) {
    test(`${name} is an array of objects with one shape, no entry twice`, async () => {
      const entries = await list(name);
      assert.ok(entries.length > 0);
      const shapes = new Set(entries.map((entry) => Object.keys(entry).join()));
      assert.equal(shapes.size, 1);
      assert.equal(
        new Set(entries.map((entry) => JSON.stringify(Object.values(entry)[0]))).size,
        entries.length,
      );
    });
    test(`${name} is for every role, of any team, and for nobody without a token`, async () => {
      const reply = await analyst.get(`/api/info/${name}`);
      assert.deepEqual(reply.body, await list(name));
      assertRefused(await api.as('').get(`/api/info/${name}`), { status: 401 });
    });
  }
});

suite('countries', () => {
  const outside = ['AN', 'AP', 'EU', 'FX', 'XK', 'A1', 'A2', 'O1'];
  test('the 249 of ISO 3166-1, and those of old IP databases', async () => {
    const entries = await list('countries');
    assert.equal(entries.length, 249 + outside.length);
    for (const { CC, Country } of entries) {
      assert.match(String(CC), /^[A-Z][A-Z0-9]$/);
      assert.ok(typeof Country === 'string' && Country !== '');
    }
    const codes = entries.map(({ CC }) => CC);
    for (const CC of [...outside, 'US', 'DE', 'GB', 'SS', 'CW', 'BQ', 'SX', 'AX'])
      assert.ok(codes.includes(CC), CC);
    for (const CC of ['UK', 'SU', 'YU', 'ZZ', 'CS']) assert.ok(!codes.includes(CC), CC);
  });
  test('each is taken by Countries and Country', async () => {
    const codes = (await list('countries')).map(({ CC }) => ({ CC }));
    const { Countries } = await api.add('PopFeed', { Countries: codes });
    assert.deepEqual(Countries, await list('countries'));
  });
});

suite('IAB categories', () => {
  test('26 of tier one, 366 of tier two, titled as the specification has them', async () => {
    const entries = await list('iabcategories');
    assert.deepEqual(
      entries.slice(0, 20).map(({ Title }) => Title),
      specifiedTitles,
    );
    assert.deepEqual(
      entries.map(({ Name }) => Name),
      Array.from({ length: 26 }, (_, index) => `IAB${index + 1}`),
    );
    const below = entries.flatMap(({ Name, Subcategories }) =>
      (Subcategories as Values[]).map((category) => ({ parent: Name, ...category })),
    ) as { parent: string; Name: string; Title: string }[];
    assert.equal(below.length, 366);
    for (const { parent, Name, Title, ...rest } of below) {
      assert.match(Name, new RegExp(`^${parent}-[1-9]\\d*$`));
      assert.deepEqual([Title === '', rest], [false, {}]);
    }
    assert.equal(new Set(below.map(({ Name }) => Name)).size, 366);
  });
  test('each is taken by IabCategories', async () => {
    const entries = await list('iabcategories');
    const all = entries.flatMap(({ Name, Subcategories }) => [
      Name,
      ...(Subcategories as Values[]).map((c) => c.Name),
    ]);
    const { IabCategories } = await api.add('VastTag', { IabCategories: all, BlockedAdIabCategories: all });
    assert.deepEqual(IabCategories, all);
  });
});

const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Lists of codes, as reference, "Values", has them. */
const codes: Readonly<Record<string, readonly number[]>> = {
  devicetypes: upTo(1, 8),
  adpositions: upTo(0, 17),
  linearities: upTo(0, 2),
  placements: upTo(0, 5),
  creativeattributes: upTo(1, 23),
  roles: upTo(0, 3),
};

suite('lists of codes', () => {
  for (const [name, expected] of Object.entries(codes)) {
    test(`${name}: ${expected.at(0)} to ${expected.at(-1)}, each with a name`, async () => {
      const entries = await list(name);
      assert.deepEqual(
        entries.map(({ Id }) => Id),
        expected,
      );
      for (const { Name } of entries) assert.ok(typeof Name === 'string' && Name !== '');
    });
  }
  test('roles are administrator, manager, analyst, partner', async () => {
    const roles = (await list('roles')).map(({ Name }) => String(Name).toLowerCase());
    assert.deepEqual(roles, ['administrator', 'manager', 'analyst', 'partner']);
  });
});

suite('families of operating systems and browsers', () => {
  for (const [name, field, known] of [
    ['os', 'Os', ['Android', 'iOS', 'Windows', 'macOS', 'Linux']],
    ['browsers', 'Browsers', ['Chrome', 'Firefox', 'Safari', 'Microsoft Edge', 'Opera']],
  ] as const) {
    test(`${name}: the usual ones are there, and each is taken by ${field}`, async () => {
      const families = (await list(name)).map(({ Family }) => ({ Family }));
      for (const Family of known)
        assert.ok(
          families.some((entry) => entry.Family === Family),
          Family,
        );
      const stored = await api.add('VastTag', { [field]: families });
      assert.deepEqual(stored[field], families);
    });
  }
});

test('regions are those of the installation, as in ZoneUrls', async () => {
  const { ZoneUrls } = await api.add('RtbEp');
  const shown = (ZoneUrls as Values[]).map(({ Region }) => Region);
  assert.deepEqual(shown, ['us-east', 'apac']);
  const listed = (await list('regions')).map((entry) => JSON.stringify(entry));
  assert.equal(listed.length, regions.length);
  for (const [index, { name }] of regions.entries()) assert.ok(listed[index]?.includes(`"${name}"`));
});

suite('integrations', () => {
  const ask = async (query: string) => {
    const own = api.as((await addUser(server, { role: 2, teamId: 1 })).token);
    return own.get(`/api/integrations/get${query}`);
  };

  test('have code for each region, with the credential there', async () => {
    const { Id, ZoneUrls } = await api.add('RtbEp', { VideoEnabled: 1 });
    const { status, body, text } = await ask(`?RtbEp=${Id}`);
    assert.equal(status, 200, text);
    const rows = body as unknown as readonly (Values & { readonly Codes: readonly Values[] })[];
    const of = (name: string) => rows.find(({ Name }) => Name === name);
    assert.deepEqual(
      of('openRtb')?.Codes.map(({ Region, Code }) => [Region, /'(http[^']*)'/.exec(String(Code))?.[1]]),
      (ZoneUrls as readonly Values[]).map(({ Region, ZoneUrl }) => [Region, ZoneUrl]),
    );
    assert.ok(of('prebidVideoCreative'));
    assert.equal(of('storedImp')?.FileName, `${Id}.json`);
  });

  test('are of one object, which the query names', async () => {
    const { Id } = await api.add('RtbEp', {});
    for (const query of ['', '?RtbEp=0'])
      assertRefused(await ask(query), { status: 406, paths: [''], says: ['`RtbEp`', '`VastTag`'] });
    const both = await ask(`?RtbEp=${Id}&VastTag=1&PopFeed=1`);
    assertRefused(both, { status: 406, paths: ['RtbEp', 'PopFeed'], says: ['one object at a time'] });
    assertRefused(await ask(`?RtbEp=${Id + 99}`), { status: 406, paths: ['RtbEp'], says: ['not found'] });
    assertRefused(await ask('?DspRtbEp=1'), { status: 406, paths: ['DspRtbEp'], says: ['BannerEp'] });
    const other = api.as((await addUser(server, { role: 0, teamId: 2 })).token);
    assertRefused(await other.get(`/api/integrations/get?RtbEp=${Id}`), { status: 406, paths: ['RtbEp'] });
  });
});
