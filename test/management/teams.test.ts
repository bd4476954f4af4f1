import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Api, type Fetched, posted, type Reply, startApi, type Values } from './api.ts';
import { makeWorld } from './full-values.ts';
import { assertRefused } from './refusals.ts';
import { type ResourceName, resourceNames, resourceOf, resources } from './resources.ts';
import { settled } from './settled.ts';
import { type AddedUser, addUsers } from './users.ts';

const { server, api } = await startApi();
const added = await addUsers(server, [
  { role: 1, teamId: 1 },
  { role: 1, teamId: 1 },
  { role: 2, teamId: 1 },
  { role: 0, teamId: 1 },
  { role: 0 },
]);
const [manager, secondManager, analyst, secondAdministrator, outsider] = added as readonly AddedUser[] as [
  AddedUser,
  AddedUser,
  AddedUser,
  AddedUser,
  AddedUser,
];
const theirs = api.as(outsider.token);
const marker = 'Confidential-7f3a';

const callers: Readonly<Record<string, { caller: Api; mayWrite: boolean }>> = {
  administrator: { caller: api, mayWrite: true },
  'second administrator': { caller: api.as(secondAdministrator.token), mayWrite: true },
  manager: { caller: api.as(manager.token), mayWrite: true },
  analyst: { caller: api.as(analyst.token), mayWrite: false },
};

const send = (caller: Api, name: ResourceName, operation: string, values: Values): Promise<Reply> =>
  caller.post(`/api/${resources[name].path}/${operation}`, { [resources[name].wrapper]: values });

suite('A5 roles', () => {
  for (const [role, { caller, mayWrite }] of Object.entries(callers)) {
    test(`${role}: every GET of every resource`, async () => {
      for (const name of resourceNames) {
        const { Id } = await api.add(name);
        assert.deepEqual(await caller.one(name, Id), await api.one(name, Id));
        assert.deepEqual(await caller.all(name), await api.all(name));
      }
      assert.equal((await caller.get('/api/auth/account')).status, 200);
      assert.equal((await caller.get('/api/auth/apikey/get')).status, 200);
    });
    for (const name of resourceNames) {
      test(`${role}: ${mayWrite ? 'every' : 'no'} POST of ${name}`, async () => {
        const { wrapper } = resources[name];
        const object = await api.add(name);
        const before = await api.all(name);
        for (const operation of ['deactivate', 'activate', 'update']) {
          const reply = await send(caller, name, operation, { Id: object.Id });
          if (mayWrite) assert.deepEqual(posted(reply, wrapper).Id, object.Id);
          else assertRefused(reply, { status: 403 });
        }
        if (mayWrite) return void (await caller.add(name));
        assertRefused(await send(caller, name, 'add', object), { status: 403 });
        assert.deepEqual(await api.all(name), before, 'nothing has changed');
      });
    }
  }
});

suite('revisions of the exchange', () => {
  const revisionOf = (reply: Reply) => Number(/\d+/.exec(reply.headers.get('etag') ?? '')?.[0]);
  const addTag = async (caller: Api) => {
    const reply = await caller.post('/api/tag/add', { Tag: { Name: 'A' } });
    posted(reply, 'Tag');
    return { revision: revisionOf(reply) };
  };
  const status = async (caller: Api, revision = 0) =>
    caller.get(`/api/exchange/status${revision > 0 ? `?Revision=${revision}` : ''}`);

  test('what other teams change does not show', async () => {
    const { revision: own } = await addTag(api);
    const shown = (await status(api, own)).text;
    assert.deepEqual(JSON.parse(shown), { Status: 'Ok', Revision: own, Threads: [own] });
    const { revision: other } = await addTag(theirs);
    assert.ok(other > own);
    assert.equal((await status(theirs, other)).body.Revision, other, 'the server serves it');
    assert.equal((await status(api)).text, shown);
    for (const revision of [own + 1, other, other + 1, 2 ** 31 - 1]) {
      const reply = await status(api, revision);
      assertRefused(reply, { status: 406, paths: ['Revision'], says: [`the last one is ${own}`] });
    }
    const { revision: next } = await addTag(api);
    assert.equal((await status(api, next)).body.Revision, next);
  });
});

