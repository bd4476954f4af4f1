import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { entityOf } from '../../src/entities/registry.ts';
import type { Actor, ObjectWrite } from '../../src/store/interface.ts';
import type { Engine } from './engine.ts';
import { freshName, openedFor, type TeamRoom } from './team-room.ts';

const publisher = (Username: string): ObjectWrite => ({
  document: { Name: Username, Username },
  connections: {},
});

/** Adds as the last thing of a job, so that the next one need not wait for its answer. */
function add({ store, actor }: TeamRoom, key: string, write: ObjectWrite, as: Actor = actor) {
  return store.write(as, (transaction) => transaction.add(entityOf(key), write), { endsWithAdd: true });
}

function additions(room: () => Promise<TeamRoom>): void {
  test('answer the object as it is read later, whatever belongs to it', async () => {
    const mine = await room();
    const owner = await add(mine, 'Publisher', {
      ...publisher(freshName('owner')),
      managerId: mine.actor.userId,
    });
    const tagged = await add(mine, 'Tag', { document: { Name: 'a' }, connections: {} });
    assert.ok(owner && tagged);
    const writings: readonly (readonly [key: string, writing: ObjectWrite])[] = [
      ['VastTag', { document: { Name: 'plain', PublisherId: owner.id }, connections: { Tags: [] } }],
      ['VastTag', { document: { Name: 'v', PublisherId: owner.id }, connections: { Tags: [tagged.id] } }],
      ['DomainList', { document: { Name: 'd' }, connections: {}, text: ['a.example'] }],
    ];
    const added = await Promise.all(writings.map(([key, writing]) => add(mine, key, writing)));
    const read = await Promise.all(writings.map(([key], index) => mine.get(key, added[index]?.id ?? 0)));
    assert.deepEqual(added, read);
    assert.deepEqual(read[1]?.derived.Tags, [tagged.id]);
    assert.equal(read[1]?.account.name, owner.document.Name);
  });

  test('leave to the next job what they had connected before, with its last revision', async () => {
    const mine = await room();
    const [demand, supply, tag] = (['DspVastTag', 'VastTag', 'Tag'] as const).map(entityOf);
    assert.ok(demand && supply && tag);
    const connected = await add(mine, demand.key, { document: { Name: 'd' }, connections: {} });
    const id = connected?.id ?? 0;
    const connecting = mine.store.write(
      mine.actor,
      async (transaction) => {
        await transaction.insert(supply, { document: { Name: 's' }, connections: { DspVastTags: [id] } });
        return transaction.add(tag, { document: { Name: 't' }, connections: {} });
      },
      { endsWithAdd: true },
    );
    const next = mine.store.write(mine.actor, (transaction) => transaction.find(demand, id));
    const [, seen] = await Promise.all([connecting, next]);
    assert.deepEqual(seen, await mine.get(demand.key, id));
    assert.ok(seen && connected && seen.revision > connected.revision);
  });

  test('of one user name, the first has it and the others write nothing; no revision is left out', async () => {
    const mine = await room();
    const names = ['a', 'b', 'a', 'c', 'b', 'a', 'd'].map((name) => `${mine.actor.teamId}-${name}`);
    const added = await Promise.all(names.map((name) => add(mine, 'Publisher', publisher(name))));
    assert.deepEqual(
      added.map((object) => object !== undefined),
      [true, true, false, true, false, false, true],
    );
    const objects = added.flatMap((object) => object ?? []);
    const changes = await mine.changes();
    assert.deepEqual(
      changes.map(({ revision, entityId }) => [revision, entityId]),
      objects.map(({ revision, id }) => [revision, id]),
    );
    const first = changes[0]?.revision ?? 0;
    assert.deepEqual(
      changes.map(({ revision }) => revision),
      changes.map((_, index) => first + index),
    );
  });
}

function refusedAdditions(room: () => Promise<TeamRoom>): void {
  test('one that the database refuses fails alone, among others and among jobs of other kinds', async () => {
    const mine = await room();
    const nobody = { teamId: 2_000_000_000, userId: 0 };
    const tag = (Name: string): ObjectWrite => ({ document: { Name }, connections: {} });
    const results = await Promise.allSettled([
      add(mine, 'Tag', tag('a')),
      add(mine, 'Tag', tag('refused'), nobody),
      mine.add('Tag', { Name: 'b' }),
      add(mine, 'Tag', tag('refused'), nobody),
      add(mine, 'Tag', tag('c')),
      mine.store.write(mine.actor, (transaction) => transaction.add(entityOf('Tag'), tag('show')), {
        endsWithAdd: true,
        dryRun: true,
      }),
      add(mine, 'Tag', tag('d')),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    );
    const page = await mine.store.page(entityOf('Tag'), mine.actor.teamId, {}, 100);
    assert.deepEqual(
      page.map(({ document }) => document.Name),
      ['a', 'b', 'c', 'd'],
    );
    assert.equal((await mine.changes()).length, 4);
  });

  test('insert rejects where add answers nothing', async () => {
    const mine = await room();
    const write = publisher(freshName('u'));
    assert.ok(await add(mine, 'Publisher', write));
    await assert.rejects(
      mine.write((transaction) => transaction.insert(entityOf('Publisher'), write)),
      /taken/,
    );
  });
}

/** What `Transaction.add` promises, also when many wait at once. */
export function addsContract(engine: Engine): void {
  describe('additions that end a job', () => {
    const { room } = openedFor(engine);
    additions(room);
    refusedAdditions(room);
  });
}
