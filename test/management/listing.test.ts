import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { entityOf } from '../../src/entities/registry.ts';
import { seeded } from '../support/seed.ts';
import { type Api, type Fetched, startApi, type Values } from './api.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi({ apiRateLimit: 100_000 });

interface Condition {
  readonly Field: string;
  readonly Operator: string;
  readonly Values?: readonly (string | number)[];
}

interface Asked {
  readonly Fields?: string;
  readonly Sort?: string;
  readonly Filter?: readonly Condition[];
  readonly Limit?: number;
  readonly Cursor?: string;
  readonly ActiveOnly?: number;
  readonly AfterId?: number;
}

function queryOf(asked: Asked): string {
  const pairs = Object.entries(asked).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  return new URLSearchParams(Object.fromEntries(pairs)).toString();
}

const ask = (asked: Asked, as: Api = api) => as.get(`/api/ortb/vasttag/get?${queryOf(asked)}`);

async function listed(asked: Asked) {
  const { status, text, body, headers } = await ask(asked);
  assert.equal(status, 200, text);
  return {
    objects: body as unknown as readonly Fetched[],
    total: headers.get('bourse-total'),
    cursor: headers.get('bourse-cursor') ?? undefined,
  };
}

async function allPages(asked: Asked): Promise<{ objects: readonly Fetched[]; totals: readonly unknown[] }> {
  const objects: Fetched[] = [];
  const totals: unknown[] = [];
  for (let Cursor: string | undefined; ; ) {
    const page = await listed({ ...asked, ...(Cursor === undefined ? {} : { Cursor }) });
    assert.ok(page.objects.length <= (asked.Limit || Number.POSITIVE_INFINITY));
    objects.push(...page.objects);
    totals.push(page.total);
    if (page.cursor === undefined) return { objects, totals };
    Cursor = page.cursor;
  }
}

const names = [
  'apple',
  'Apple',
  'banana',
  'Äpfel',
  'äpfel',
  'Zürich 🎈',
  '%_',
  '',
  '\uE000',
  'x'.repeat(120),
];
const rows: readonly Values[] = [
  { Name: 'apple', Bidfloor: 1.5, Countries: [{ CC: 'DE' }, { CC: 'US' }], Tags: [1, 2], SizesList: ['1x1'] },
  { Name: 'Banana', Bidfloor: 0.000001, Countries: [{ CC: 'FR' }], DisplayManager: 'Player' },
  { Name: 'Äpfel', Bidfloor: 2, Tags: [2], Version: 1, Os: [{ Family: 'iOS', Versions: [{ Major: '17' }] }] },
  { Name: 'Zürich 🎈 "x" \\', Bidfloor: 1.5, Mimes: ['video/mp4'] },
  { Name: `${'x'.repeat(110)}a`, Bidfloor: 10 },
  { Name: `${'x'.repeat(110)}A`, Bidfloor: 10, Version: 0 },
];

let whole: readonly Fetched[] = [];
const every = Object.entries(entityOf('VastTag').fields).map(([name]) => name);

before(async () => {
  await api.add('Tag', { Name: 'one' });
  await api.add('Tag', { Name: 'two' });
  const second = await api.add('Publisher', { Name: 'another owner' });
  for (const [index, row] of rows.entries()) {
    await api.add('VastTag', { ...row, ...(index % 2 === 1 ? { PublisherId: second.Id } : {}) });
  }
  await api.post('/api/ortb/vasttag/deactivate', { VastTag: { Id: 2 } });
  whole = await Promise.all(rows.map((_, index) => api.one('VastTag', index + 1)));
});

const ids = (objects: readonly Fetched[]) => objects.map(({ Id }) => Id);
const where = (Field: string, Operator: string, ...values: (string | number)[]): Asked => ({
  Filter: [{ Field, Operator, ...(Operator.includes('empty') ? {} : { Values: values }) }],
});

