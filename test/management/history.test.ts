import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { entityOf } from '../../src/entities/registry.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import { type Api, type Fetched, posted, startApi, type Values } from './api.ts';
import { fullValues, makeWorld } from './full-values.ts';
import { assertRefused } from './refusals.ts';
import { resourceNames, resources } from './resources.ts';
import { addUsers } from './users.ts';

interface Row {
  readonly Revision: number;
  readonly Time: string;
  readonly UserId: number;
  readonly UserName: string;
  readonly Entity: string;
  readonly Id: number;
  readonly Operation: string;
  readonly Changes: readonly Values[];
}

const { server, api } = await startApi();
const [manager, analyst, outsider] = await addUsers(server, [
  { role: 1, teamId: 1 },
  { role: 2, teamId: 1 },
  { role: 1 },
]);
assert.ok(manager && analyst && outsider);
const colleague = api.as(manager.token);

async function history(caller: Api, query = ''): Promise<readonly Row[]> {
  const reply = await caller.get(`/api/history/get?${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body as unknown as readonly Row[];
}

const historyOf = (Entity: string, { Id }: Fetched) => history(api, `Entity=${Entity}&Id=${Id}`);
const done = ({ Operation, UserId, Changes }: Row) => ({ Operation, UserId, Changes });
const revisionNow = async () => (await history(api, 'Limit=1000')).at(-1)?.Revision ?? 0;

async function setStatus(name: 'VastTag', operation: string, { Id }: Fetched): Promise<Fetched> {
  const { path, wrapper } = resources[name];
  return posted(await api.post(`/api/${path}/${operation}`, { [wrapper]: { Id } }), wrapper);
}

suite('a row tells who changed what, and when', () => {
  test('an add has every value, and no old one', async () => {
    const before = Date.now();
    const tag = await colleague.add('Tag', { Name: 'Premium', Color: '#fff' });
    const [row, ...more] = await historyOf('Tag', tag);
    assert.deepEqual(more, []);
    assert.ok(row && row.Revision > 0);
    assert.equal(row.Time, new Date(Date.parse(row.Time)).toJSON());
    assert.ok(Date.parse(row.Time) >= before && Date.parse(row.Time) <= Date.now());
    assert.deepEqual(
      { ...row, Revision: 1, Time: '' },
      {
        Revision: 1,
        Time: '',
        UserId: manager.id,
        UserName: manager.firstName,
        Entity: 'Tag',
        Id: tag.Id,
        Operation: 'add',
        Changes: [
          { Field: 'Name', New: 'Premium' },
          { Field: 'Color', New: '#fff' },
        ],
      },
    );
  });

  test('an update has what changed, as answers show it, and nothing else', async () => {
    const tag = await api.add('VastTag', { Name: 'old', Bidfloor: 1.5, Countries: [{ CC: 'DE' }] });
    const label = await api.add('Tag');
    const values = { Name: 'new', Bidfloor: 1.5, Countries: [{ CC: 'FR' }], Tags: [label.Id] };
    await colleague.update('VastTag', { Id: tag.Id, ...values });
    const [, row] = (await historyOf('VastTag', tag)).map(done);
    assert.deepEqual(row, {
      Operation: 'update',
      UserId: manager.id,
      Changes: [
        { Field: 'Name', Old: 'old', New: 'new' },
        {
          Field: 'Countries',
          Old: [{ CC: 'DE', Country: 'Germany' }],
          New: [{ CC: 'FR', Country: 'France' }],
        },
        { Field: 'Tags', Old: [], New: [label.Id] },
      ],
    });
  });

  test('the status, the account manager and the owner', async () => {
    const publisher = await api.add('Publisher');
    const tag = await api.add('VastTag');
    await setStatus('VastTag', 'deactivate', tag);
    await setStatus('VastTag', 'deactivate', tag);
    await setStatus('VastTag', 'activate', tag);
    await api.update('Publisher', { Id: publisher.Id, AccManagerId: manager.id });
    await api.update('VastTag', { Id: tag.Id, PublisherId: publisher.Id });
    const changes = async (name: string, object: Fetched) =>
      (await historyOf(name, object)).slice(1).map(({ Operation, Changes }) => [Operation, Changes]);
    assert.deepEqual(await changes('VastTag', tag), [
      ['deactivate', [{ Field: 'Status', Old: 0, New: 1 }]],
      ['activate', [{ Field: 'Status', Old: 1, New: 0 }]],
      ['update', [{ Field: 'PublisherId', Old: tag.PublisherId, New: publisher.Id }]],
    ]);
    assert.deepEqual(await changes('Publisher', publisher), [
      ['update', [{ Field: 'AccManagerId', Old: 1, New: manager.id }]],
    ]);
  });

  test('a connection has a row on both sides, and the user of the one change', async () => {
    const [first, second] = [await api.add('DspVastTag'), await api.add('DspVastTag')];
    const tag = await api.add('VastTag', { DspVastTags: [first.Id] });
    await colleague.update('VastTag', { Id: tag.Id, DspVastTags: [second.Id] });
    const connected = {
      Operation: 'connect',
      Changes: [{ Field: 'VastTags', Added: [tag.Id], Removed: [] }],
    };
    const gone = { Operation: 'connect', Changes: [{ Field: 'VastTags', Added: [], Removed: [tag.Id] }] };
    assert.deepEqual((await historyOf('DspVastTag', first)).slice(1).map(done), [
      { UserId: 1, ...connected },
      { UserId: manager.id, ...gone },
    ]);
    assert.deepEqual((await historyOf('DspVastTag', second)).slice(1).map(done), [
      { UserId: manager.id, ...connected },
    ]);
    const [, update] = await historyOf('VastTag', tag);
    assert.deepEqual(update?.Changes, [{ Field: 'DspVastTags', Old: [first.Id], New: [second.Id] }]);
  });

  test('a list shows who uses it', async () => {
    const list = await api.add('DomainList');
    const tag = await api.add('VastTag', { DomainsBrandsList: [list.Id] });
    const [, row] = await historyOf('DomainList', list);
    assert.deepEqual(row?.Changes, [{ Field: 'VastTags', Added: [tag.Id], Removed: [] }]);
  });

  test("a list's text is told of by its counts, and that it was written, never shown", async () => {
    const list = await api.add('DomainList', { ListText: 'one.example' });
    await api.update('DomainList', { Id: list.Id, ListText: 'two.example\nthree.example' });
    await api.update('DomainList', { Id: list.Id, ListText: 'four.example\nfive.example' });
    await api.update('DomainList', { Id: list.Id, Name: 'renamed' });
    const rows = await historyOf('DomainList', list);
    assert.deepEqual(
      rows.slice(1).map(({ Changes }) => Changes),
      [
        [
          { Field: 'DomainCount', Old: 1, New: 2 },
          { Field: 'ListText', Written: 1 },
        ],
        [{ Field: 'ListText', Written: 1 }],
        [{ Field: 'Name', Old: 'List', New: 'renamed' }],
      ],
    );
    assert.doesNotMatch(JSON.stringify(rows), /\.example/);
  });

  test('what the command line has done is the program’s', async () => {
    const store = await openConfiguredStore(server.databaseUrl);
    const actor = { teamId: 1, userId: 0 };
    const document = { Name: 'from the command line', Color: '' };
    const Id = await store.write(actor, (transaction) =>
      transaction.insert(entityOf('Tag'), { document, connections: {} }),
    );
    await store.close();
    const [row] = await history(api, `Entity=Tag&Id=${Id}`);
    assert.deepEqual([row?.UserId, row?.UserName], [0, 'Bourse']);
  });

  test('a refused write and a dry run leave no row', async () => {
    const before = await revisionNow();
    assertRefused(await api.post('/api/tag/add', { Tag: { Name: '' } }), { status: 406 });
    assert.equal((await api.post('/api/tag/add?DryRun=1', { Tag: { Name: 'never' } })).status, 200);
    assert.deepEqual(await history(api, `AfterRevision=${before}`), []);
  });
});

suite('the history is asked', () => {
  test('page by page', async () => {
    const from = await revisionNow();
    for (let each = 0; each < 25; each += 1) await api.add('Tag', { Name: `tag ${each}` });
    const all = await history(api, `AfterRevision=${from}&Limit=1000`);
    assert.equal(all.length, 25);
    const paged: Row[] = [];
    for (;;) {
      const page = await history(api, `Limit=7&AfterRevision=${paged.at(-1)?.Revision ?? from}`);
      assert.ok(page.length <= 7);
      paged.push(...page);
      if (page.length < 7) break;
    }
    assert.deepEqual(paged, all);
    const revisions = all.map(({ Revision }) => Revision);
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b),
    );
  });

  test('at most a hundred rows where no limit is given', async () => {
    for (let each = 0; each < 110; each += 1) await api.add('Tag');
    assert.equal((await history(api)).length, 100);
    assert.equal((await history(api, 'Limit=0')).length, 100);
    assert.ok((await history(api, 'Limit=1000')).length > 100);
  });

  test('by entity, ID and user, which count together', async () => {
    const [tag, list] = [await colleague.add('Tag'), await colleague.add('AppList')];
    await api.update('Tag', { Id: tag.Id, Name: 'again' });
    const all = await history(api, 'Limit=1000');
    const wanted: readonly (readonly [string, (row: Row) => boolean])[] = [
      ['Entity=AppList', ({ Entity }) => Entity === 'AppList'],
      [`Id=${list.Id}`, ({ Id }) => Id === list.Id],
      [`UserId=${manager.id}`, ({ UserId }) => UserId === manager.id],
      [`Entity=Tag&Id=${tag.Id}`, ({ Entity, Id }) => Entity === 'Tag' && Id === tag.Id],
      [`Entity=Tag&UserId=${manager.id}`, ({ Entity, UserId }) => Entity === 'Tag' && UserId === manager.id],
      ['Entity=Campaign&UserId=77', () => false],
    ];
    for (const [query, isWanted] of wanted) {
      assert.deepEqual(await history(api, `${query}&Limit=1000`), all.filter(isWanted), query);
    }
  });

  test('by time: from one time on, until before another; a day begins at midnight UTC', async () => {
    await nextMillisecond();
    const tag = await api.add('Tag');
    const [row] = await historyOf('Tag', tag);
    assert.ok(row);
    const at = Date.parse(row.Time);
    const [time, next] = [new Date(at).toJSON(), new Date(at + 1).toJSON()];
    const ids = async (query: string) => (await history(api, `${query}&Entity=Tag`)).map(({ Id }) => Id);
    assert.deepEqual(await ids(`From=${time}&To=${next}`), [tag.Id]);
    assert.deepEqual(await ids(`From=${time}&To=${time}`), []);
    assert.ok(!(await ids(`From=${next}&Limit=1000`)).includes(tag.Id));
    assert.ok(!(await ids(`To=${time}&Limit=1000`)).includes(tag.Id));
    const [day, tomorrow] = [at, at + 86_400_000].map((ms) => new Date(ms).toJSON().slice(0, 10));
    assert.ok((await ids(`From=${day}&To=${tomorrow}&Limit=1000`)).includes(tag.Id));
    assert.deepEqual(await ids(`To=${day}`), []);
    const inBerlin = `${new Date(at + 3_600_000).toJSON().slice(0, -1)}%2B01:00`;
    assert.ok((await ids(`From=${inBerlin}`)).includes(tag.Id));
    assert.deepEqual(await ids(`From=${inBerlin.replace('%2B', '+')}`), await ids(`From=${inBerlin}`));
  });

  const refused: readonly (readonly [query: string, paths: readonly string[], says: string])[] = [
    ['Entity=Nonsense', ['Entity'], 'DspVastTag'],
    ['Entity=vasttag', ['Entity'], 'did you mean `VastTag`?'],
    ['Id=x', ['Id'], 'whole number'],
    ['UserId=-1&Id=1.5', ['Id', 'UserId'], 'whole number'],
    ['Limit=1001', ['Limit'], '1000 or less'],
    ['AfterRevision=99999999999999999999', ['AfterRevision'], 'or less'],
    ['From=yesterday', ['From'], '2027-01-31T12:00:00Z'],
    ['To=2027-02-30', ['To'], 'a day like'],
    ['From=2027-01-31T12:00:00', ['From'], 'must be'],
    ['From=2027-01-31T12:00:00Z&To=2027-01-30', ['To'], 'before From'],
    ['Entity=Tag&Entity=Tag', ['Entity'], 'twice'],
    [
      'User=1',
      ['User'],
      'known are: Entity, Id, Field, UserId, BatchId, OncePerBatch, From, To, AfterRevision, Order, Cursor, Limit',
    ],
  ];
  for (const [query, paths, says] of refused) {
    test(`not by ${query}`, async () => {
      assertRefused(await api.get(`/api/history/get?${query}`), { status: 406, paths, says: [says] });
    });
  }

  test('by analysts too, and by nobody without a token', async () => {
    assert.ok((await history(api.as(analyst.token))).length > 0);
    assertRefused(await api.as('').get('/api/history/get'), { status: 401 });
  });
});

suite('the history is closed', () => {
  test("another team's changes are not in it, whatever is asked", async () => {
    const theirs = api.as(outsider.token);
    const tag = await theirs.add('Tag', { Name: 'Confidential-41c9' });
    await api.add('Tag');
    const seen = await history(theirs, 'Limit=1000');
    assert.deepEqual(
      seen.map(({ Entity, Id }) => [Entity, Id]),
      [['Tag', tag.Id]],
    );
    for (const query of ['Limit=1000', `Id=${tag.Id}`, `Entity=Tag&Id=${tag.Id}`, `UserId=${outsider.id}`]) {
      assert.doesNotMatch(JSON.stringify(await history(api, query)), /Confidential-41c9/);
    }
    assert.deepEqual(await history(api, `UserId=${outsider.id}`), []);
  });

  test('no credential is in it: of no object, key, session or user', async () => {
    const world = await makeWorld(api, resourceNames);
    const secrets = new Set<string>([server.password, server.token, manager.token]);
    const remember = (object: Values) => {
      const text = JSON.stringify(object);
      for (const [, secret] of text.matchAll(/auth=([\w-]{32})/g)) secrets.add(String(secret));
      for (const name of ['Auth', 'AuthDirectUrl', 'StatsAuth']) {
        if (typeof object[name] === 'string') secrets.add(object[name]);
      }
    };
    for (const name of resourceNames) {
      remember(await api.one(name, world[name]));
      remember(await api.update(name, { ...(await api.one(name, world[name])), Name: `${name} renamed` }));
    }
    for (const [name, values] of Object.entries(fullValues)) {
      remember(await api.add(name as keyof typeof fullValues, values(world)));
    }
    const key = posted(await api.post('/api/auth/apikey/add', { ApiKey: { Label: 'a label' } }), 'ApiKey');
    secrets.add(String(key.Key));
    await api.as(String(key.Key)).add('Tag');
    const headers = 'X-Key: a-credential-of-the-advertiser';
    await api.add('DspVastTag', { StatsApiHeaders: headers });
    secrets.add(headers);
    assert.ok(secrets.size > 12, `${secrets.size} secrets are looked for`);
    let text = '';
    for (let revision = 0; ; ) {
      const page = await history(api, `Limit=1000&AfterRevision=${revision}`);
      text += JSON.stringify(page);
      if (page.length < 1000) break;
      revision = page.at(-1)?.Revision ?? 0;
    }
    for (const secret of secrets) assert.ok(!text.includes(secret), `the history holds ${secret}`);
    assert.doesNotMatch(text, /"(Auth|AuthDirectUrl|StatsAuth)"|argon2/);
  });
});

/** Waits until the clock shows another millisecond than when it was called. */
async function nextMillisecond(): Promise<void> {
  const start = Date.now();
  while (Date.now() === start) await new Promise((resolve) => setImmediate(resolve));
}
