import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { entities, entityOf } from '../../src/entities/registry.ts';
import type { Filter, ObjectWrite } from '../../src/store/interface.ts';
import type { Engine } from './engine.ts';
import { freshName, type Opened, openedFor, type TeamRoom } from './team-room.ts';

const vastTag = entityOf('VastTag');

async function addPublisher(room: TeamRoom, name = 'Media', managerId = room.actor.userId): Promise<number> {
  const document = { Name: name, Username: freshName('u'), StatsAuth: `secret of ${name}` };
  return room.add('Publisher', document, { managerId });
}

/** Two publishers of two managers; three tags of the first and two of the second, every other one inactive. */
async function addShop(room: TeamRoom) {
  const other = await room.store.identity.addUser({
    teamId: room.actor.teamId,
    mail: `${freshName()}@example.com`,
    firstName: 'Bob',
    lastName: '',
    role: 1,
    status: 0,
    passwordHash: '',
  });
  const owners = [await addPublisher(room), await addPublisher(room, 'Other', other)] as const;
  const tags: number[] = [];
  for (const owner of [owners[0], owners[1], owners[0], owners[1], owners[0]]) {
    tags.push(await room.add('VastTag', { PublisherId: owner, Name: `tag ${tags.length}` }));
  }
  for (const id of [tags[1], tags[2]]) if (id !== undefined) await room.setStatus('VastTag', id, 1);
  return { owners, managers: [room.actor.userId, other ?? 0] as const, tags };
}

function reading({ room }: Opened): void {
  test('is read with chosen members alike, however long the rest is', async () => {
    const { add, store, actor } = await room();
    const document = { Name: 'Zürich "x" 🎈', Bidfloor: 0.000001, SiteDomain: '', Countries: ['US', 'DE'] };
    const short = await add('VastTag', document);
    const long = await add('VastTag', { ...document, CridList: 'creative\n'.repeat(1000) });
    const read = async (...names: readonly string[]) =>
      (await store.page(vastTag, actor.teamId, { ids: [short, long] }, 2, names)).map(({ document: found }) =>
        names.map((name) => found[name]),
      );
    const both = (...values: readonly unknown[]) => [values, values];
    assert.deepEqual(await read('Name'), both(document.Name));
    assert.deepEqual(await read('Bidfloor'), both(document.Bidfloor));
    assert.deepEqual(
      await read('Countries', 'Name', 'SiteDomain'),
      both(document.Countries, document.Name, ''),
    );
    assert.deepEqual(await read(), both());
    assert.equal(await store.count(vastTag, actor.teamId), 2);
    assert.equal(await store.count(vastTag, actor.teamId + 1_000_000), 0);
  });

  test('an added object is found whole, active, with nothing connected', async () => {
    const { add, get, actor } = await room();
    const document = {
      Name: 'Zürich 🎈\n"x" \\ \u2028',
      Tmax: 300,
      Bidfloor: 0.000001,
      Countries: ['US', 'DE'],
    };
    const id = await add('VastTag', document);
    const object = await get('VastTag', id);
    assert.deepEqual(
      { id: object.id, teamId: object.teamId, status: object.status, document: object.document },
      { id, teamId: actor.teamId, status: 0, document },
    );
    const arrays = [
      'Tags',
      'DomainsBrandsList',
      'AppsList',
      'IpBlacklists',
      'Campaigns',
      'DspRtbEps',
      'DspVastTags',
    ];
    assert.deepEqual(object.derived, Object.fromEntries(arrays.map((name) => [name, []])));
  });

  test('every entity can be added and found in both forms', async () => {
    const { add, get, store, actor } = await room();
    for (const entity of entities) {
      const id = await add(entity.key, { Name: entity.title });
      const page = await store.page(entity, actor.teamId, {}, 10);
      const single = await get(entity.key, id);
      assert.equal(single.document.Name, entity.title);
      assert.deepEqual(
        page.map((object) => object.id),
        [id],
      );
      const shown = Object.keys(single.derived).filter((name) => entity.fields[name]?.inArray);
      assert.deepEqual(Object.keys(page[0]?.derived ?? {}).sort(), shown.sort(), entity.key);
    }
  });

  test('an ID of none, of another team or of another entity finds nothing', async () => {
    const [mine, theirs] = [await room(), await room()];
    const id = await mine.add('VastTag', { Name: 'mine' });
    const none = { find: mine.store.find, ids: [0, -1, id + 1000, 2 ** 31 - 1, 2 ** 53] };
    for (const wrong of none.ids) {
      assert.equal(
        await mine.write((transaction) => transaction.find(vastTag, wrong)),
        undefined,
        `${wrong}`,
      );
    }
    assert.equal(await mine.store.find(vastTag, theirs.actor.teamId, { id }), undefined);
    assert.equal(await theirs.write((transaction) => transaction.find(vastTag, id)), undefined);
    assert.equal(await mine.store.find(entityOf('Campaign'), mine.actor.teamId, { id }), undefined);
    assert.deepEqual(await theirs.store.page(vastTag, theirs.actor.teamId, {}, 10), []);
  });
}

