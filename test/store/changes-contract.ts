import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { entities, entityOf } from '../../src/entities/registry.ts';
import type { Engine } from './engine.ts';
import { freshName, type Opened, openedFor, roomOf } from './team-room.ts';

function telling({ room }: Opened): void {
  test('tells who did what to which object, and what it changed', async () => {
    const mine = await room();
    const tag = await mine.add('Tag', { Name: 'tag' });
    const id = await mine.add(
      'VastTag',
      { Name: 'old', Tmax: 300, Countries: ['US'] },
      { connections: { Tags: [tag], DspVastTags: [] } },
    );
    await mine.update('VastTag', id, {
      document: { Name: 'new', Tmax: 300, Countries: [] },
      connections: { Tags: [] },
    });
    await mine.setStatus('VastTag', id, 1);
    await mine.setStatus('VastTag', id, 0);
    const { teamId, userId } = mine.actor;
    const by = { teamId, userId, entity: 'VastTag', entityId: id };
    const rows = (await mine.changes()).slice(1).map(({ revision: _, timeMs: __, ...row }) => row);
    assert.deepEqual(rows, [
      {
        ...by,
        operation: 'add',
        before: null,
        after: { Name: 'old', Tmax: 300, Countries: ['US'], Tags: [tag] },
      },
      {
        ...by,
        operation: 'update',
        before: { Name: 'old', Countries: ['US'], Tags: [tag] },
        after: { Name: 'new', Countries: [], Tags: [] },
      },
      { ...by, operation: 'deactivate', before: { Status: 0 }, after: { Status: 1 } },
      { ...by, operation: 'activate', before: { Status: 1 }, after: { Status: 0 } },
    ]);
  });

  test('tells of a change of the account manager', async () => {
    const mine = await room();
    const id = await mine.add('Publisher', { Name: 'a' }, { managerId: mine.actor.userId });
    const other = await mine.store.identity.addUser({
      teamId: mine.actor.teamId,
      mail: `${freshName()}@example.com`,
      firstName: 'B',
      lastName: '',
      role: 1,
      status: 0,
      passwordHash: '',
    });
    assert.ok(other);
    await mine.update('Publisher', id, { managerId: other });
    const [, { before, after } = {}] = await mine.changes();
    assert.deepEqual([before, after], [{ AccManagerId: mine.actor.userId }, { AccManagerId: other }]);
  });

  test("tells that a list's text was written, without the text", async () => {
    const mine = await room();
    const id = await mine.add('DomainList', { Name: 'list' }, { text: ['a.example'] });
    await mine.update('DomainList', id, { text: ['b.example'] });
    await mine.update('DomainList', id, { document: { Name: 'renamed' } });
    assert.deepEqual(
      (await mine.changes()).map(({ after }) => after),
      [{ Name: 'list', ListText: true }, { ListText: true }, { Name: 'renamed' }],
    );
  });

  test('has a row for each object that a transaction touches, in the order of its work', async () => {
    const mine = await room();
    const [a, b] = await mine.write(async (transaction) => [
      await transaction.insert(entityOf('Tag'), { document: { Name: 'a' }, connections: {} }),
      await transaction.insert(entityOf('Tag'), { document: { Name: 'b' }, connections: {} }),
    ]);
    assert.deepEqual(
      (await mine.changes()).map(({ entityId }) => entityId),
      [a, b],
    );
  });
}

function timed({ room, opened }: Opened): void {
  test('carries the time that the store was given', async () => {
    const { database } = opened();
    const mine = await room();
    const times = [1_800_000_000_000, 1_800_000_000_123];
    const elsewhere = roomOf(database, await database.open(() => times.shift() ?? 0), mine.actor);
    await elsewhere.add('Tag', { Name: 'a' });
    await elsewhere.add('Tag', { Name: 'b' });
    assert.deepEqual(
      (await mine.changes()).map(({ timeMs }) => timeMs),
      [1_800_000_000_000, 1_800_000_000_123],
    );
    await elsewhere.store.close();
  });

  test('carries one time for all that a transaction does', async () => {
    const { database } = opened();
    const mine = await room();
    let timeMs = 1_800_000_000_000;
    const ticking = await database.open(() => {
      timeMs += 1;
      return timeMs;
    });
    const elsewhere = roomOf(database, ticking, mine.actor);
    const demand = await elsewhere.add('DspVastTag');
    await elsewhere.add('VastTag', {}, { connections: { DspVastTags: [demand] } });
    const [first, added, connected, ...more] = (await mine.changes()).map((row) => row.timeMs);
    assert.deepEqual([added === connected, added === first, more], [true, false, []]);
    await ticking.close();
  });
}

function growing({ room, opened }: Opened): void {
  test('keeps no secret of any entity, neither added nor changed', async () => {
    const mine = await room();
    for (const { key, fields } of entities) {
      const secrets = Object.keys(fields).filter((name) => fields[name]?.place.kind === 'secret');
      const document = Object.fromEntries(secrets.map((name) => [name, 'S3CRET']));
      const id = await mine.add(key, { Name: key, ...document });
      await mine.update(key, id, { document: { Name: 'renamed', ...document } });
      await mine.update(key, id, {
        document: Object.fromEntries(secrets.map((name) => [name, 'another S3CRET'])),
      });
    }
    assert.equal(JSON.stringify(await mine.changes()).includes('S3CRET'), false);
  });

  test('grows by revisions that are seen in their order, with nothing to come between', async () => {
    const { database } = opened();
    const mine = await room();
    const elsewhere = roomOf(database, await database.open(), mine.actor);
    const writers = [mine, elsewhere].map(async (who) => {
      for (let index = 0; index < 40; index += 1) {
        const fails = who.write(async (transaction) => {
          await transaction.insert(entityOf('Tag'), { document: {}, connections: {} });
          throw new Error('leaves no revision');
        });
        await Promise.all([who.add('Tag', { Name: `${index}` }), assert.rejects(fails)]);
      }
    });
    let isDone = false;
    const done = Promise.all(writers).finally(() => {
      isDone = true;
    });
    let seen: readonly number[] = [];
    while (!isDone) {
      const now = (await database.changes()).map(({ revision }) => revision);
      assert.deepEqual(now.slice(0, seen.length), seen, 'a revision came before one that was seen');
      assert.ok(now.every((revision, index) => index === 0 || revision > (now[index - 1] ?? 0)));
      seen = now;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
    assert.equal((await mine.changes()).length, 80);
    await elsewhere.store.close();
  });
}

/** The change log: the audit trail, and the feed of the exchange. */
export function changesContract(engine: Engine): void {
  describe('the change log', () => {
    const opened = openedFor(engine);
    telling(opened);
    timed(opened);
    growing(opened);
  });
}
