import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import pg from 'pg';
import { entityOf } from '../../src/entities/registry.ts';
import { openStore } from '../../src/store/open-store.ts';
import { copyObject } from '../cluster/unused-objects.ts';
import { migratedPostgres } from '../support/migrated-database.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { newActor } from './team-room.ts';

/** Advisory lock of writers: "BOUR" in ASCII. */
const writersLock = 0x42_4f_55_52;
const copies = 12_000;

describe('a database that is far away', () => {
  let server: SharedPostgres;
  before(async () => {
    server = await sharedPostgres();
  });
  after(() => server.remove());

  /** How many questions were sent meanwhile, without the settings of new connections. */
  const questions = async (work: () => Promise<unknown>): Promise<number> => {
    const query = mock.method(pg.Client.prototype, 'query');
    await work().finally(() => query.mock.restore());
    return query.mock.calls.filter(({ arguments: [sent] }) => !String(sent).startsWith('set ')).length;
  };

  test('is asked three things if it is up to date, and no writer is waited for', async () => {
    const url = await migratedPostgres(server.url);
    const writer = new pg.Client({ connectionString: url });
    await writer.connect();
    await writer.query(`select pg_advisory_lock(${writersLock})`);
    const opening = async () => (await openStore({ url, now: Date.now })).close();
    assert.equal(await questions(opening), 3);
    await writer.end();
  });

  test('gives all objects of a kind in few answers, in pages for the event loop', async () => {
    const url = await migratedPostgres(server.url);
    const store = await openStore({ url, now: Date.now });
    const publisher = { document: {}, connections: {} };
    const first = await store.write(await newActor(store), (transaction) =>
      transaction.insert(entityOf('Publisher'), publisher),
    );
    await copyObject(url, 'publisher', first, copies);
    const sizes: number[] = [];
    const reading = async () => {
      for await (const page of store.feed.objects('Publisher')) sizes.push(page.length);
    };
    assert.equal(await questions(reading), 3);
    assert.equal(
      sizes.reduce((sum, size) => sum + size),
      copies + 1,
    );
    assert.ok(Math.max(...sizes) <= 500);
    await store.close();
  });
});
