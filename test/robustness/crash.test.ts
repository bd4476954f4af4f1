import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { entities } from '../../src/entities/registry.ts';
import { zoneUrl } from '../exchange/exchange-room.ts';
import { bidResponse, startMockDsp } from '../exchange/mock-dsp.ts';
import { changesIn, integrityOf, temporaryPath } from '../store/sqlite-engine.ts';
import { pause } from '../support/pause.ts';
import { randomStream, seed } from '../support/seed.ts';
import { type Api, added, type Json } from './api.ts';
import { type BourseProcess, startBourseProcess } from './bourse-process.ts';
import { addUntilGone, type Kept, type Stream } from './stream-of-adds.ts';

const rounds = 8;

/** Members that other objects' additions change: connections, counts of owned objects, and the owner's name. */
const movable = new Set(['VastTags', 'RtbEps', 'DspVastTags', 'VastTagsCount', 'DspVastTagsCount']);
const still = (object: Json) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !movable.has(name)));

/** The answers came from another port. */
const atAnyPort = (value: unknown) =>
  JSON.parse(JSON.stringify(value).replaceAll(/127\.0\.0\.1:\d+/g, 'host'));

async function assertWhole(api: Api, { path, object, lines }: Kept): Promise<void> {
  const { status, body } = await api.get(`/api/${path}/get?Id=${object.Id}`);
  assert.equal(status, 200, `${path} ${object.Id} was answered 200 and is gone`);
  const { ListText, ...rest } = body;
  assert.deepEqual(atAnyPort(still(rest)), atAnyPort(still(object)), `${path} ${object.Id} is another`);
  if (lines) assert.equal(ListText, lines.join('\n'));
}

/** Every list has as many lines as it counts, whether its add was answered or not. */
async function assertListsWhole(api: Api): Promise<void> {
  const all = JSON.parse((await api.get('/api/domainlist/get')).text) as (Json & {
    Id: number;
    DomainCount: number;
  })[];
  for (const { Id, DomainCount } of all.slice(-3)) {
    const { body } = await api.get(`/api/domainlist/get?Id=${Id}`);
    assert.equal(String(body.ListText).split('\n').length, DomainCount, `list ${Id} is half there`);
  }
}

/** Every connection is seen from both sides, whether it was answered or not. */
async function assertConnectionsWhole(api: Api): Promise<void> {
  const read = async (path: string, field: string) => {
    const objects = JSON.parse((await api.get(`/api/${path}/get`)).text) as (Json & { Id: number })[];
    return new Map(objects.map((object) => [object.Id, object[field] as number[]]));
  };
  const [left, right] = [
    await read('ortb/vasttag', 'DspVastTags'),
    await read('ortb/dspvasttag', 'VastTags'),
  ];
  for (const [id, others] of left) for (const other of others) assert.ok(right.get(other)?.includes(id));
  for (const [id, others] of right) for (const other of others) assert.ok(left.get(other)?.includes(id));
  // Each tag was added with the five DSP VAST Tags before it, in one request: all of them, or no tag.
  for (const [id, others] of left) assert.ok(others.length > 0, `VAST Tag ${id} lost its connections`);
}

/** Each object has its row in the change log and each row its object; no revision is missing. */
async function assertLogWhole(api: Api, databasePath: string): Promise<void> {
  assert.equal(integrityOf(databasePath), 'ok');
  const rows = changesIn(databasePath);
  assert.deepEqual(
    rows.map(({ revision }) => revision),
    rows.map((_, index) => index + 1),
  );
  for (const { key, path } of entities) {
    const objects = JSON.parse((await api.get(`/api/${path}/get`)).text) as { Id: number; Status: number }[];
    const logged = rows.filter(({ entity }) => entity === key);
    const added = logged.filter(({ operation }) => operation === 'add').map(({ entityId }) => entityId);
    assert.deepEqual(
      added,
      objects.map(({ Id }) => Id),
      `${key}: objects and the log of them differ`,
    );
    const off = new Set(
      logged.filter(({ operation }) => operation === 'deactivate').map(({ entityId }) => entityId),
    );
    for (const { Id, Status } of objects) assert.equal(Status, off.has(Id) ? 1 : 0, `${key} ${Id}`);
  }
}