describe('arrays that are asked for fields, an order, conditions and pages', () => {
  const found: readonly (readonly [what: string, asked: Asked, expected: readonly number[]])[] = [
    ['codes', where('Status', 'in', 1), [2]],
    ['words', where('StatusString', 'not_in', 'Inactive'), [1, 3, 4, 5, 6]],
    ['part of a name, whatever its case', where('Name', 'contains', 'AN', 'ÄP'), [2, 3]],
    ['no part of a name', where('Name', 'not_contains', 'x'), [1, 2, 3]],
    ['quotes and signs of SQL', where('Name', 'contains', '"x" \\'), [4]],
    ['amounts from a bound', where('Bidfloor', 'at_least', 1.5), [1, 3, 4, 5, 6]],
    ['amounts up to a bound', where('Bidfloor', 'at_most', 1.5), [1, 2, 4]],
    ['an item of a list of objects', where('Countries', 'in', 'FR', 'US'), [1, 2]],
    ['part of an item', where('Countries', 'contains', 'germ'), [1]],
    ['connected objects', where('Tags', 'in', 2), [1, 3]],
    ['objects that are not connected', where('Tags', 'not_in', 1), [2, 3, 4, 5, 6]],
    ['empty lists', where('Tags', 'is_empty'), [2, 4, 5, 6]],
    ['texts that are not empty', where('DisplayManager', 'is_not_empty'), [2]],
    ['names of owners', where('PublisherName', 'contains', 'another'), [2, 4, 6]],
    ['a choice that nobody made', where('Version', 'in', 0), [1, 2, 4, 5, 6]],
    ['figures', where('TodayRevenue', 'at_most', 0), [1, 2, 3, 4, 5, 6]],
    ['URLs', where('ZoneUrls', 'contains', 'zone=3&'), [3]],
    ['families', where('Os', 'in', '17'), [3]],
    ['sizes', where('SizesList', 'in', '1x1'), [1]],
    ['no conditions', { Filter: [] }, [1, 2, 3, 4, 5, 6]],
    ['an order', { Sort: '-Bidfloor,Name' }, [5, 6, 3, 1, 4, 2]],
    ['an order whatever the case', { Sort: 'Name' }, [1, 2, 5, 6, 4, 3]],
    ['an order by owners, then IDs', { Sort: '-PublisherName,-Id' }, [5, 3, 1, 6, 4, 2]],
    ['conditions beside filters', { ...where('Bidfloor', 'in', 10, 0.000001), ActiveOnly: 1 }, [5, 6]],
    ['objects after an ID', { Sort: '-Id', AfterId: 3 }, [6, 5, 4]],
  ];
  for (const [what, asked, expected] of found) {
    test(`finds ${what}`, async () => {
      const { objects, total } = await listed(asked);
      assert.deepEqual(ids(objects), expected);
      assert.equal(total, String(expected.length));
    });
  }

  test('every field can be asked for, alone and with all others, and is as in the object', async () => {
    for (const name of every) {
      const { objects } = await listed({ Fields: name });
      assert.deepEqual(
        objects,
        whole.map((object) => ({ [name]: object[name] })),
        name,
      );
    }
    const { objects } = await listed({ Fields: every.toReversed().join() });
    assert.deepEqual(objects, whole);
    assert.deepEqual(Object.keys(objects[0] ?? {}), every.toReversed(), 'in the order that was asked for');
  });

  test('without Fields objects are as in arrays, byte for byte', async () => {
    const plain = await api.get('/api/ortb/vasttag/get');
    assert.equal((await ask({ Sort: 'Id' })).text, plain.text);
    assert.equal((await ask({ Limit: 6 })).text, plain.text);
    assert.deepEqual(
      [...plain.headers.keys()].filter((name) => name.startsWith('bourse')),
      [],
    );
  });

  test('a cursor reads on where it was while objects are added before and after it', async () => {
    const first = await listed({ Sort: 'Name', Limit: 2, Fields: 'Id' });
    const added = [await api.add('VastTag', { Name: 'aaa' }), await api.add('VastTag', { Name: 'yyy' })];
    const { objects, totals } = await allPages({
      Sort: 'Name',
      Limit: 2,
      Fields: 'Id',
      Cursor: first.cursor ?? '',
    });
    for (const { Id } of added) await api.post('/api/ortb/vasttag/deactivate', { VastTag: { Id } });
    assert.deepEqual([...ids(first.objects), ...ids(objects)], [1, 2, 5, 6, added[1]?.Id, 4, 3]);
    assert.deepEqual(totals.at(-1), '8');
  });

  test('objects of another team are not found', async () => {
    const { token } = await addUser(server, { role: 2 });
    const { text, headers } = await ask({ Sort: 'Name', Fields: 'Id' }, api.as(token));
    assert.deepEqual([text, headers.get('bourse-total')], ['[]', '0']);
  });
});

