import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, mock, test } from 'node:test';
import { entities } from '../../src/entities/registry.ts';
import { tokenOf } from '../support/server.ts';
import { ask } from './ask.ts';
import {
  type ExchangeRoom,
  openExchange,
  type Stored,
  todays,
  type Values,
  zoneUrl,
} from './exchange-room.ts';
import { directUrl } from './pop-room.ts';

const hourMs = 3_600_000;
let room: ExchangeRoom;

before(() => mock.timers.enable({ apis: ['Date'], now: Date.now() }));
after(() => mock.timers.reset());
// Each with a session of its own, as the clock ends sessions.
beforeEach(async () => {
  room = await openExchange();
});
afterEach(() => room.close());

async function post(
  path: string,
  body: object,
  token = room.server.token,
): Promise<Values & { readonly status: number }> {
  const response = await fetch(`${room.server.url}/api/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return { ...((await response.json()) as Values), status: response.status };
}

const secretsOf = (entity: (typeof entities)[number]) =>
  Object.entries(entity.fields).flatMap(([name, { place }]) => (place.kind === 'secret' ? [name] : []));

const added: Readonly<Record<string, Values>> = {
  publisher: { Name: 'P', Mail: 'p@example.com', Country: 'DE', Username: 'rotating-publisher' },
  advertiser: { Name: 'A', Mail: 'a@example.com', Country: 'DE', Username: 'rotating-advertiser' },
  report: { Name: 'R', Period: 'Last7Days', Measures: ['Requests'] },
  alert: { Name: 'A', Condition: 'Nothing', Measure: 'Clicks', Window: 60 },
};

for (const entity of entities.filter((one) => secretsOf(one).length > 0)) {
  for (const Field of secretsOf(entity)) {
    test(`${Field} of ${entity.key} is replaced, and the history says so without it`, async () => {
      const { path, wrapper } = entity;
      const stored = await room.add(path, added[path]);
      const answer = await post(`${path}/rotate`, { [wrapper]: { Id: stored.Id, Field } });
      assert.equal(answer.status, 200, JSON.stringify(answer));
      const rotated = answer[wrapper] as Stored;
      assert.match(String(rotated[Field]), /^[\w-]{32}$/);
      assert.notEqual(rotated[Field], stored[Field]);
      for (const other of secretsOf(entity).filter((one) => one !== Field)) {
        assert.equal(rotated[other], stored[other]);
      }
      const fetched = await room.call(`${path}/get?Id=${stored.Id}`);
      assert.equal(fetched[Field], rotated[Field]);
      const history = await room.call(`history/get?Entity=${entity.key}&Id=${stored.Id}`);
      const last = (history as unknown as readonly Values[]).at(-1);
      assert.deepEqual([last?.Operation, last?.Changes], ['rotate', [{ Field, Written: 1 }]]);
      const told = JSON.stringify([history, fetched]);
      assert.ok(!told.includes(String(stored[Field])) && !told.includes('FormerSecrets'));
      const asOf = await room.call(`${path}/get?Id=${stored.Id}&AsOf=${new Date().toJSON()}`);
      assert.equal(asOf[Field], rotated[Field]);
    });
  }
}

/** Whether a URL is still answered by its object: unknown ones are 204, 401, or an empty document. */
const isServed = async (url: string) => !['204', '401'].includes(String((await ask(url)).status));

const bodies = {
  zone: '{"id":"1","imp":[{"id":"1","banner":{"w":300,"h":250}}],"site":{"page":"https://a.example/"}}',
};

test('the old credential works at the doors until its time is over', async () => {
  const landing = 'https://fallback.example/';
  const campaign = { Name: 'C', Cpm: 4, ClickUrl: 'https://brand.example/' };
  const pop = await room.add('campaign', { ...campaign, Type: 3 });
  const banner = await room.add('campaign', {
    ...campaign,
    Type: 2,
    Html: '<b>x</b>',
    Width: 300,
    Height: 250,
  });
  const film = await room.add('campaign', {
    ...campaign,
    MediaUrl: 'https://a.example/a.mp4',
    Mime: 'video/mp4',
    Duration: 9,
  });
  const feed = await room.add('xml/popfeed', { Campaigns: [pop.Id], FallbackUrl: landing });
  const zone = await room.add('bannerep', { Campaigns: [banner.Id], Width: 300, Height: 250 });
  const tag = await room.add('ortb/vasttag', { Campaigns: [film.Id] });
  const endpoint = await room.add('ortb/rtbep', { BannerEnabled: 1, Campaigns: [banner.Id] });
  const [{ FeedUrlXml = '' } = {}] = feed.FeedUrls as readonly Readonly<Record<string, string>>[];
  const atRtb = async (url: string) =>
    (await fetch(url, { method: 'POST', body: bodies.zone })).status !== 401;
  const atVast = async (url: string) => (await (await fetch(url)).text()).includes('<Ad ');
  const cases: readonly (readonly [
    path: string,
    object: Stored,
    field: string,
    url: string,
    works: typeof isServed,
  ])[] = [
    ['xml/popfeed', feed, 'Auth', FeedUrlXml, isServed],
    ['xml/popfeed', feed, 'AuthDirectUrl', directUrl(feed), isServed],
    ['bannerep', zone, 'Auth', zoneUrl(zone), isServed],
    ['ortb/vasttag', tag, 'Auth', zoneUrl(tag), atVast],
    ['ortb/rtbep', endpoint, 'Auth', zoneUrl(endpoint), atRtb],
  ];
  const wrapperOf = (path: string) => entities.find((one) => one.path === path)?.wrapper ?? '';
  const renewed: string[] = [];
  for (const [path, { Id }, Field] of cases) {
    const wrapper = wrapperOf(path);
    const answer = await post(`${path}/rotate`, { [wrapper]: { Id, Field, KeepOldHours: 2 } });
    renewed.push(String((answer[wrapper] as Values)[Field]));
  }
  await room.served();
  const all = async (inNew: boolean) =>
    Promise.all(
      cases.map(([, object, field, url, works], at) =>
        works(inNew ? url.replace(String(object[field]), renewed[at] ?? '') : url),
      ),
    );
  const [yes, no] = [cases.map(() => true), cases.map(() => false)];
  assert.deepEqual([await all(false), await all(true)], [yes, yes]);
  mock.timers.tick(2 * hourMs - 1);
  assert.deepEqual(await all(false), yes);
  mock.timers.tick(1);
  assert.deepEqual([await all(false), await all(true)], [no, yes]);
});

test('statistics URLs take the old credential until its time is over; 0 hours end all of them', async () => {
  const { Id, ...owner } = await room.add('publisher', { ...added.publisher, Username: 'reported' });
  const url = todays(owner.StatsByDateJson);
  const rotate = (KeepOldHours: number, token?: string) =>
    post('publisher/rotate', { Publisher: { Id, Field: 'StatsAuth', KeepOldHours } }, token);
  const status = async (of: string) => (await fetch(of)).status;
  const second = todays(((await rotate(1)).Publisher as Values).StatsByDateJson);
  assert.deepEqual([await status(url), await status(second)], [200, 200]);
  const third = todays(((await rotate(168)).Publisher as Values).StatsByDateJson);
  assert.deepEqual([await status(url), await status(second), await status(third)], [200, 200, 200]);
  mock.timers.tick(hourMs);
  assert.deepEqual([await status(url), await status(second), await status(third)], [401, 200, 200]);
  const { server } = room;
  const token = await tokenOf(server.url, server.mail, server.password);
  const last = todays(((await rotate(0, token)).Publisher as Values).StatsByDateJson);
  assert.deepEqual([await status(second), await status(third), await status(last)], [401, 401, 200]);
});

test('five former ones work at most; faults name what to do', async () => {
  const tag = await room.add('ortb/vasttag');
  const rotate = (values: Values) => post('ortb/vasttag/rotate', { VastTag: { Id: tag.Id, ...values } });
  for (let times = 0; times < 5; times += 1) assert.equal((await rotate({ Field: 'Auth' })).status, 200);
  const cases: readonly (readonly [values: Values, path: string, code: string])[] = [
    [{ Field: 'Auth' }, 'VastTag.KeepOldHours', 'wrong_state'],
    [{ Field: 'Name' }, 'VastTag.Field', 'out_of_range'],
    [{}, 'VastTag.Field', 'required'],
    [{ Field: 'Auth', KeepOldHours: 169 }, 'VastTag.KeepOldHours', 'out_of_range'],
    [{ Field: 'Auth', Auth: 'x', Nonsense: 1 }, 'VastTag.Nonsense', 'unknown_field'],
    [{ Field: 'Auth', Id: 999_999 }, 'VastTag.Id', 'not_found'],
  ];
  for (const [values, path, code] of cases) {
    const { status, Errors } = await rotate(values);
    const [fault] = Errors as readonly Values[];
    assert.deepEqual([status, fault?.Path, fault?.Code], [406, path, code], JSON.stringify(values));
  }
  assert.equal((await rotate({ Field: 'Auth', KeepOldHours: 0 })).status, 200);
  const { Auth } = await room.call(`ortb/vasttag/get?Id=${tag.Id}`);
  const update = (values: Values) => post('ortb/vasttag/update', { VastTag: { Id: tag.Id, ...values } });
  const chosen = await update({ Auth: tag.Auth });
  assert.deepEqual([chosen.status, /rotate/.test(String(chosen.Error))], [406, true]);
  assert.equal((await update({ Auth, Name: 'as fetched' })).status, 200);
});