/** Adds until the server is killed, some turns of the event loop after one of its answers. */
async function addAndKill(
  { api, process: victim, ended }: BourseProcess,
  stream: Stream,
  random: () => number,
) {
  const killAt = stream.answered + 5 + Math.floor(random() * 60);
  const turns = Math.floor(random() * 40);
  const kill = async () => {
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    victim.kill('SIGKILL');
  };
  let killing: Promise<void> | undefined;
  await addUntilGone(api, stream, () => {
    if (stream.answered >= killAt) killing ??= kill();
  });
  await killing;
  assert.equal((await ended).signal, 'SIGKILL');
}

/** A tag of which one DSP, with user sync, is asked; answers the DSP's code and the tag's address. */
async function addSynced(api: Api, dspUrl: string) {
  const account = { Mail: 'desk@example.com', Name: 'Synced', Country: 'US', Username: 'synced' };
  const { Id: AdvertiserId } = await added(api, 'advertiser', 'Advertiser', account);
  const { Id: PublisherId } = await added(api, 'publisher', 'Publisher', account);
  const sync = { SyncType: 1, SyncUrl: 'https://sync.example/match?to={redirect_url}$UID' };
  const dsp = { ...sync, AdvertiserId, VideoEnabled: 1, ZoneUrlUsEast: `${dspUrl}/rtb` };
  const { Id } = await added(api, 'ortb/dsprtbep', 'DspRtbEp', dsp);
  const tag = await added(api, 'ortb/vasttag', 'VastTag', { PublisherId, DspRtbEps: [Id], Tmax: 5000 });
  const { pathname, search } = new URL(zoneUrl(tag));
  return { code: `DspRtbEp-${Id}`, zone: pathname + search };
}

describe('kill -9', () => {
  const { path, remove } = temporaryPath();
  let server: BourseProcess | undefined;
  after(async () => {
    await server?.kill();
    remove();
  });

  test(`${rounds} times during a stream of adds: what was answered is there, whole, and nothing is half there (seed ${seed})`, async () => {
    const random = randomStream();
    const stream: Stream = { kept: new Map(), answered: 0, owners: 0 };
    let before = new Map<string, Kept>();
    for (let round = 0; round <= rounds; round += 1) {
      server = await startBourseProcess(path);
      const { api } = server;
      for (const [name, kept] of stream.kept) if (before.get(name) !== kept) await assertWhole(api, kept);
      await assertListsWhole(api);
      await assertConnectionsWhole(api);
      await assertLogWhole(api, path);
      before = new Map(stream.kept);
      if (round < rounds) await addAndKill(server, stream, random);
    }
    assert.ok(stream.answered > rounds * 5);
    for (const kept of stream.kept.values()) await assertWhole(server?.api ?? assert.fail(), kept);
  });

  test('matches of user sync are in the viewer’s cookies alone: none is lost', async (t) => {
    const dsp = await startMockDsp();
    t.after(() => dsp.close());
    dsp.answer('/rtb', (call) => bidResponse(call, { price: 5 }));
    server ??= await startBourseProcess(path);
    const victim = server;
    const { code, zone } = await addSynced(victim.api, dsp.url);
    const set = () => fetch(`${victim.url}/setuid?bidder=${code}&uid=id-of-dsp`);
    let answer = await set();
    for (; answer.status !== 200; answer = await set()) await pause();
    const cookies = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
    await victim.kill();

    server = await startBourseProcess(path);
    const headers = { cookie: cookies.join('; ') };
    assert.equal((await fetch(server.url + zone, { headers })).status, 200);
    const { user } = JSON.parse((await dsp.call('/rtb')).body) as { user?: { buyeruid?: string } };
    assert.equal(user?.buyeruid, 'id-of-dsp');
  });
});
