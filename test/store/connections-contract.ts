import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { entityOf } from '../../src/entities/registry.ts';
import type { Engine } from './engine.ts';
import { found, type Opened, openedFor, type TeamRoom } from './team-room.ts';

async function addThree(room: TeamRoom, key: string): Promise<[number, number, number]> {
  const add = () => room.add(key, { Name: key });
  return [await add(), await add(), await add()];
}

const connect = (room: TeamRoom, key: string, id: number, connections: Record<string, number[]>) =>
  room.update(key, id, { connections });

async function ids(room: TeamRoom, key: string, id: number, field: string): Promise<unknown> {
  return (await room.get(key, id)).derived[field];
}

function mirrored({ room }: Opened): void {
  test('what one side connects, the other shows at once', async () => {
    const mine = await room();
    const [a, b, c] = await addThree(mine, 'VastTag');
    const dsp = await mine.add('DspVastTag', {}, { connections: { VastTags: [c, a] } });
    assert.deepEqual(await ids(mine, 'DspVastTag', dsp, 'VastTags'), [c, a]);
    for (const [id, wanted] of [
      [a, [dsp]],
      [b, []],
      [c, [dsp]],
    ] as const) {
      assert.deepEqual(await ids(mine, 'VastTag', id, 'DspVastTags'), wanted);
    }
  });

  test('either side takes a connection away', async () => {
    const mine = await room();
    const [a, b] = await addThree(mine, 'VastTag');
    const dsp = await mine.add('DspVastTag', {}, { connections: { VastTags: [a, b] } });
    await connect(mine, 'VastTag', a, { DspVastTags: [] });
    assert.deepEqual(await ids(mine, 'DspVastTag', dsp, 'VastTags'), [b]);
    await connect(mine, 'DspVastTag', dsp, { VastTags: [] });
    assert.deepEqual(await ids(mine, 'VastTag', b, 'DspVastTags'), []);
  });
}

function ordered({ room }: Opened): void {
  test('each side has its own order; on the other side new ones come last and old ones stay', async () => {
    const mine = await room();
    const [x, y, z] = await addThree(mine, 'DspVastTag');
    const [a, b, c] = await addThree(mine, 'VastTag');
    await connect(mine, 'VastTag', a, { DspVastTags: [z, x] });
    await connect(mine, 'DspVastTag', x, { VastTags: [c, a] });
    await connect(mine, 'DspVastTag', y, { VastTags: [b, a] });
    assert.deepEqual(await ids(mine, 'VastTag', a, 'DspVastTags'), [z, x, y]);
    assert.deepEqual(await ids(mine, 'DspVastTag', x, 'VastTags'), [c, a]);
    await connect(mine, 'VastTag', a, { DspVastTags: [y, x, z] });
    assert.deepEqual(await ids(mine, 'VastTag', a, 'DspVastTags'), [y, x, z]);
    assert.deepEqual(await ids(mine, 'DspVastTag', x, 'VastTags'), [c, a]);
    assert.deepEqual(await ids(mine, 'DspVastTag', y, 'VastTags'), [b, a]);
  });

  test('a connection made anew comes last', async () => {
    const mine = await room();
    const [x, y] = await addThree(mine, 'DspVastTag');
    const a = await mine.add('VastTag', {}, { connections: { DspVastTags: [x, y] } });
    await connect(mine, 'DspVastTag', x, { VastTags: [] });
    await connect(mine, 'DspVastTag', x, { VastTags: [a] });
    assert.deepEqual(await ids(mine, 'VastTag', a, 'DspVastTags'), [y, x]);
  });

  test('fields that are not sent stay as they are', async () => {
    const mine = await room();
    const dsp = await mine.add('DspVastTag');
    const tag = await mine.add('Tag', { Name: 'tag' });
    const a = await mine.add('VastTag', {}, { connections: { DspVastTags: [dsp], Tags: [tag] } });
    await connect(mine, 'VastTag', a, { Tags: [] });
    await mine.update('VastTag', a, { document: { Name: 'renamed' } });
    const { derived } = await mine.get('VastTag', a);
    assert.deepEqual([derived.Tags, derived.DspVastTags], [[], [dsp]]);
  });

  test('a transaction sees its own connections', async () => {
    const mine = await room();
    const dsp = await mine.add('DspVastTag');
    await mine.write(async (transaction) => {
      const connections = { DspVastTags: [dsp] };
      const a = await transaction.insert(entityOf('VastTag'), { document: {}, connections });
      assert.deepEqual((await found(transaction, 'DspVastTag', dsp)).derived.VastTags, [a]);
    });
  });

  test('five thousand connections keep their order on both sides', async () => {
    const mine = await room();
    const tags = await mine.write(async (transaction) => {
      const added: number[] = [];
      for (let index = 0; index < 5000; index += 1) {
        added.push(await transaction.insert(entityOf('VastTag'), { document: {}, connections: {} }));
      }
      return added;
    });
    const shuffled = tags.toSorted((a, b) => ((a * 7919) % 4999) - ((b * 7919) % 4999) || a - b);
    const dsp = await mine.add('DspVastTag', {}, { connections: { VastTags: shuffled } });
    assert.deepEqual(await ids(mine, 'DspVastTag', dsp, 'VastTags'), shuffled);
    await connect(mine, 'DspVastTag', dsp, { VastTags: shuffled.toReversed() });
    assert.deepEqual(await ids(mine, 'DspVastTag', dsp, 'VastTags'), shuffled.toReversed());
  });
}

