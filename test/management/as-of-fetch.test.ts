import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Api, type Fetched, posted, startApi, type Values } from './api.ts';
import { fullValues, makeWorld } from './full-values.ts';
import { assertRefused } from './refusals.ts';
import { type ResourceName, resourceNames, resources } from './resources.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();

/**
 * A time between what was done and what comes: every change before has an earlier or the same, all later a later one.
 */
async function now(): Promise<string> {
  const start = Date.now();
  while (Date.now() === start) await new Promise((resolve) => setImmediate(resolve));
  return new Date(start).toJSON();
}

const asOf = async (name: ResourceName, Id: number, time: string, caller: Api = api) => {
  const reply = await caller.get(`/api/${resources[name].path}/get?Id=${Id}&AsOf=${time}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body as Fetched;
};

async function setStatus(name: ResourceName, operation: string, Id: number): Promise<void> {
  const { path, wrapper } = resources[name];
  posted(await api.post(`/api/${path}/${operation}`, { [wrapper]: { Id } }), wrapper);
}

suite('AsOf shows an object as it was', () => {
  test('every resource, before and after it was changed throughout', async () => {
    const world = await makeWorld(api, resourceNames);
    const added = new Map<ResourceName, Values>();
    for (const name of resourceNames) added.set(name, await api.one(name, world[name]));
    const first = await now();
    for (const name of resourceNames) {
      const full = fullValues[name as keyof typeof fullValues]?.(world) ?? { Name: `${name} renamed` };
      // StatsApiHeaders hold credentials, which the history does not keep.
      const { Username: _, PublisherId: __, AdvertiserId: ___, StatsApiHeaders: ____, ...values } = full;
      await api.update(name, { Id: world[name], ...values });
      await setStatus(name, 'deactivate', world[name]);
    }
    const changed = new Map<ResourceName, Values>();
    for (const name of resourceNames) changed.set(name, await api.one(name, world[name]));
    const second = await now();
    for (const name of resourceNames) {
      await setStatus(name, 'activate', world[name]);
      await api.update(name, { Id: world[name], Name: 'a third' });
    }
    for (const name of resourceNames) {
      assert.deepEqual(await asOf(name, world[name], first), added.get(name), name);
      assert.deepEqual(await asOf(name, world[name], second), changed.get(name), name);
      assert.notDeepEqual(added.get(name), changed.get(name), name);
    }
  });

  test('connections in their order, from both sides', async () => {
    const [a, b] = [await api.add('VastTag'), await api.add('VastTag')];
    const demand = await api.add('DspVastTag', { VastTags: [b.Id, a.Id] });
    const third = await api.add('VastTag', { DspVastTags: [demand.Id] });
    const before = await now();
    await api.update('VastTag', { Id: b.Id, DspVastTags: [] });
    await api.update('DspVastTag', { Id: demand.Id, VastTags: [third.Id, b.Id] });
    await now();
    await api.update('VastTag', { Id: a.Id, DspVastTags: [demand.Id] });
    const then = await asOf('DspVastTag', demand.Id, before);
    assert.deepEqual(then.VastTags, [b.Id, a.Id, third.Id]);
    assert.deepEqual((await asOf('VastTag', b.Id, before)).DspVastTags, [demand.Id]);
    assert.deepEqual((await api.one('DspVastTag', demand.Id)).VastTags, [third.Id, b.Id, a.Id]);
  });

  test('the owner’s name, its manager and its counts', async () => {
    const { id: other } = await addUser(server, { role: 1, teamId: 1 });
    const first = await api.add('Advertiser', { Name: 'First' });
    const second = await api.add('Advertiser', { Name: 'Second' });
    const campaign = await api.add('Campaign', { AdvertiserId: first.Id });
    const then = [await api.one('Campaign', campaign.Id), await api.one('Advertiser', first.Id)];
    const time = await now();
    await api.update('Advertiser', { Id: first.Id, Name: 'First, renamed', AccManagerId: other });
    await api.update('Campaign', { Id: campaign.Id, AdvertiserId: second.Id });
    await api.add('Campaign', { AdvertiserId: second.Id });
    assert.equal((await api.one('Advertiser', first.Id)).CampaignsCount, 0);
    assert.deepEqual(await asOf('Campaign', campaign.Id, time), then[0]);
    assert.deepEqual(await asOf('Advertiser', first.Id, time), then[1]);
    assert.equal((await asOf('Advertiser', second.Id, time)).CampaignsCount, 0);
  });

  test("a list's text", async () => {
    const list = await api.add('IpList', { ListText: '192.0.2.1\n192.0.2.0/24' });
    const first = await now();
    await api.update('IpList', { Id: list.Id, ListText: '' });
    const second = await now();
    await api.update('IpList', { Id: list.Id, ListText: '192.0.2.9' });
    const texts = [first, second].map(async (time) => (await asOf('IpList', list.Id, time)).ListText);
    assert.deepEqual(await Promise.all(texts), ['192.0.2.1\n192.0.2.0/24', '']);
  });

  test('credentials and URLs as they are', async () => {
    const tag = await api.add('VastTag');
    const time = await now();
    const owner = await api.add('Publisher');
    await api.update('VastTag', { Id: tag.Id, PublisherId: owner.Id });
    const then = await asOf('VastTag', tag.Id, time);
    const is = await api.one('VastTag', tag.Id);
    for (const name of ['Auth', 'ZoneUrls', 'StatsByDateCsv']) assert.deepEqual(then[name], is[name], name);
    assert.equal(then.PublisherId, tag.PublisherId);
  });

  test('of a day: how it ended; of today: how it is', async () => {
    const tag = await api.add('Tag');
    const today = new Date().toJSON().slice(0, 10);
    assert.deepEqual(await asOf('Tag', tag.Id, today), await api.one('Tag', tag.Id));
  });

  test('with the ETag of its revision, by which nothing later is overwritten', async () => {
    const tag = await api.add('Tag');
    const time = await now();
    await api.update('Tag', { Id: tag.Id, Name: 'later' });
    const reply = await api.get(`/api/tag/get?Id=${tag.Id}&AsOf=${time}`);
    const etag = reply.headers.get('etag') ?? '';
    const body = JSON.stringify({ Tag: { Id: tag.Id, Name: 'over it' } });
    const update = await api.send('/api/tag/update', { method: 'POST', body, headers: { 'if-match': etag } });
    assertRefused(update, { status: 412 });
    const again = await api.send(`/api/tag/get?Id=${tag.Id}&AsOf=${time}`, {
      headers: { 'if-none-match': etag },
    });
    assert.equal(again.status, 304);
  });
});

suite('AsOf finds nothing', () => {
  const refused = async (query: string, expected: { paths: readonly string[]; says: readonly string[] }) =>
    assertRefused(await api.get(`/api/ortb/vasttag/get?${query}`), {
      status: 406,
      ...expected,
    });

  test('before the object was added', async () => {
    await api.add('Publisher');
    const time = await now();
    const { Id } = await api.add('VastTag');
    await refused(`Id=${Id}&AsOf=${time}`, {
      paths: ['Id'],
      says: [`VAST Tag ${Id} is not found at that time`],
    });
    await refused(`Id=${Id}&AsOf=1999-12-31`, { paths: ['Id'], says: ['not found'] });
  });

  test('in the future, by half a time, or without Id', async () => {
    const { Id } = await api.add('VastTag');
    const tomorrow = new Date(Date.now() + 86_400_000).toJSON();
    await refused(`Id=${Id}&AsOf=${tomorrow}`, { paths: ['AsOf'], says: ['future'] });
    await refused(`Id=${Id}&AsOf=${tomorrow.slice(0, 10)}`, { paths: ['AsOf'], says: ['future'] });
    await refused(`Id=${Id}&AsOf=${tomorrow.slice(0, 13)}`, { paths: ['AsOf'], says: ['a day like'] });
    await refused(`Id=${Id}&AsOf=`, { paths: ['AsOf'], says: ['must be'] });
    await refused(`AsOf=${new Date().toJSON()}`, { paths: ['Id'], says: ['required with AsOf'] });
    await refused(`Id=0&AsOf=${tomorrow}`, { paths: ['AsOf', 'Id'], says: ['future', 'required'] });
  });

  test("where it is another team's, or did not meet the other filters at that time", async () => {
    const { Id } = await api.add('VastTag');
    const { token } = await addUser(server, { role: 0 });
    const time = await now();
    const path = `/api/ortb/vasttag/get?Id=${Id}&AsOf=${time}`;
    assertRefused(await api.as(token).get(path), { status: 406, says: ['is not found at that time'] });
    await setStatus('VastTag', 'deactivate', Id);
    assert.equal((await api.get(`${path}&ActiveOnly=1`)).status, 200);
    const inactive = await now();
    await setStatus('VastTag', 'activate', Id);
    const then = `/api/ortb/vasttag/get?Id=${Id}&AsOf=${inactive}`;
    assertRefused(await api.get(`${then}&ActiveOnly=1`), { status: 406, says: ['not found'] });
    for (const filter of ['PublisherId=999999', 'AccManagerId=999999', `AfterId=${Id}`])
      assertRefused(await api.get(`${path}&${filter}`), { status: 406, says: ['not found'] });
    assert.equal((await api.get(`${path}&AfterId=${Id - 1}`)).status, 200);
  });
});
