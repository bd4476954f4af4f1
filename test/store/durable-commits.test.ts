import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { type HeldSyncs, holdSyncs } from '../support/held-syncs.ts';
import { sqlite } from './sqlite-engine.ts';
import { newActor, roomOf } from './team-room.ts';

let syncs: HeldSyncs | undefined;
afterEach(() => syncs?.end());

describe('a commit to SQLite', () => {
  test('is acknowledged once it is synced, and holds nobody up meanwhile', async () => {
    const database = await sqlite.fresh();
    const store = await database.open();
    const room = roomOf({} as never, store, await newActor(store));
    syncs = holdSyncs();
    let isAcknowledged = false;
    const adding = room.add('Publisher', { Name: 'one' }).then(() => {
      isAcknowledged = true;
    });
    await syncs.begun();
    // Reads, timers and requests go on while the disk writes.
    await store.revision();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(isAcknowledged, false);
    syncs.release();
    await adding;
    await store.close();
    await database.remove();
  });

  test('whose sync fails is not acknowledged', async () => {
    const database = await sqlite.fresh();
    const store = await database.open();
    const room = roomOf({} as never, store, await newActor(store));
    syncs = holdSyncs();
    const adding = room.add('Publisher', { Name: 'one' });
    await syncs.begun();
    syncs.fail(new Error('EIO'));
    await assert.rejects(adding, /EIO/);
    syncs.end();
    assert.ok(await room.add('Publisher', { Name: 'two' }), 'the next one is written');
    await store.close();
    await database.remove();
  });
});