suite('A5 keys', () => {
  const addKey = async (caller: Api, Label: string) =>
    posted(await caller.post('/api/auth/apikey/add', { ApiKey: { Label } }), 'ApiKey');
  const revoke = (caller: Api, Id: number) => caller.post('/api/auth/apikey/revoke', { ApiKey: { Id } });
  const keysOf = async (caller: Api) =>
    (await caller.get('/api/auth/apikey/get')).body as unknown as Fetched[];
  const [first, second] = [api.as(manager.token), api.as(secondManager.token)];

  test('a manager handles their own, and neither sees nor revokes those of others', async () => {
    const own = await addKey(first, 'own');
    const other = await addKey(second, 'other');
    const seen = (await keysOf(first)).map(({ Id }) => Id);
    assert.ok(seen.includes(own.Id) && !seen.includes(other.Id));
    assertRefused(await revoke(first, other.Id), { status: 406, paths: ['ApiKey.Id'] });
    assert.equal((await api.as(String(other.Key)).get('/api/tag/get')).status, 200, 'it still works');
    posted(await revoke(first, own.Id), 'ApiKey');
    assertRefused(await api.as(String(own.Key)).get('/api/tag/get'), { status: 401 });
  });
  test('an administrator sees and revokes all of the team', async () => {
    const key = await addKey(first, 'theirs');
    const seen = await keysOf(api);
    assert.ok(seen.some(({ Id }) => Id === key.Id));
    assert.ok(!JSON.stringify(seen).includes(String(key.Key)), 'keys are shown once');
    posted(await revoke(api, key.Id), 'ApiKey');
    assertRefused(await api.as(String(key.Key)).get('/api/tag/get'), { status: 401 });
  });
  test('a key has the role and the team of its user', async () => {
    const { Key } = await addKey(first, 'machine');
    const tag = await api.as(String(Key)).add('Tag');
    assert.equal(tag.TeamId, 1);
    assertRefused(await theirs.get(`/api/tag/get?Id=${tag.Id}`), { status: 406 });
  });
  test('an analyst adds and revokes none', async () => {
    const reader = api.as(analyst.token);
    assertRefused(await reader.post('/api/auth/apikey/add', { ApiKey: { Label: 'a' } }), { status: 403 });
    assertRefused(await revoke(reader, 1), { status: 403 });
  });
  test("another team's key is as one that does not exist", async () => {
    const { Id, Key } = await addKey(theirs, marker);
    assert.ok(!JSON.stringify(await keysOf(api)).includes(marker));
    const [of, without] = [await revoke(api, Id), await revoke(api, 999_999)];
    assertRefused(of, { status: 406, never: [marker] });
    assert.equal(of.text.replaceAll(`key ${Id}`, 'key ID'), without.text.replaceAll('key 999999', 'key ID'));
    assert.equal((await api.as(String(Key)).get('/api/tag/get')).status, 200);
  });
});

/** Objects of the other team, of every resource, all under one name and all connected; Ids that ours never reach. */
async function makeTheirWorld(): Promise<Readonly<Record<ResourceName, number>>> {
  const twenty = Array.from({ length: 20 });
  await Promise.all(resourceNames.flatMap((name) => twenty.map(() => theirs.add(name))));
  const world = await makeWorld(theirs, resourceNames);
  for (const name of resourceNames) {
    const tags = 'Tags' in (await theirs.one(name, world[name])) ? { Tags: [world.Tag] } : {};
    await theirs.update(name, { Id: world[name], Name: marker, ...tags });
  }
  const { DspVastTag, DspRtbEp, Campaign, DomainList, VastTag } = world;
  await theirs.update('VastTag', {
    Id: VastTag,
    DspVastTags: [DspVastTag],
    DspRtbEps: [DspRtbEp],
    Campaigns: [Campaign],
    DomainsBrandsList: [DomainList],
  });
  return world;
}

/** Every field that names objects by ID, in an array or alone. */
const naming: readonly (readonly [ResourceName, field: string, to: ResourceName | 'User'])[] = [
  ...(['VastTag', 'RtbEp', 'PopFeed', 'BannerEp'] as const).flatMap((name) => [
    [name, 'PublisherId', 'Publisher'] as const,
    [name, 'Campaigns', 'Campaign'] as const,
  ]),
  ...(['DspVastTag', 'DspRtbEp', 'DspPopFeed', 'Campaign'] as const).flatMap((name) => [
    [name, 'AdvertiserId', 'Advertiser'] as const,
    [name, 'RtbEps', 'RtbEp'] as const,
  ]),
  ...(
    ['VastTag', 'DspVastTag', 'RtbEp', 'DspRtbEp', 'PopFeed', 'DspPopFeed', 'Campaign', 'BannerEp'] as const
  ).flatMap((name) => [
    [name, 'Tags', 'Tag'] as const,
    [name, 'DomainsBrandsList', 'DomainList'] as const,
    [name, 'IpBlacklists', 'IpList'] as const,
  ]),
  ['VastTag', 'AppsList', 'AppList'],
  ['VastTag', 'DspVastTags', 'DspVastTag'],
  ['VastTag', 'DspRtbEps', 'DspRtbEp'],
  ['RtbEp', 'DspPopFeeds', 'DspPopFeed'],
  ['DspPopFeed', 'PopFeeds', 'PopFeed'],
  ['DspVastTag', 'VastTags', 'VastTag'],
  ['Campaign', 'BannerEps', 'BannerEp'],
  ['PopFeed', 'KeywordBlacklists', 'KeywordList'],
  ['Publisher', 'AccManagerId', 'User'],
  ['Advertiser', 'AccManagerId', 'User'],
];

