import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pause } from '../support/pause.ts';
import { startApi } from './api.ts';
import { assertRefused } from './refusals.ts';
import { addUsers } from './users.ts';

const { server, api } = await startApi();
const start = '/api/demonstration/start';
const state = '/api/demonstration/get';
const hasObjects = 'The team has objects already; the demonstration is for a team without any.';
const page = `${server.url}/demo/player`;

describe('the demonstration', () => {
  test('is started by an administrator, for a team without objects', async () => {
    const [manager, analyst] = await addUsers(server, [
      { role: 1, teamId: 1 },
      { role: 2, teamId: 1 },
    ]);
    assert.deepEqual((await api.get(state)).body, { Running: 0, CanStart: 1, Obstacle: '', Url: '' });
    for (const user of [manager, analyst]) {
      assertRefused(await api.as(user?.token ?? '').post(start, {}), { status: 403 });
    }
    assert.equal((await api.post(`${start}?DryRun=1`, {})).status, 200);
    assert.deepEqual((await api.get(state)).body, { Running: 0, CanStart: 1, Obstacle: '', Url: '' });
    assert.equal((await fetch(page)).status, 404);

    const reply = await api.post(start, {});
    assert.deepEqual([reply.status, reply.body], [200, { Status: 'Ok', Url: page }]);
    for (const user of [manager, analyst]) {
      const { body } = await api.as(user?.token ?? '').get(state);
      assert.deepEqual(body, { Running: 1, CanStart: 0, Obstacle: hasObjects, Url: page });
    }
    while ((await fetch(page)).status !== 200) await pause();
    const tags = await api.all('VastTag');
    assert.equal(tags.length, 3);
    const history = (await api.get('/api/history/get?Entity=VastTag')).body as never as { UserId: number }[];
    assert.ok(history.every(({ UserId }) => UserId === 1));
  });

  test('is refused where it runs, or where there are other objects; nothing is added', async () => {
    const again = { status: 406, says: ['Team 1 has objects already', 'needs a team without any'] };
    const before = (await api.get('/api/history/get?Limit=1000')).text;
    assertRefused(await api.post(start, {}), again);
    assert.equal((await api.get('/api/history/get?Limit=1000')).text, before);
    const { api: filled } = await startApi();
    await filled.add('Tag', { Name: 'mine' });
    assertRefused(await filled.post(start, {}), { status: 406, says: ['(Tag)'] });
    const stopped = { Running: 0, CanStart: 0, Obstacle: hasObjects, Url: '' };
    assert.deepEqual((await filled.get(state)).body, stopped);
  });

  test('is the operator’s to start where there are several teams', async () => {
    const { server: shared, api: first } = await startApi();
    const [outsider] = await addUsers(shared, [{ role: 0 }]);
    for (const one of [first, first.as(outsider?.token ?? '')]) {
      assertRefused(await one.post(start, {}), { status: 406, says: ['bourse demo --mail'] });
      assert.deepEqual(await one.all('VastTag'), []);
      const { body } = await one.get(state);
      assert.deepEqual([body.Running, body.CanStart], [0, 0]);
      assert.match(String(body.Obstacle), /bourse demo --mail/);
    }
    assert.equal((await fetch(`${shared.url}/demo/player`)).status, 404);
  });

  test('answers strangers with no mock DSP: its URLs have a key', async () => {
    const [{ ZoneUrlEu }] = (await api.all('DspVastTag')) as unknown as readonly [{ ZoneUrlEu: string }];
    const [prefix = '', key = ''] = /^.*\/demo\/dsp\/([\w-]{32})\//.exec(ZoneUrlEu) ?? [];
    const vast = await (await fetch(`${prefix}vast/price=2`)).text();
    assert.match(vast, /<Ad /);
    assert.equal(vast.includes(key), false, 'players see what the ad has');
    for (const path of ['', `${key.slice(1)}/`, `${key}x/`, '/', 'undefined/', 'event/']) {
      for (const fault of ['endless', 'hang', 'bomb']) {
        const { status } = await fetch(`${server.url}/demo/dsp/${path}vast/fault=${fault},faulty=1`);
        assert.equal(status, 404, path);
      }
    }
  });

  test('of two who start it at the same time, one does', async () => {
    const { api: fresh } = await startApi();
    const replies = await Promise.all([fresh.post(start, {}), fresh.post(start, {})]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 406]);
    assert.equal((await fresh.all('VastTag')).length, 3);
  });

  test('serves a page that leads to the mock DSPs of this server alone', async () => {
    const urls = (await api.all('DspVastTag')).flatMap(({ ZoneUrlEu, ZoneUrlUsEast }) => [
      ZoneUrlEu,
      ZoneUrlUsEast,
    ]);
    assert.ok(
      urls.every((url) => url === '' || String(url).startsWith(`${server.url}/demo/dsp/`)),
      String(urls),
    );
  });
});
