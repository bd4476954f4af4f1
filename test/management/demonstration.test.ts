import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pause } from '../support/pause.ts';
import { startApi } from './api.ts';
import { assertRefused } from './refusals.ts';
import { addUsers } from './users.ts';

const { server, api } = await startApi();
const start = '/api/demonstration/start';
const state = '/api/demonstration/get';
const page = `${server.url}/demo/player`;

describe('the demonstration', () => {
  test('is started by an administrator, for a team without objects', async () => {
    const [manager, analyst] = await addUsers(server, [
      { role: 1, teamId: 1 },
      { role: 2, teamId: 1 },
    ]);
    assert.deepEqual((await api.get(state)).body, { Running: 0, CanStart: 1, Url: '' });
    for (const user of [manager, analyst]) {
      assertRefused(await api.as(user?.token ?? '').post(start, {}), { status: 403 });
    }
    assert.equal((await api.post(`${start}?DryRun=1`, {})).status, 200);
    assert.deepEqual((await api.get(state)).body, { Running: 0, CanStart: 1, Url: '' });
    assert.equal((await fetch(page)).status, 404);

    const reply = await api.post(start, {});
    assert.deepEqual([reply.status, reply.body], [200, { Status: 'Ok', Url: page }]);
    for (const user of [manager, analyst]) {
      const { body } = await api.as(user?.token ?? '').get(state);
      assert.deepEqual(body, { Running: 1, CanStart: 0, Url: page });
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
    const [outsider] = await addUsers(server, [{ role: 0 }]);
    const other = api.as(outsider?.token ?? '');
    await other.add('Tag', { Name: 'mine' });
    assertRefused(await other.post(start, {}), { status: 406, says: ['(Tag)'] });
    assert.deepEqual((await other.get(state)).body, { Running: 0, CanStart: 0, Url: '' });
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