describe('questions that cannot be answered', () => {
  const one = { Field: 'Id', Operator: 'in', Values: [1] };
  const cases: readonly (readonly [query: string, path: string, message: RegExp])[] = [
    ['Fields=Id,Nmae', 'Fields[1]', /did you mean `Name`/],
    ['Fields=Id,Id', 'Fields[1]', /appears twice/],
    ['Sort=Tags', 'Sort[0]', /is a list, which has no order/],
    ['Sort=Name,-Name', 'Sort[1]', /appears twice/],
    ['Sort=Id,Name,Bidfloor,Tmax,Status,Width', 'Sort', /at most 5 fields/],
    ['Filter={', 'Filter', /must be a JSON array/],
    ['Filter=[3]', 'Filter[0]', /must be an object with Field/],
    [`Filter=${JSON.stringify([{ ...one, Field: 'Nmae' }])}`, 'Filter[0].Field', /`Name`/],
    [
      `Filter=${JSON.stringify([one, { ...one, Operator: 'is' }])}`,
      'Filter[1].Operator',
      /must be one of in,/,
    ],
    [`Filter=${JSON.stringify([{ ...one, Values: ['1'] }])}`, 'Filter[0].Values[0]', /without quotes/],
    [`Filter=${JSON.stringify([{ ...one, Values: [] }])}`, 'Filter[0].Values', /must have a value/],
    [
      `Filter=${JSON.stringify([{ ...one, Values: Array(1001).fill(1) }])}`,
      'Filter[0].Values',
      /1000 at most/,
    ],
    [`Filter=${JSON.stringify([{ ...one, Value: 1 }])}`, 'Filter[0].Value', /`Values`/],
    [`Filter=${JSON.stringify([{ ...one, Operator: 'contains' }])}`, 'Filter[0].Operator', /is numeric/],
    [
      `Filter=${JSON.stringify([{ Field: 'Name', Operator: 'contains', Values: Array(21).fill('a') }])}`,
      'Filter[0].Values',
      /20 at most/,
    ],
    [`Filter=${JSON.stringify(Array(21).fill(one))}`, 'Filter', /at most 20 conditions/],
    ['Id=1&Fields=Id', 'Fields', /cannot be combined with Id/],
    ['Cursor=x', 'Cursor', /is not a cursor/],
    [
      `Cursor=${Buffer.from('["AAAAAAAAAAAA",1]').toString('base64url')}`,
      'Cursor',
      /belongs to other parameters/,
    ],
  ];
  for (const [query, path, message] of cases) {
    test(`${query.slice(0, 60)}: ${path}`, async () => {
      const sent = query.replace(/(?<=(Filter|Sort|Fields)=)[^&]*/, encodeURIComponent);
      const { status, body } = await api.get(`/api/ortb/vasttag/get?${sent}`);
      assert.equal(status, 406);
      const [fault] = body.Errors as { Path: string; Message: string }[];
      assert.equal(fault?.Path, path);
      assert.match(fault?.Message ?? '', message);
    });
  }

  test('a text of a list can neither be shown nor searched', async () => {
    const { body } = await api.get('/api/domainlist/get?Fields=ListText');
    assert.deepEqual((body.Errors as { Path: string }[])[0]?.Path, 'Fields[0]');
  });

  test('a cursor of other parameters is refused', async () => {
    const { cursor = '' } = await listed({ Sort: 'Name', Limit: 1 });
    for (const asked of [{ Sort: '-Name' }, { Sort: 'Name', ActiveOnly: 1 }, where('Id', 'in', 1)]) {
      const { status, body } = await ask({ ...asked, Cursor: cursor });
      assert.deepEqual([status, (body.Errors as { Path: string }[])[0]?.Path], [406, 'Cursor']);
    }
    assert.equal((await ask({ Sort: 'Name', Limit: 3, Fields: 'Id', Cursor: cursor })).status, 200);
  });
});

