import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { entityOf } from '../../src/entities/registry.ts';
import type { Transaction } from '../../src/store/interface.ts';
import type { Engine } from './engine.ts';
import { found, freshName, type Opened, openedFor, roomOf } from './team-room.ts';

const tag = entityOf('Tag');
const list = entityOf('DomainList');
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const named = (Name: string) => ({ document: { Name }, connections: {} });

/** Writes in every way there is, then fails. */
async function writeAndFail(transaction: Transaction, ids: { tag: number; list: number; vastTag: number }) {
  await transaction.insert(list, { ...named('gone'), text: ['gone.example'] });
  await transaction.setStatus(tag, await found(transaction, 'Tag', ids.tag), 1);
  await transaction.update(tag, await found(transaction, 'Tag', ids.tag), named('gone'));
  await transaction.update(list, await found(transaction, 'DomainList', ids.list), {
    document: {},
    connections: {},
    text: ['gone.example'],
  });
  await transaction.update(entityOf('VastTag'), await found(transaction, 'VastTag', ids.vastTag), {
    document: { Name: 'gone' },
    connections: { Tags: [] },
  });
  throw new Error('changed my mind');
}

function atomicity({ room }: Opened): void {
  test('a job that rejects leaves no trace; those beside it in the same commit stand', async () => {
    const mine = await room();
    const ids = {
      tag: await mine.add('Tag', { Name: 'kept' }),
      list: await mine.add('DomainList', { Name: 'kept' }, { text: ['kept.example'] }),
      vastTag: 0,
    };
    ids.vastTag = await mine.add('VastTag', { Name: 'kept' }, { connections: { Tags: [ids.tag] } });
    const before = await mine.changes();
    const [first, failed, last] = await Promise.allSettled([
      mine.add('Tag', { Name: 'first' }),
      mine.write((transaction) => writeAndFail(transaction, ids)),
      mine.add('Tag', { Name: 'last' }),
    ]);
    assert.equal(failed.status === 'rejected' && failed.reason.message, 'changed my mind');
    assert.ok(first.status === 'fulfilled' && last.status === 'fulfilled');
    const names = (await mine.store.page(tag, mine.actor.teamId, {}, 10)).map(
      ({ document }) => document.Name,
    );
    assert.deepEqual(names, ['kept', 'first', 'last']);
    assert.equal((await mine.get('Tag', ids.tag)).status, 0);
    assert.deepEqual((await mine.get('VastTag', ids.vastTag)).derived.Tags, [ids.tag]);
    assert.equal((await mine.store.page(list, mine.actor.teamId, {}, 10)).length, 1);
    assert.deepEqual(await Array.fromAsync(mine.store.text(list, ids.list)), ['kept.example']);
    const added = (await mine.changes()).slice(before.length);
    assert.deepEqual(
      added.map(({ operation, entityId }) => [operation, entityId]),
      [
        ['add', first.value],
        ['add', last.value],
      ],
    );
  });
}

function failures({ room }: Opened): void {
  test('a job that throws at once, and one that the database refuses, fail alone', async () => {
    const mine = await room();
    const Username = freshName('u');
    await mine.add('Publisher', { Name: 'holder', Username });
    const results = await Promise.allSettled([
      mine.write(() => {
        throw new Error('at once');
      }),
      mine.add('Tag', { Name: 'a' }),
      mine.write(async (transaction) => {
        await transaction.insert(tag, named('gone'));
        await transaction.insert(entityOf('Publisher'), {
          document: { Name: 'second', Username },
          connections: {},
        });
      }),
      mine.add('Tag', { Name: 'b' }),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'fulfilled', 'rejected', 'fulfilled'],
    );
    const names = (await mine.store.page(tag, mine.actor.teamId, {}, 10)).map(
      ({ document }) => document.Name,
    );
    assert.deepEqual(names, ['a', 'b']);
  });

  test('hundreds of jobs at once, every third of which fails, leave exactly the others', async () => {
    const mine = await room();
    const jobs = Array.from({ length: 700 }, (_, index) =>
      mine.write(async (transaction) => {
        const id = await transaction.insert(tag, named(`${index}`));
        if (index % 3 === 0) throw new Error('every third');
        return id;
      }),
    );
    const results = await Promise.allSettled(jobs);
    const ids = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    assert.equal(ids.length, 466);
    const page = await mine.store.page(tag, mine.actor.teamId, {}, 1000);
    assert.deepEqual(
      page.map(({ id }) => id),
      ids,
    );
    assert.ok(page.every(({ document }) => Number(document.Name) % 3 !== 0));
    assert.equal((await mine.changes()).length, ids.length);
  });
}

