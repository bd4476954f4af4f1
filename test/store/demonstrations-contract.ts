import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Demonstration } from '../../src/store/interface.ts';
import type { Engine } from './engine.ts';
import { openedFor } from './team-room.ts';

/** What the store promises of teams that are demonstrations. */
export function demonstrationsContract(engine: Engine): void {
  describe('demonstrations', () => {
    const { opened, room } = openedFor(engine);
    const tag = {
      id: 1,
      name: 'Ü "tag"',
      zoneUrl: 'http://a.example/vast?zone=1&ip={ip}',
    };

    test('there is none at first; one is kept for each team, and the last word counts', async () => {
      const { store, actor, write } = await room();
      const set = (demonstration: Demonstration) =>
        write((transaction) => transaction.setDemonstration(demonstration));
      assert.deepEqual(await store.demonstrations(), []);
      const first: Demonstration = { teamId: actor.teamId, url: 'http://a.example', key: 'k', tags: [] };
      const last: Demonstration = { ...first, url: 'http://b.example', tags: [tag] };
      await set(first);
      await set(last);
      const other: Demonstration = { ...first, teamId: actor.teamId + 1 };
      await set(other);
      assert.deepEqual(await store.demonstrations(), [last, other]);
      const elsewhere = await opened().database.open();
      assert.deepEqual(await elsewhere.demonstrations(), [last, other]);
      await elsewhere.close();
    });

    test('make no revision', async () => {
      const { store, actor, write } = await room();
      const set = (demonstration: Demonstration) =>
        write((transaction) => transaction.setDemonstration(demonstration));
      const before = await store.revision();
      await set({ teamId: actor.teamId, url: '', key: '', tags: [] });
      assert.equal(await store.revision(), before);
    });
  });
}
