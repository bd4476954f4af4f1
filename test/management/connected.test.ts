import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Fetched, startApi, type Values } from './api.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi({ apiRateLimit: 100_000 });

interface Row {
  readonly Id: number;
  readonly Name: string;
  readonly Status: number;
  readonly IsConnected: number;
  readonly Place: number;
  readonly NeverMatches: readonly Values[];
}

const dsps: Fetched[] = [];
let tag: Fetched;

before(async () => {
  for (const Name of ['delta', 'Alpha', 'charlie', 'Bravo', 'ÄCHO']) {
    const only = Name === 'charlie' || Name === 'Alpha' ? { Countries: [{ CC: 'US' }] } : {};
    dsps.push(await api.add('DspVastTag', { Name, ...only }));
  }
  tag = await api.add('VastTag', { Name: 'tag', Countries: [{ CC: 'DE' }], DspVastTags: [3, 1] });
  await api.post('/api/ortb/dspvasttag/deactivate', { DspRtbEp: { Id: 4 } });
});

async function connected(query: string, path = 'ortb/vasttag', as = api) {
  const { status, text, body, headers } = await as.get(`/api/${path}/connected?${query}`);
  assert.equal(status, 200, text);
  return {
    rows: body as unknown as readonly Row[],
    total: headers.get('bourse-total'),
    cursor: headers.get('bourse-cursor'),
  };
}
const ofTag = () => `Id=${tag.Id}&Field=DspVastTags`;

test('connected objects come first in their order, then the others by name', async () => {
  const { rows, total, cursor } = await connected(ofTag());
  assert.deepEqual(
    rows.map(({ Name, Status, IsConnected, Place }) => [Name, Status, IsConnected, Place]),
    [
      ['charlie', 0, 1, 1],
      ['delta', 0, 1, 2],
      ['Alpha', 0, 0, 0],
      ['Bravo', 1, 0, 0],
      ['ÄCHO', 0, 0, 0],
    ],
  );
  assert.deepEqual([total, cursor], ['5', null]);
});

test('pairs that can never match tell the rule, connected or not', async () => {
  const { rows } = await connected(ofTag());
  const told = rows.flatMap(({ Name, NeverMatches }) =>
    NeverMatches.map(({ Rule, Field }) => [Name, Rule, Field]),
  );
  assert.deepEqual(told, [
    ['charlie', 'country_not_targeted', 'Countries'],
    ['Alpha', 'country_not_targeted', 'Countries'],
  ]);
  const { rows: back } = await connected('Id=3&Field=VastTags', 'ortb/dspvasttag');
  assert.deepEqual(
    back.map(({ Id, IsConnected, NeverMatches }) => [Id, IsConnected, NeverMatches.map(({ Rule }) => Rule)]),
    [[tag.Id, 1, ['country_not_targeted']]],
  );
});

const found: readonly (readonly [what: string, query: string, ids: readonly number[]])[] = [
  ['only those connected', 'Connected=1', [3, 1]],
  ['only the others', 'Connected=0', [2, 4, 5]],
  ['by a part of the name', 'Query=HA', [3, 2]],
  ['by a part beyond ASCII', 'Query=%C3%A4ch', [5]],
  ['by ID', 'Query=4', [4]],
  ['none', 'Query=nothing', []],
];
for (const [what, query, ids] of found) {
  test(`finds ${what}`, async () => {
    const { rows, total } = await connected(`${ofTag()}&${query}`);
    assert.deepEqual([rows.map(({ Id }) => Id), total], [ids, String(ids.length)]);
  });
}

test('pages lead through all, each once', async () => {
  const ids: number[] = [];
  for (let Cursor = ''; ; ) {
    const { rows, cursor } = await connected(`${ofTag()}&Limit=2${Cursor && `&Cursor=${Cursor}`}`);
    ids.push(...rows.map(({ Id }) => Id));
    if (cursor === null) break;
    Cursor = cursor;
  }
  assert.deepEqual(ids, [3, 1, 2, 4, 5]);
});

test('lists show who uses them, and objects the lists', async () => {
  const list = await api.add('DomainList', { Name: 'blocked' });
  await api.update('VastTag', { Id: tag.Id, DomainsBrandsList: [list.Id] });
  const { rows } = await connected(`Id=${tag.Id}&Field=DomainsBrandsList`);
  assert.deepEqual(rows, [
    { Id: list.Id, Name: 'blocked', Status: 0, IsConnected: 1, Place: 1, NeverMatches: [] },
  ]);
  const users = await connected(`Id=${list.Id}&Field=VastTags&Connected=1`, 'domainlist');
  assert.deepEqual(
    users.rows.map(({ Id }) => Id),
    [tag.Id],
  );
});

const refused: readonly (readonly [query: () => string, path: string, message: RegExp])[] = [
  [() => `Id=${tag.Id}`, 'Field', /is required/],
  [() => `Id=${tag.Id}&Field=Countries`, 'Field', /is not a field of connections/],
  [() => 'Id=99&Field=DspVastTags', 'Id', /VAST Tag 99 is not found/],
  [() => `${ofTag()}&Limit=201`, 'Limit', /200 or less/],
  [() => `${ofTag()}&Cursor=x`, 'Cursor', /is not a cursor/],
  [() => `${ofTag()}&Query=${'x'.repeat(257)}`, 'Query', /256 characters/],
];
for (const [query, path, message] of refused) {
  test(`refuses ${path}: ${message.source}`, async () => {
    const { status, body } = await api.get(`/api/ortb/vasttag/connected?${query()}`);
    const [fault] = body.Errors as { Path: string; Message: string }[];
    assert.deepEqual([status, fault?.Path], [406, path]);
    assert.match(fault?.Message ?? '', message);
  });
}

test("another team's objects are not found", async () => {
  const { token } = await addUser(server, { role: 0 });
  const { status } = await api.as(token).get(`/api/ortb/vasttag/connected?${ofTag()}`);
  assert.equal(status, 406);
});
