import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entityOf } from '../../src/entities/registry.ts';
import { nameIn } from '../../src/management/search/search-page.ts';
import { createTeamTexts } from '../../src/management/search/team-texts.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import { startApi } from './api.ts';

const { server, api } = await startApi();
const count = 600;
for (let index = 0; index < count; index += 100) {
  const Changes = Array.from({ length: 100 }, (_, one) => ({
    Entity: 'Tag',
    Operation: 'add',
    Object: { Name: `Tag ${index + one}` },
  }));
  assert.equal((await api.post('/api/batch', { Changes })).status, 200);
}

const rooms: readonly (readonly [what: string, sizeMax: number])[] = [
  ['for all', 1_000_000],
  ['for none', 0],
];
for (const [what, sizeMax] of rooms) {
  test(`gives every object once, as it is now, with room ${what}`, async (t) => {
    const store = await openConfiguredStore(server.databaseUrl);
    t.after(() => store.close());
    const texts = createTeamTexts(store, sizeMax);
    const tag = entityOf('Tag');
    const names = async (teamId = 1): Promise<ReadonlyMap<number, string>> => {
      const found: [number, string][] = [];
      for await (const page of texts.of(tag, 'names', { teamId, revision: await store.revision() })) {
        for (const [index, id] of page.ids.entries()) found.push([id, nameIn(page, index)]);
      }
      assert.equal(new Set(found.map(([id]) => id)).size, found.length);
      return new Map(found);
    };
    const stored = async () =>
      new Map((await api.all('Tag')).map(({ Id, Name }) => [Id, String(Name).toLowerCase()]));
    assert.deepEqual(await names(), await stored());
    await api.update('Tag', { Id: 300, Name: `Renamed ${what}` });
    await api.add('Tag', { Name: `Added ${what}` });
    const [one, other] = await Promise.all([names(), names()]);
    assert.deepEqual(one, await stored());
    assert.deepEqual(other, one);
    // More changes than are followed one by one.
    for (let turn = 0; turn < 3; turn += 1) {
      const Changes = Array.from({ length: 400 }, (_, index) => ({
        Entity: 'Tag',
        Operation: 'update',
        Object: { Id: index + 1, Name: `${what} ${turn} ${index}` },
      }));
      assert.equal((await api.post('/api/batch', { Changes })).status, 200);
    }
    assert.deepEqual(await names(), await stored());
    assert.equal((await names(2)).size, 0);
  });
}