function reading({ room }: Opened): void {
  test('a job pages through whole objects and reads texts, its own among them', async () => {
    const [mine, theirs] = [await room(), await room()];
    await theirs.add('DomainList', { Name: 'theirs' });
    await mine.add('DomainList', { Name: 'a' }, { text: ['old.example'] });
    const seen = await mine.write(async (transaction) => {
      await transaction.insert(list, { ...named('b'), text: ['b.example', 'c.example'] });
      const first = await transaction.page(list, {}, 1);
      const rest = await transaction.page(list, { afterId: first[0]?.id ?? 0 }, 5);
      return Promise.all(
        [...first, ...rest].map(async (one) => [
          one.document.Name,
          await Array.fromAsync(transaction.text(list, one.id)),
          one.derived,
        ]),
      );
    });
    const unused = Object.fromEntries(
      Object.entries(list.fields).flatMap(([name, { place }]) =>
        place.kind === 'backReference' ? [[name, []]] : [],
      ),
    );
    assert.deepEqual(seen, [
      ['a', ['old.example'], unused],
      ['b', ['b.example', 'c.example'], unused],
    ]);
  });
}

function order({ room, opened }: Opened): void {
  test('jobs run one after the other, in the order they came', async () => {
    const mine = await room();
    const steps: string[] = [];
    const job = (name: string) => async (transaction: Transaction) => {
      steps.push(`${name} begins`);
      await transaction.insert(tag, named(name));
      await turns(3);
      steps.push(`${name} ends`);
    };
    await Promise.all(['a', 'b', 'c'].map((name) => mine.write(job(name))));
    assert.deepEqual(steps, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('a job sees what the jobs before it wrote, and what it wrote itself', async () => {
    const mine = await room();
    const id = await mine.add('Tag', { Name: '0' });
    const raise = () =>
      mine.write(async (transaction) => {
        const current = await found(transaction, 'Tag', id);
        await transaction.update(tag, current, named(String(Number(current.document.Name) + 1)));
        return (await found(transaction, 'Tag', id)).document.Name;
      });
    const seen = await Promise.all(Array.from({ length: 20 }, raise));
    assert.deepEqual(
      seen,
      Array.from({ length: 20 }, (_, index) => `${index + 1}`),
    );
  });

  test('nobody sees a write before it is committed, everybody once it has resolved', async () => {
    const mine = await room();
    const elsewhere = await opened().database.open();
    const seen = async () => (await elsewhere.page(tag, mine.actor.teamId, {}, 10)).length;
    const inside: number[] = [];
    await mine.write(async (transaction) => {
      await transaction.insert(tag, named('a'));
      inside.push(await seen(), (await mine.store.page(tag, mine.actor.teamId, {}, 10)).length);
    });
    assert.deepEqual(inside, [0, 0]);
    assert.equal(await seen(), 1);
    await elsewhere.close();
  });

  test('two openings of one database write in turn, and neither loses a change', async () => {
    const mine = await room();
    const { database } = opened();
    const elsewhere = await database.open();
    const theirs = roomOf(database, elsewhere, mine.actor);
    const id = await mine.add('Tag', { Name: '0' });
    const raise = (who: typeof mine) =>
      who.write(async (transaction) => {
        const { document } = await found(transaction, 'Tag', id);
        await transaction.update(
          tag,
          await found(transaction, 'Tag', id),
          named(String(Number(document.Name) + 1)),
        );
      });
    for (let round = 0; round < 20; round += 1) await Promise.all([raise(mine), raise(theirs), raise(mine)]);
    assert.equal((await mine.get('Tag', id)).document.Name, '60');
    await elsewhere.close();
  });
}

function closing({ room, opened }: Opened): void {
  test('closing waits for the writes under way', async () => {
    const { database } = opened();
    const mine = await room();
    const elsewhere = roomOf(database, await database.open(), mine.actor);
    const writes = ['a', 'b', 'c'].map((Name) => elsewhere.add('Tag', { Name }));
    await elsewhere.store.close();
    const ids = await Promise.all(writes);
    const page = await mine.store.page(tag, mine.actor.teamId, {}, 10);
    assert.deepEqual(
      page.map(({ id }) => id),
      ids,
    );
  });

  test('a closed store rejects reads and writes', async () => {
    const { database } = opened();
    const mine = await room();
    const elsewhere = roomOf(database, await database.open(), mine.actor);
    await elsewhere.store.close();
    await assert.rejects(elsewhere.add('Tag', { Name: 'late' }));
    await assert.rejects(elsewhere.store.page(tag, mine.actor.teamId, {}, 10));
  });
}

/** What `Store.write` promises. */
export function writesContract(engine: Engine): void {
  describe('writes', () => {
    const opened = openedFor(engine);
    describe('are all or nothing', () => atomicity(opened));
    describe('fail alone', () => failures(opened));
    describe('are in order', () => order(opened));
    describe('may read all of a team', () => reading(opened));
    describe('are waited for when the store is closed', () => closing(opened));
  });
}