/** Turns of the event loop that others have while something is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await turn();
    turns += 1;
  }
  await done;
  return turns;
}

function long({ room }: Opened): void {
  test('three thousand objects are connected and let go in many turns, each with a change of its own', async () => {
    const mine = await room();
    const tags = await mine.write(async (transaction) => {
      const added: number[] = [];
      for (let index = 0; index < 3000; index += 1)
        added.push(await transaction.insert(entityOf('VastTag'), { document: {}, connections: {} }));
      return added;
    });
    const before = await mine.add('DspVastTag', {}, { connections: { VastTags: tags.slice(0, 10) } });
    const dsp = await mine.add('DspVastTag');
    const linksOf = async (id: number) =>
      (await mine.store.changes(mine.actor.teamId, { entity: 'VastTag', id }, 100)).map(({ links }) => links);
    const last = tags.at(-1) ?? 0;
    for (const VastTags of [tags, []]) {
      const turns = await turnsDuring(() => connect(mine, 'DspVastTag', dsp, { VastTags }));
      assert.ok(turns > 50, `${turns} turns`);
      assert.deepEqual(await ids(mine, 'DspVastTag', dsp, 'VastTags'), VastTags);
    }
    const added = { DspVastTags: { Added: [dsp], Removed: [] } };
    const removedAt = (Index: number) => ({ DspVastTags: { Added: [], Removed: [{ Id: dsp, Index }] } });
    assert.deepEqual((await linksOf(last)).slice(1), [added, removedAt(0)]);
    const first = tags[0] ?? 0;
    assert.deepEqual((await linksOf(first)).slice(2), [added, removedAt(1)]);
    assert.deepEqual(await ids(mine, 'VastTag', first, 'DspVastTags'), [before]);
    const revisions = await Promise.all(
      [first, last].map(async (id) => (await mine.get('VastTag', id)).revision),
    );
    const logged = await Promise.all(
      [first, last].map(async (id) => {
        const changes = await mine.store.changes(mine.actor.teamId, { entity: 'VastTag', id }, 100);
        return changes.at(-1)?.revision;
      }),
    );
    assert.deepEqual(revisions, logged);
  });
}

function separate({ room }: Opened): void {
  test('kinds of connection do not mix, though their IDs are the same', async () => {
    const mine = await room();
    const rtbEp = await mine.add('RtbEp');
    const campaign = await mine.add('Campaign', {}, { connections: { RtbEps: [rtbEp] } });
    const { derived } = await mine.get('RtbEp', rtbEp);
    assert.deepEqual(derived.Campaigns, [campaign]);
    for (const field of ['DspRtbEps', 'DspVastTags', 'DspPopFeeds', 'Tags'])
      assert.deepEqual(derived[field], []);
  });

  test('a list shows who uses it, by kind, and loses who lets go of it', async () => {
    const mine = await room();
    const list = await mine.add('DomainList', { Name: 'list' });
    const using = { connections: { DomainsBrandsList: [list] } };
    const [tag, feed] = [await mine.add('VastTag', {}, using), await mine.add('DspPopFeed', {}, using)];
    const second = await mine.add('VastTag', {}, using);
    const place = await mine.add('BannerEp', {}, using);
    const { derived } = await mine.get('DomainList', list);
    const none = {
      DspVastTags: [],
      RtbEps: [],
      DspRtbEps: [],
      Campaigns: [],
      PopFeeds: [],
      Deals: [],
      FloorRules: [],
    };
    const users = { VastTags: [tag, second], DspPopFeeds: [feed], BannerEps: [place] };
    assert.deepEqual(derived, { ...users, ...none });
    await connect(mine, 'VastTag', tag, { DomainsBrandsList: [] });
    assert.deepEqual(await ids(mine, 'DomainList', list, 'VastTags'), [second]);
  });

  test('every connection field of every entity holds what it is given, and its mirror the reverse', async () => {
    const mine = await room();
    const keys = [
      'VastTag',
      'RtbEp',
      'PopFeed',
      'BannerEp',
      'Campaign',
      'DspRtbEp',
      'DspVastTag',
      'DspPopFeed',
    ];
    for (const key of keys) {
      for (const [field, { place }] of Object.entries(entityOf(key).fields)) {
        if (place.kind !== 'connection') continue;
        const [b, a] = [await mine.add(place.to, { Name: 'b' }), await mine.add(place.to, { Name: 'a' })];
        const id = await mine.add(key, {}, { connections: { [field]: [a, b] } });
        assert.deepEqual(await ids(mine, key, id, field), [a, b], `${key}.${field}`);
        if (place.mirror === undefined) continue;
        assert.deepEqual(await ids(mine, place.to, a, place.mirror), [id], `${place.to}.${place.mirror}`);
      }
    }
  });
}

/** Connections: one fact, seen from both sides. */
export function connectionsContract(engine: Engine): void {
  describe('connections', () => {
    const opened = openedFor(engine);
    describe('are seen from both sides', () => mirrored(opened));
    describe('keep their order', () => ordered(opened));
    describe('may be many', () => long(opened));
    describe('are kept apart', () => separate(opened));
  });
}
