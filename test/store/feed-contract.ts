import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { entities, entityOf } from '../../src/entities/registry.ts';
import type { ConfigurationFeed, ConfigurationObject } from '../../src/exchange/configuration.ts';
import { credentialHash } from '../../src/exchange/credential-hash.ts';
import { isForDelivery } from '../../src/fields/field.ts';
import type { Engine } from './engine.ts';
import { freshName, type Opened, openedFor, roomOf, type TeamRoom } from './team-room.ts';

async function objectsOf(
  { store }: TeamRoom,
  key: string,
  ids?: readonly number[],
): Promise<ConfigurationObject[]> {
  return (await Array.fromAsync(store.feed.objects(key, ids))).flat();
}

async function objectOf({ store }: TeamRoom, key: string, id: number): Promise<ConfigurationObject> {
  return (await store.feed.object(key, id)) ?? assert.fail(`${key} ${id} is not there`);
}

function objects({ room }: Opened): void {
  test('is what the exchange asks for', async () => {
    const { store } = await room();
    const feed: ConfigurationFeed = store.feed;
    assert.equal(await feed.revision(), await store.revision());
  });

  test('the zone by which daily limits went before a change comes with the object', async () => {
    const mine = await room();
    const id = await mine.add('Campaign', { TimeZone: 'Europe/Berlin' });
    const formerZones = async () => (await objectOf(mine, 'Campaign', id)).formerZones;
    assert.equal(await formerZones(), undefined);
    await mine.update('Campaign', id, { document: { TimeZone: 'Europe/Berlin', Name: 'same' } });
    assert.equal(await formerZones(), undefined);
    await mine.update('Campaign', id, { document: { TimeZone: 'America/New_York' } });
    const [former, ...others] = (await formerZones()) ?? [];
    assert.deepEqual([former?.Zone, others], ['Europe/Berlin', []]);
    const report = await mine.add('Report', { TimeZone: 'Europe/Berlin' });
    await mine.update('Report', report, { document: { TimeZone: '' } });
    assert.equal((await mine.get('Report', report)).document.FormerZones, undefined);
  });

  test('an object comes whole: owner, status, connections of both sides in their order', async () => {
    const mine = await room();
    const owner = await mine.add('Publisher', { Name: 'Media', Username: freshName('u') });
    const [a, b, c] = [
      await mine.add('DspVastTag'),
      await mine.add('DspVastTag'),
      await mine.add('DspVastTag'),
    ];
    const list = await mine.add('DomainList');
    const id = await mine.add(
      'VastTag',
      { PublisherId: owner, Name: 'pre-roll', Bidfloor: 1.25, Countries: ['US', 'DE'], Auth: 's3cret' },
      { connections: { DspVastTags: [c, a], DomainsBrandsList: [list] } },
    );
    await mine.update('DspVastTag', b, { connections: { VastTags: [id] } });
    await mine.setStatus('VastTag', id, 1);
    const object = await objectOf(mine, 'VastTag', id);
    const { settings, connections, ...rest } = object;
    const expected = { id, teamId: mine.actor.teamId, ownerId: owner, status: 1, textRevision: 0 };
    assert.deepEqual(rest, { entity: 'VastTag', ...expected });
    assert.partialDeepStrictEqual(settings, {
      Name: 'pre-roll',
      Bidfloor: 1.25,
      Countries: ['US', 'DE'],
      Auth: credentialHash('s3cret'),
    });
    const none: number[] = [];
    assert.deepEqual(connections, {
      Tags: none,
      DomainsBrandsList: [list],
      AppsList: none,
      IpBlacklists: none,
      Campaigns: none,
      DspRtbEps: none,
      DspVastTags: [c, a, b],
    });
    assert.deepEqual((await objectOf(mine, 'DomainList', list)).connections.VastTags, [id]);
    assert.deepEqual((await objectOf(mine, 'DspVastTag', a)).connections.VastTags, [id]);
  });

  for (const { key, fields } of entities) {
    test(`every field of a ${key} that delivery reads is filled, and no other is sent`, async () => {
      const mine = await room();
      const { settings, ownerId } = await objectOf(mine, key, await mine.add(key, { Name: 'bare' }));
      const expected = Object.entries(fields).flatMap(([name, field]) => {
        const { place, omitted } = field;
        if (!isForDelivery(field)) return [];
        if (place.kind === 'document') return [[name, name === 'Name' ? 'bare' : omitted]];
        if (place.kind === 'secret') return [[name, '']];
        return place.kind === 'lineCount' ? [[name, 0]] : [];
      });
      assert.deepEqual(settings, Object.fromEntries(expected));
      assert.equal(ownerId, undefined);
    });
  }
}