function accounts({ room }: Opened): void {
  test('an object shows the account it belongs to, as that is now', async () => {
    const { add, get, update, actor } = await room();
    const publisher = await add(
      'Publisher',
      { Name: 'Media', Username: freshName('u'), StatsAuth: 's3' },
      { managerId: actor.userId },
    );
    const tag = await add('VastTag', { PublisherId: publisher, Name: 'pre-roll' });
    const account = (await get('Publisher', publisher)).account;
    assert.deepEqual(account, {
      name: 'Media',
      username: account.username,
      statsAuth: 's3',
      managerId: actor.userId,
      managerName: 'Ada Byron',
    });
    assert.deepEqual((await get('VastTag', tag)).account, account);
    await update('Publisher', publisher, { document: { Name: 'Renamed' } });
    assert.equal((await get('VastTag', tag)).account.name, 'Renamed');
    const list = await get('DomainList', await add('DomainList', { Name: 'no account' }));
    assert.deepEqual(list.account, { name: '', username: '', statsAuth: '', managerId: 0, managerName: '' });
  });

  test('an owner counts its objects, active or not, and only its own', async () => {
    const shop = await room();
    const { owners, tags } = await addShop(shop);
    const counts = async (id: number) => (await shop.get('Publisher', id)).derived;
    assert.deepEqual(await counts(owners[0]), {
      BannerEpsCount: 0,
      VastTagsCount: 3,
      RtbEpsCount: 0,
      PopFeedsCount: 0,
    });
    await shop.update('VastTag', tags[0] ?? 0, { document: { PublisherId: owners[1] } });
    assert.equal((await counts(owners[0])).VastTagsCount, 2);
    assert.equal((await counts(owners[1])).VastTagsCount, 3);
  });
}

function filtering({ room }: Opened): void {
  test('a page holds what the filter leaves, in order of ID, up to its limit', async () => {
    const shop = await room();
    const { owners, managers, tags } = await addShop(shop);
    const cases: readonly [filter: Filter, limit: number, wanted: readonly number[]][] = [
      [{}, 10, [0, 1, 2, 3, 4]],
      [{}, 2, [0, 1]],
      [{ afterId: tags[1] ?? 0 }, 10, [2, 3, 4]],
      [{ afterId: tags[1] ?? 0 }, 1, [2]],
      [{ afterId: tags[4] ?? 0 }, 10, []],
      [{ ownerId: owners[0] }, 10, [0, 2, 4]],
      [{ ownerId: owners[1] + 1000 }, 10, []],
      [{ managerId: managers[1] }, 10, [1, 3]],
      [{ activeOnly: true }, 10, [0, 3, 4]],
      [{ activeOnly: false }, 10, [0, 1, 2, 3, 4]],
      [{ ownerId: owners[0], activeOnly: true }, 10, [0, 4]],
      [{ ownerId: owners[0], managerId: managers[1] }, 10, []],
      [{ ownerId: owners[0], managerId: managers[0], activeOnly: true, afterId: tags[0] ?? 0 }, 10, [4]],
      [{ id: tags[3] ?? 0 }, 10, [3]],
      [{ id: tags[3] ?? 0, ownerId: owners[0] }, 10, []],
    ];
    for (const [filter, limit, wanted] of cases) {
      const page = await shop.store.page(vastTag, shop.actor.teamId, filter, limit);
      const ids = page.map(({ id }) => id);
      assert.deepEqual(
        ids,
        wanted.map((index) => tags[index]),
        JSON.stringify({ filter, limit }),
      );
    }
  });

  test('what is outside the filter is not found by its ID either', async () => {
    const shop = await room();
    const { owners, managers, tags } = await addShop(shop);
    const id = tags[1] ?? 0;
    const isFound = async (filter: Filter) =>
      (await shop.store.find(vastTag, shop.actor.teamId, { id, ...filter })) !== undefined;
    assert.equal(await isFound({ ownerId: owners[1], managerId: managers[1] }), true);
    assert.equal(await isFound({ ownerId: owners[0] }), false);
    assert.equal(await isFound({ managerId: managers[0] }), false);
    assert.equal(await isFound({ activeOnly: true }), false);
    assert.equal(await isFound({ afterId: id }), false);
  });
}

function paging({ room }: Opened): void {
  test('accounts are filtered by their own manager', async () => {
    const shop = await room();
    const { owners, managers } = await addShop(shop);
    const page = await shop.store.page(
      entityOf('Publisher'),
      shop.actor.teamId,
      { managerId: managers[1] },
      10,
    );
    assert.deepEqual(
      page.map(({ id }) => id),
      [owners[1]],
    );
  });

  test('pages after one another hold every object once', async () => {
    const { add, store, actor } = await room();
    const ids: number[] = [];
    for (let index = 0; index < 25; index += 1) ids.push(await add('Tag', { Name: `${index}` }));
    const seen: number[] = [];
    for (let afterId = 0; ; ) {
      const page = await store.page(entityOf('Tag'), actor.teamId, { afterId }, 7);
      seen.push(...page.map(({ id }) => id));
      if (page.length < 7) break;
      afterId = page.at(-1)?.id ?? 0;
    }
    assert.deepEqual(seen, ids);
  });
}

