import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApi, type Values } from './api.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();

interface Row {
  readonly Revision: number;
  readonly Entity: string;
  readonly Id: number;
  readonly Changes: readonly { readonly Field: string }[];
}

const history = async (query: string, as = api) => {
  const { status, text, body, headers } = await as.get(`/api/history/get?${query}`);
  assert.equal(status, 200, text);
  return { rows: body as unknown as readonly Row[], text, cursor: headers.get('bourse-cursor') };
};
const revisions = (rows: readonly Row[]) => rows.map(({ Revision }) => Revision);

async function pages(query: string, as = api): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let more = ''; ; ) {
    const page = await history(`${query}${more}`, as);
    rows.push(...page.rows);
    if (page.cursor === null) return rows;
    more = `&Cursor=${page.cursor}`;
  }
}

before(async () => {
  for (let index = 0; index < 23; index += 1) {
    await api.add('Tag', { Name: `${index}` });
    if (index % 2 === 0) await api.update('Tag', { Id: 1, Color: `${index}` });
  }
});

describe('the history by pages', () => {
  const questions = [
    '',
    'Entity=Tag&Id=1',
    'Entity=Tag',
    'AfterRevision=10',
    'UserId=1',
    'From=2020-01-01',
    'Field=Color',
  ];
  for (const question of questions) {
    test(`newest first and oldest first are the same changes: ${question || 'all'}`, async () => {
      const all = (await history(`${question}&Limit=1000`)).rows;
      assert.ok(all.length > 10);
      for (const limit of [1, 7, 20, 21, all.length, 1000]) {
        const oldest = await pages(`${question}&Order=oldest&Limit=${limit}`);
        assert.deepEqual(oldest, all, `oldest, ${limit}`);
        const newest = await pages(`${question}&Order=newest&Limit=${limit}`);
        assert.deepEqual(newest, all.toReversed(), `newest, ${limit}`);
      }
    });
  }

  const fields: readonly (readonly [query: string, revisionsOf: (row: Row) => boolean])[] = [
    ['Field=Color', ({ Changes }) => Changes.some(({ Field }) => Field === 'Color')],
    [
      'Field=Color&Entity=Tag&Id=1',
      ({ Id, Changes }) => Id === 1 && Changes.some(({ Field }) => Field === 'Color'),
    ],
    ['Field=Tags', ({ Changes }) => Changes.some(({ Field }) => Field === 'Tags')],
    ['Field=DspRtbEps', ({ Changes }) => Changes.some(({ Field }) => Field === 'DspRtbEps')],
    ['Field=ListText', ({ Changes }) => Changes.some(({ Field }) => Field === 'ListText')],
    ['Field=Password', () => false],
  ];
  test('by field, what rows name and no other', async () => {
    const supply = await api.add('RtbEp', { Name: 'Names a "Color" only' });
    await api.add('DspRtbEp', { RtbEps: [supply.Id], Tags: [1] });
    await api.add('DomainList', { ListText: 'one.example' });
    const all = (await history('Limit=1000')).rows;
    for (const [query, fits] of fields) {
      const found = await pages(`${query}&Order=newest&Limit=3`);
      assert.deepEqual(revisions(found), revisions(all.filter(fits).toReversed()), query);
      assert.ok(query === 'Field=Password' || found.length > 0, query);
      assert.deepEqual(revisions((await history(`${query}&Limit=1000`)).rows), revisions(found).toReversed());
    }
  });

  test('what is added meanwhile does not move the pages', async () => {
    const first = await history('Order=newest&Limit=5');
    await api.add('Tag', { Name: 'meanwhile' });
    const second = await history(`Order=newest&Limit=5&Cursor=${first.cursor}`);
    assert.equal(second.rows[0]?.Revision, (first.rows.at(-1)?.Revision ?? 0) - 1);
  });

  test('without an order there is no cursor, and all is as before', async () => {
    const plain = await history('Limit=3');
    assert.equal(plain.cursor, null);
    assert.equal(plain.text, (await history('Limit=3&Order=oldest')).text);
  });

  test('changes of users stay hidden from those who may not see them, on all pages', async () => {
    const manager = api.as((await addUser(server, { role: 1, teamId: 1 })).token);
    const seen = await pages('Order=newest&Limit=4', manager);
    assert.ok(seen.every(({ Entity }) => Entity !== 'User'));
    const all = await pages('Order=newest&Limit=4');
    assert.ok(all.some(({ Entity }) => Entity === 'User'));
    assert.deepEqual(revisions(seen), revisions(all.filter(({ Entity }) => Entity !== 'User')));
  });

  test('a cursor of another order or filter is refused, and so is an unknown order', async () => {
    const { cursor } = await history('Order=newest&Limit=2');
    const cases: readonly (readonly [query: string, path: string])[] = [
      [`Cursor=${cursor}`, 'Cursor'],
      [`Order=newest&Entity=Tag&Cursor=${cursor}`, 'Cursor'],
      ['Order=latest', 'Order'],
      ['Field=Colour', 'Field'],
    ];
    for (const [query, path] of cases) {
      const { status, body } = await api.get(`/api/history/get?${query}`);
      assert.deepEqual([status, (body.Errors as { Path: string }[])[0]?.Path], [406, path]);
    }
  });
});

describe('warnings on read', () => {
  before(async () => {
    await api.add('DspVastTag', { Name: 'US only', Countries: [{ CC: 'US' }] });
    await api.add('VastTag', { Countries: [{ CC: 'DE' }], DspVastTags: [1] });
    await api.add('VastTag');
  });

  test('the object comes as after an update, with its warnings, and plainly as before', async () => {
    const plain = await api.one('VastTag', 1);
    const { body, headers } = await api.get('/api/ortb/vasttag/get?Id=1&Warnings=1');
    assert.deepEqual({ ...body, Warnings: [] }, { Status: 'Ok', VastTag: plain, Warnings: [] });
    const warnings = body.Warnings as { Entity: string; Id: number; Name: string; Rule: string }[];
    assert.deepEqual(
      warnings.map(({ Entity, Id, Name, Rule }) => [Entity, Id, Name, Rule]),
      [['DspVastTag', 1, 'US only', 'country_not_targeted']],
    );
    const etag = headers.get('etag') ?? '';
    const again = await api.send('/api/ortb/vasttag/get?Id=1&Warnings=1', {
      headers: { 'if-none-match': etag },
    });
    assert.equal(again.status, 304);
    await api.update('DspVastTag', { Id: 1, Countries: [] });
    const changed = await api.send('/api/ortb/vasttag/get?Id=1&Warnings=1', {
      headers: { 'if-none-match': etag },
    });
    assert.deepEqual([changed.status, changed.body.Warnings], [200, []]);
  });

  test('say of an object without connections that it cannot serve', async () => {
    const { body } = await api.get('/api/ortb/vasttag/get?Id=2&Warnings=1');
    const warnings = body.Warnings as readonly Values[];
    assert.deepEqual(
      warnings.map(({ Path, Blocking }) => [Path, Blocking]),
      [['VastTag.Campaigns', 1]],
    );
  });

  for (const query of ['Warnings=1', 'Id=1&Warnings=1&AsOf=2020-01-01']) {
    test(`refuses ${query}`, async () => {
      const { status, body } = await api.get(`/api/ortb/vasttag/get?${query}`);
      assert.deepEqual([status, (body.Errors as { Path: string }[])[0]?.Path], [406, 'Warnings']);
    });
  }

  test('objects that meet nobody take no such parameter', async () => {
    assert.equal((await api.get('/api/tag/get?Id=1&Warnings=1')).status, 406);
  });
});
