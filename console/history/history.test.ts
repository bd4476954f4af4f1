import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../build/find-field-tables.ts';
import type { Change } from '../objects/history/history.ts';
import { type HistorySearch, historyFilter, readHistorySearch } from './history-search.ts';

const { fieldNames, kindOptions, userOptions } = await import('./history-options.ts');
const { batchText, isMany, isUniform } = await import('./batch-text.ts');
const { changedObjects } = await import('./changed-objects.ts');
const { entities } = await import('../field-tables.ts');

const said = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

describe('what the address of the history says', () => {
  const cases: readonly (readonly [sent: object, read: HistorySearch])[] = [
    [{}, {}],
    [
      { from: '2027-01-01', to: '2027-01-31', user: 3, entity: 'VastTag', field: 'Bidfloor' },
      { from: '2027-01-01', to: '2027-01-31', user: 3, entity: 'VastTag', field: 'Bidfloor' },
    ],
    [{ from: '2027-1-1', to: '2027-02-31', user: 0, entity: '', field: 7 }, {}],
    [{ from: '2027-13-01', to: '2027', user: -1 }, {}],
    [{ from: 20_270_101, user: 1.5 }, {}],
  ];
  for (const [sent, read] of cases)
    test(JSON.stringify(sent), () => assert.deepEqual(said(readHistorySearch({ ...sent })), read));
});

describe('changes are asked for', () => {
  const cases: readonly (readonly [search: HistorySearch, zone: string, filter: object])[] = [
    [{}, 'UTC', { OncePerBatch: 1 }],
    [{ batch: 'b', entity: 'VastTag', id: 3 }, 'UTC', { BatchId: 'b', Entity: 'VastTag', Id: 3 }],
    [{ id: 3 }, 'UTC', { OncePerBatch: 1 }],
    [
      { user: 3, entity: 'VastTag', field: 'Name' },
      'UTC',
      { UserId: 3, Entity: 'VastTag', Field: 'Name', OncePerBatch: 1 },
    ],
    [
      { from: '2027-01-01', to: '2027-01-01' },
      'Pacific/Kiritimati',
      { From: '2026-12-31T10:00:00.000Z', To: '2027-01-01T10:00:00.000Z', OncePerBatch: 1 },
    ],
    [{ to: '2027-01-31' }, 'America/New_York', { To: '2027-02-01T05:00:00.000Z', OncePerBatch: 1 }],
  ];
  for (const [search, zone, filter] of cases)
    test(`${JSON.stringify(search)} in ${zone}`, () =>
      assert.deepEqual(said(historyFilter(search, zone)), filter));
});

test('fields to choose from are those that change, each once; without a kind of object, those of access', () => {
  const fields = [
    { name: 'Name', place: 'document' },
    { name: 'Bidfloor', place: 'document' },
    { name: 'Name', place: 'document' },
    { name: 'Requests', place: 'statistic' },
    { name: 'ZoneUrls', place: 'url' },
  ] as const;
  assert.deepEqual(fieldNames(fields), ['Bidfloor', 'Name']);
  assert.ok(fieldNames([]).includes('Password'));
});

test('administrators alone choose among users and keys', () => {
  const groups = (isAdministrator: boolean) =>
    kindOptions(entities, isAdministrator).map(({ group, items }) => [group, items[0]?.value]);
  const first = entities[0]?.key;
  assert.deepEqual(groups(false), [['Objects', first]]);
  assert.deepEqual(groups(true), [
    ['Objects', first],
    ['Security', 'User'],
  ]);
});

describe('users to choose from', () => {
  const ada = { Id: 1, FirstName: 'Ada', LastName: 'Lovelace', Mail: 'ada@example.com' };
  const unnamed = { Id: 2, FirstName: '', LastName: '', Mail: 'b@example.com' };
  const change = (UserId: number, UserName: string) => ({ UserId, UserName });
  const cases: readonly (readonly [
    what: string,
    changes: Parameters<typeof userOptions>[0],
    users: Parameters<typeof userOptions>[1],
    options: readonly (readonly [value: string, label: string])[],
  ])[] = [
    ['none', [], [], []],
    ['who has changed something, each once', [change(9, 'Gone'), change(9, 'Gone')], [], [['9', 'Gone']]],
    ['not the server itself', [change(0, 'Bourse')], [], []],
    [
      'by the name of now',
      [change(1, 'Ada Byron')],
      [ada, unnamed],
      [
        ['1', 'Ada Lovelace'],
        ['2', 'b@example.com'],
      ],
    ],
  ];
  for (const [what, changes, users, options] of cases)
    test(what, () =>
      assert.deepEqual(
        userOptions(changes, users).map(({ value, label }) => [value, label]),
        options,
      ),
    );
});

test('objects are asked for by kind, each once, in their order; what is none is not', () => {
  const about = (Entity: Change['Entity'], Id: number) => ({ Entity, Id });
  assert.deepEqual(
    changedObjects([
      about('VastTag', 10),
      about('User', 1),
      about('Publisher', 1),
      about('VastTag', 9),
      about('VastTag', 10),
    ]),
    [
      { key: 'VastTag', ids: [9, 10] },
      { key: 'Publisher', ids: [1] },
    ],
  );
});

describe('a bulk change as one entry', () => {
  const part = (Entity: Change['Entity'], Operation: string, Objects: number, IsSame: 0 | 1 = 1) => ({
    Entity,
    Operation,
    Objects,
    IsSame,
  });
  test('says how many objects of which kind; of several things each', () => {
    assert.equal(batchText([part('VastTag', 'update', 1200)]), '1,200 VAST Tags');
    assert.equal(
      batchText([part('VastTag', 'update', 2), part('Publisher', 'deactivate', 1)]),
      '2 VAST Tags changed, 1 Publisher deactivated',
    );
  });
  test('one change of one object is none', () => {
    assert.equal(isMany([part('VastTag', 'update', 1)]), false);
    assert.equal(isMany(undefined), false);
    assert.equal(isMany([part('VastTag', 'update', 2)]), true);
    assert.equal(isUniform([part('VastTag', 'update', 2, 0)]), false);
  });
});