function changing({ room }: Opened): void {
  test('an update changes what it carries and nothing else', async () => {
    const { add, get, update } = await room();
    const id = await add('Publisher', {
      Name: 'a',
      City: 'Bern',
      Username: freshName('u'),
      StatsAuth: 'kept',
    });
    const before = await get('Publisher', id);
    await update('Publisher', id, { document: { City: '', Countries: [] } });
    const { document, account } = await get('Publisher', id);
    assert.deepEqual(document, { ...before.document, City: '', Countries: [] });
    assert.equal(account.statsAuth, 'kept');
  });

  test('the status is set, and set again to no effect', async () => {
    const { add, get, setStatus, changes } = await room();
    const id = await add('Tag', { Name: 'a' });
    for (const status of [1, 1, 0, 0] as const) {
      await setStatus('Tag', id, status);
      assert.equal((await get('Tag', id)).status, status);
    }
    const operations = (await changes()).map(({ operation }) => operation);
    assert.deepEqual(operations, ['add', 'deactivate', 'activate']);
  });

  test('an update to what is there already makes no revision; every real one does', async () => {
    const { actor, add, get, update, changes } = await room();
    const [first, second] = [await add('Tag', { Name: 'a' }), await add('Tag', { Name: 'b' })];
    const publisher = await add('Publisher', { Name: 'p' }, { managerId: actor.userId });
    const document = { Name: 'v', Countries: ['DE', 'FR'], StatsApiHeaders: 'A: b' };
    const id = await add('DspVastTag', document, { connections: { Tags: [first, second] } });
    const before = await get('DspVastTag', id);
    const count = (await changes()).length;
    for (const writing of [{}, { document }, { connections: { Tags: [first, second] } }]) {
      await update('DspVastTag', id, writing);
    }
    await update('Publisher', publisher, { managerId: actor.userId });
    assert.deepEqual(await get('DspVastTag', id), before);
    assert.equal((await changes()).length, count);
    const revisions = [before.revision];
    const real: readonly Partial<ObjectWrite>[] = [
      { document: { Countries: ['FR', 'DE'] } },
      { document: { StatsApiHeaders: 'A: c' } },
      { connections: { Tags: [second, first] } },
    ];
    for (const writing of real) {
      await update('DspVastTag', id, writing);
      revisions.push((await get('DspVastTag', id)).revision);
    }
    assert.equal(new Set(revisions).size, revisions.length);
  });

  test('an update leaves the status alone', async () => {
    const { add, get, setStatus, update } = await room();
    const id = await add('Tag', { Name: 'a' });
    await setStatus('Tag', id, 1);
    await update('Tag', id, { document: { Name: 'b' } });
    assert.deepEqual([(await get('Tag', id)).status, (await get('Tag', id)).document.Name], [1, 'b']);
  });
}

function asking({ room }: Opened): void {
  test('missing IDs are told in their order; another team has none of ours', async () => {
    const [mine, theirs] = [await room(), await room()];
    const [a, b] = [await mine.add('Tag', { Name: 'a' }), await mine.add('Tag', { Name: 'b' })];
    const missing = (who: TeamRoom, key: string, ids: number[]) => who.write((t) => t.missing(key, ids));
    assert.deepEqual(await missing(mine, 'Tag', [9_999_999, b, 8_888_888, a]), [9_999_999, 8_888_888]);
    assert.deepEqual(await missing(theirs, 'Tag', [b, a]), [b, a]);
    assert.deepEqual(await missing(mine, 'Tag', []), []);
    assert.deepEqual(await missing(mine, 'User', [mine.actor.userId]), []);
    assert.deepEqual(await missing(theirs, 'User', [mine.actor.userId]), [mine.actor.userId]);
    const many = Array.from({ length: 50_000 }, (_, index) => index + 1_000_000);
    assert.deepEqual(await missing(mine, 'Tag', [...many, a]), many);
  });

  test('a user name is taken in every team, for one entity, by another object', async () => {
    const [mine, theirs] = [await room(), await room()];
    const name = freshName('u');
    const id = await mine.add('Publisher', { Name: 'a', Username: name });
    const taken = (who: TeamRoom, key: string, exceptId: number) =>
      who.write((t) => t.taken(entityOf(key), name, exceptId));
    assert.equal(await taken(theirs, 'Publisher', 0), true);
    assert.equal(await taken(mine, 'Publisher', id), false);
    assert.equal(await taken(mine, 'Advertiser', 0), false);
    await assert.rejects(theirs.add('Publisher', { Name: 'b', Username: name }));
    await theirs.add('Advertiser', { Name: 'c', Username: name });
  });
}

/** Finding, filtering and changing single objects. */
export function objectsContract(engine: Engine): void {
  describe('objects', () => {
    const opened = openedFor(engine);
    describe('are read', () => reading(opened));
    describe('show their account', () => accounts(opened));
    describe('are filtered', () => filtering(opened));
    describe('come in pages', () => paging(opened));
    describe('are changed', () => changing(opened));
    describe('are asked for by a transaction', () => asking(opened));
  });
}