/** The same, done with the whole objects, in other words than the program's. */
function leaves(value: unknown): readonly (string | number)[] {
  if (Array.isArray(value)) return value.flatMap(leaves);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
  return [value as string | number];
}
const low = (value: string | number) => (typeof value === 'string' ? value.toLowerCase() : value);
const has = (value: unknown, test: (leaf: string | number) => boolean) => leaves(value).some(test);
const naive: Readonly<Record<string, (value: unknown, values: readonly (string | number)[]) => boolean>> = {
  in: (value, values) => has(value, (leaf) => values.includes(leaf)),
  not_in: (value, values) => !has(value, (leaf) => values.includes(leaf)),
  contains: (value, values) =>
    has(value, (leaf) => values.some((part) => `${low(leaf)}`.includes(`${low(part)}`))),
  not_contains: (value, values) => naive.contains?.(value, values) === false,
  at_least: (value, [bound = '']) => low(value as string) >= low(bound),
  at_most: (value, [bound = '']) => low(value as string) <= low(bound),
  is_empty: (value) => value === '' || (Array.isArray(value) && value.length === 0),
  is_not_empty: (value) => naive.is_empty?.(value, []) === false,
};

function naiveOrder(sort: readonly string[]) {
  const keys = [...sort, 'Id'].map((key) => ({
    name: key.replace('-', ''),
    sign: key.startsWith('-') ? -1 : 1,
  }));
  const shown = (value: unknown) => low(typeof value === 'string' ? value.slice(0, 100) : (value as number));
  return (one: Fetched, other: Fetched) => {
    for (const { name, sign } of keys) {
      const [a, b] = [shown(one[name]), shown(other[name])];
      if (a !== b) return a < b ? -sign : sign;
    }
    return 0;
  };
}

const textual = ['Name', 'PublisherName', 'DisplayManager', 'StatusString', 'AccManagerName', 'Auth'];
const numeric = [
  'Id',
  'Bidfloor',
  'Status',
  'Tmax',
  'PublisherId',
  'Version',
  'TodayFillRate',
  'AccManagerId',
];
const condition = fc.oneof(
  fc.record({
    Field: fc.constantFrom(...textual),
    Operator: fc.constantFrom('in', 'not_in', 'contains', 'not_contains'),
    Values: fc.array(fc.constantFrom(...names, 'player', 'ACTIVE', 'another'), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({
    Field: fc.constantFrom(...textual),
    Operator: fc.constantFrom('at_least', 'at_most'),
    Values: fc.constantFrom(...names).map((name) => [name]),
  }),
  fc.record({
    Field: fc.constantFrom(...numeric),
    Operator: fc.constantFrom('at_least', 'at_most', 'in', 'not_in'),
    Values: fc.constantFrom(0, 1, 1.5, 2, 3, 10, 0.000001).map((value) => [value]),
  }),
  fc.record({
    Field: fc.constantFrom('Tags', 'Countries', 'Mimes', 'Name', 'DisplayManager'),
    Operator: fc.constantFrom('is_empty', 'is_not_empty'),
  }),
);
const sortKey = fc
  .tuple(fc.constantFrom('', '-'), fc.constantFrom(...textual, ...numeric))
  .map(([sign, name]) => sign + name);
const uniqueKeys = { maxLength: 4, selector: (key: string) => key.replace('-', '') };

test('conditions, order and pages equal the same done with the plain array', async () => {
  const plain = await Promise.all((await api.all('VastTag')).map(({ Id }) => api.one('VastTag', Id)));
  const asked = fc.record({
    Filter: fc.array(condition, { maxLength: 3 }),
    sort: fc.uniqueArray(sortKey, uniqueKeys),
    Limit: fc.integer({ min: 1, max: 7 }),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ Filter, sort, Limit }) => {
      const expected = plain
        .filter((object) =>
          Filter.every((one) => naive[one.Operator]?.(object[one.Field], 'Values' in one ? one.Values : [])),
        )
        .sort(naiveOrder(sort));
      const Sort = sort.length === 0 ? {} : { Sort: sort.join() };
      const { objects, totals } = await allPages({ Filter, ...Sort, Limit, Fields: 'Name,Id' });
      assert.deepEqual(
        objects,
        expected.map(({ Name, Id }) => ({ Name, Id })),
      );
      assert.deepEqual(new Set(totals), new Set([String(expected.length)]));
    }),
    seeded(60),
  );
});
