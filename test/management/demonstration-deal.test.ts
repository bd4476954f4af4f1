import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startApi, type Values } from './api.ts';

const { api } = await startApi();

/** A test request to an object of the demonstration. */
async function tested(Entity: string, name: string): Promise<Values> {
  const objects = await api.all(Entity as 'VastTag');
  const { Id } = objects.find(({ Name }) => Name === name) ?? assert.fail(name);
  const reply = await api.post('/api/exchange/test/run', { Entity, Id });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

test('the demonstration sells under its deal, and asks for several media', async () => {
  assert.equal((await api.post('/api/demonstration/start', {})).status, 200);
  await eventually(async () => {
    const answer = await tested('VastTag', 'Nordlicht pre-roll');
    assert.match(JSON.stringify(answer), /\\"dealid\\":\\"nordlicht-news\\"/);
  }, 'a bid names the deal');
  await eventually(async () => {
    const text = JSON.stringify(await tested('BannerEp', 'Nordlicht sidebar'));
    assert.match(text, /\\"banner\\":\{/);
    assert.match(text, /\\"video\\":\{/);
  }, 'both media are asked for');
});