suite('A6 teams are closed to each other', async () => {
  const world = await makeTheirWorld();
  const idOf = (to: ResourceName | 'User') => (to === 'User' ? outsider.id : world[to]);

  for (const name of resourceNames) {
    const { path, wrapper, owner } = resourceOf(name);
    const id = world[name];

    test(`${name}: nothing of the other team in any array`, async () => {
      await api.add(name);
      const filters = ['ActiveOnly=1', `AfterId=${id - 1}`, ...(owner ? [`${owner}Id=${world[owner]}`] : [])];
      for (const query of ['', ...filters]) {
        const reply = await api.get(`/api/${path}/get?${query}`);
        assert.equal(reply.status, 200);
        assert.ok(!reply.text.includes(marker), query);
        for (const object of reply.body as unknown as Values[]) assert.equal(object.TeamId, 1);
      }
      if (owner) assert.deepEqual(await api.all(name, `?${owner}Id=${world[owner]}`), []);
      if (resources[name].managed) assert.deepEqual(await api.all(name, `?AccManagerId=${outsider.id}`), []);
    });
    test(`${name}: every operation on the other team's object is as on none`, async () => {
      const before = await theirs.one(name, id);
      const answers = async (Id: number) => [
        await api.get(`/api/${path}/get?Id=${Id}`),
        await send(api, name, 'activate', { Id }),
        await send(api, name, 'deactivate', { Id }),
        await send(api, name, 'update', { Id }),
        await send(api, name, 'update', { Id, Name: 'Stolen' }),
        await send(api, name, 'update', { ...before, Id, Username: 'stolen', AccManagerId: 1 }),
      ];
      const [of, without] = [await answers(id), await answers(999_999)];
      const withoutIds = (text: string) => text.replaceAll(new RegExp(`\\b(${id}|999999)\\b`, 'g'), 'ID');
      for (const [index, reply] of of.entries()) {
        assertRefused(reply, { status: 406, never: [marker] });
        assert.equal(withoutIds(reply.text), withoutIds(without[index]?.text ?? ''));
      }
      assert.deepEqual(settled(await theirs.one(name, id)), settled(before), 'it stays as it was');
      assert.equal(before.Name, marker, wrapper);
    });
  }

  for (const [name, field, to] of naming) {
    test(`${name}.${field} of the other team's ${to} is as of none`, async () => {
      const { wrapper } = resources[name];
      const { Id } = await api.add(name);
      const before = await api.one(name, Id);
      const isList = Array.isArray(before[field]);
      const refused = async (operation: string, values: Values, id: number) => {
        const reply = await send(api, name, operation, { ...values, [field]: isList ? [id] : id });
        const path = `${wrapper}.${field}${isList ? '[0]' : ''}`;
        assertRefused(reply, { status: 406, says: [path], never: [marker] });
        return reply.text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID');
      };
      const theirId = idOf(to);
      assert.equal(await refused('update', { Id }, theirId), await refused('update', { Id }, 888_888));
      assert.equal(await refused('add', {}, theirId), await refused('add', {}, 888_888));
      assert.deepEqual(await api.one(name, Id), before);
    });
  }

  test('counts count the own team only, and a name of theirs may be used', async () => {
    const { Id } = await api.add('Publisher', { Name: marker });
    await api.add('VastTag', { PublisherId: Id });
    await theirs.add('VastTag');
    assert.equal((await api.one('Publisher', Id)).VastTagsCount, 1);
    assert.equal((await theirs.one('Publisher', world.Publisher)).TeamId, outsider.teamId);
    await api.update('Publisher', { Id, Name: 'Renamed' });
  });

  test('what they see of us is as little', async () => {
    for (const name of resourceNames) {
      for (const { TeamId } of await theirs.all(name)) assert.equal(TeamId, outsider.teamId);
    }
    const { body } = await theirs.get('/api/auth/account');
    assert.deepEqual([body.TeamId, (body.Team as Values).Id], [outsider.teamId, outsider.teamId]);
  });
});
