import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { entityOf } from '../../src/entities/registry.ts';
import type { Schema } from '../../src/store/database/schema.ts';
import type { ChangeFilter } from '../../src/store/interface.ts';
import { readChanges } from '../../src/store/log/read-changes.ts';
import { openStore } from '../../src/store/open-store.ts';
import { rawEngines } from './raw-engines.ts';
import { found, newActor } from './team-room.ts';

const engines = rawEngines();
const [onSqlite] = engines;

async function writeSome(url: string): Promise<void> {
  const store = await openStore({ url, now: () => 0 });
  const actor = await newActor(store);
  await store.write(actor, async (transaction) => {
    const add = (key: string, document: object) =>
      transaction.insert(entityOf(key), { document: { ...document }, connections: {} });
    const [first, second] = [
      await add('Publisher', { Name: 'a' }),
      await add('Publisher', { Name: '"b" é' }),
    ];
    const advertiser = await add('Advertiser', {});
    const feed = await add('PopFeed', { PublisherId: first, Name: '{"PublisherId":7}' });
    await add('Campaign', { AdvertiserId: advertiser });
    await add('Tag', { Name: 'c' });
    for (const document of [{ Name: 'd' }, { PublisherId: second }, { PublisherId: first, Name: 'e' }]) {
      const current = await found(transaction, 'PopFeed', feed);
      await transaction.update(entityOf('PopFeed'), current, { document, connections: {} });
    }
    await transaction.setStatus(entityOf('PopFeed'), await found(transaction, 'PopFeed', feed), 1);
  });
  await store.close();
}

describe('the log tells which owner an object came to, and which it left', () => {
  const owners = `select entity, operation, owner_id, former_owner_id from change
    where owner_id is not null order by revision`;
  for (const { name, fresh, run } of engines) {
    test(`on ${name}`, async () => {
      const url = await fresh();
      await writeSome(url);
      const told = await run(url, [owners]);
      assert.deepEqual(
        told.map((row) => Object.values(row)),
        [
          ['PopFeed', 'add', 1, null],
          ['Campaign', 'add', 1, null],
          ['PopFeed', 'update', 2, 1],
          ['PopFeed', 'update', 1, 2],
        ],
      );
    });
  }
});

/** SQLite's plan of the statement that reads changes by a filter. */
async function planOf(filter: ChangeFilter): Promise<string> {
  const statements: string[] = [];
  const prepare = (text: string) => {
    statements.push(text);
    return { reader: true, all: () => [], run: () => assert.fail(), iterate: () => assert.fail() };
  };
  const dialect = new SqliteDialect({ database: { prepare, close: () => undefined } });
  const reader = new Kysely<Schema>({ dialect });
  await readChanges({ reader, hasMember: () => sql<boolean>`true` }, 1, filter, 100);
  assert.equal(statements.length, 1);
  const url = await onSqlite.fresh();
  await writeSome(url);
  const steps = await onSqlite.run(url, [`explain query plan ${statements[0]}`]);
  return steps.map(({ detail }) => detail).join('; ');
}

describe('an index leads to the changes that are asked for, newest first, and to no others', () => {
  const upToRevision = 9;
  const cases: readonly (readonly [what: string, filter: ChangeFilter, index: string])[] = [
    ['of a team', {}, 'change_team (team_id=? AND revision<?)'],
    ['of one object', { entity: 'Tag', id: 1 }, 'change_object (entity=? AND entity_id=? AND revision<?)'],
    [
      'by which objects came to an owner',
      { entity: 'VastTag', ownerId: 1 },
      'change_owner (entity=? AND owner_id=? AND revision<?)',
    ],
    [
      'by which objects left an owner',
      { entity: 'VastTag', formerOwnerId: 1 },
      'change_former_owner (entity=? AND former_owner_id=? AND revision<?)',
    ],
  ];
  for (const [what, filter, index] of cases) {
    test(what, async () => {
      const plan = await planOf({ ...filter, upToRevision, newestFirst: true });
      assert.equal(plan, `SEARCH change USING INDEX ${index}`);
    });
  }
});