function objectsOfAllTeams({ room }: Opened): void {
  test('objects of all teams come in order of ID, over many pages; of picked IDs those that there are', async () => {
    const [mine, theirs] = [await room(), await room()];
    const added: number[] = [];
    for (const { write, add } of [mine, theirs, mine]) {
      await write(async (transaction) => {
        for (let count = 0; count < 400; count += 1) {
          added.push(await transaction.insert(entityOf('Tag'), { document: {}, connections: {} }));
        }
      });
      added.push(await add('Tag'));
    }
    const all = (await objectsOf(mine, 'Tag')).map(({ id }) => id);
    assert.deepEqual(
      all.filter((id) => added.includes(id)),
      added,
    );
    assert.deepEqual(
      all,
      all.toSorted((x, y) => x - y),
    );
    const wanted = [added[700] ?? 0, 2 ** 30, added[3] ?? 0, 0, -1];
    assert.deepEqual(
      (await objectsOf(mine, 'Tag', wanted)).map(({ id }) => id),
      [added[3], added[700]],
    );
    assert.deepEqual(await objectsOf(mine, 'Tag', []), []);
    assert.deepEqual((await objectsOf(mine, 'Tag', added)).length, added.length);
    assert.equal(await mine.store.feed.object('Tag', 2 ** 30), undefined);
  });
}

function changes({ room }: Opened): void {
  test('changes of all teams come in order, both ends of a connection, so many at a time', async () => {
    const [mine, theirs] = [await room(), await room()];
    const start = await mine.store.feed.revision();
    const demand = await mine.add('DspVastTag');
    const tag = await theirs.add('Tag');
    const supply = await mine.add('VastTag', {}, { connections: { DspVastTags: [demand] } });
    await mine.update('DspVastTag', demand, { connections: { VastTags: [] } });
    const expected = [
      { revision: start + 1, entity: 'DspVastTag', id: demand },
      { revision: start + 2, entity: 'Tag', id: tag },
      { revision: start + 3, entity: 'VastTag', id: supply },
      { revision: start + 4, entity: 'DspVastTag', id: demand },
      { revision: start + 5, entity: 'DspVastTag', id: demand },
      { revision: start + 6, entity: 'VastTag', id: supply },
    ];
    const { feed } = mine.store;
    assert.deepEqual(await feed.changes(start, 100), expected);
    assert.deepEqual(await feed.changes(start + 1, 2), expected.slice(1, 3));
    assert.deepEqual(await feed.changes(start + 6, 100), []);
    assert.equal(await feed.revision(), start + 6);
  });

  test("a list's text comes in its parts, and its revision changes only with it", async () => {
    const mine = await room();
    const text = ['a.example\nb.example', 'c.example'];
    const id = await mine.add('DomainList', { Name: 'list' }, { text });
    const revisionOf = async () => (await objectOf(mine, 'DomainList', id)).textRevision;
    const first = await revisionOf();
    assert.equal(first, await mine.store.feed.revision());
    assert.deepEqual(await Array.fromAsync(mine.store.feed.text('DomainList', id)), text);
    await mine.update('DomainList', id, { document: { Name: 'renamed' } });
    await mine.add('VastTag', {}, { connections: { DomainsBrandsList: [id] } });
    assert.equal(await revisionOf(), first);
    await mine.update('DomainList', id, { text: ['d.example'] });
    assert.equal(await revisionOf(), await mine.store.feed.revision());
    assert.deepEqual(await Array.fromAsync(mine.store.feed.text('DomainList', id)), ['d.example']);
    assert.equal((await objectOf(mine, 'DomainList', await mine.add('DomainList'))).textRevision, 0);
  });
}

function news({ room, opened }: Opened): void {
  test('tells of own commits before anything else can happen, and of those of others', async () => {
    const mine = await room();
    const elsewhere = await opened().database.open();
    const seen: number[] = [];
    let onNews: () => void = () => undefined;
    const heard = async (from: TeamRoom) => {
      const next = new Promise<void>((resolve) => {
        onNews = resolve;
      });
      await from.add('Tag');
      await next;
      return elsewhere.feed.revision();
    };
    const end = elsewhere.feed.onChange(() => {
      seen.push(0);
      onNews();
    });
    const own = roomOf(opened().database, elsewhere, mine.actor);
    const before = seen.length;
    await own.add('Tag');
    assert.ok(seen.length > before, 'at once');
    const revision = await heard(own);
    assert.equal(await heard(mine), revision + 1);
    end();
    const after = seen.length;
    await own.add('Tag');
    assert.equal(seen.length, after);
    await elsewhere.close();
  });
}

/** The feed of the exchange. */
export function feedContract(engine: Engine): void {
  describe('the feed', () => {
    const opened = openedFor(engine);
    objects(opened);
    objectsOfAllTeams(opened);
    changes(opened);
    news(opened);
  });
}
