import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { seeded } from '../support/seed.ts';
import { type Fetched, startApi, type Values } from './api.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi({ apiRateLimit: 100_000 });

interface Done {
  readonly Entity: string;
  readonly Id: number;
  readonly Operation: string;
  readonly Tag: string;
  readonly Before: Values;
  readonly After: Values;
  readonly Warnings?: readonly Values[];
}
const post = (Changes: unknown, query = '', headers: Readonly<Record<string, string>> = {}, as = api) =>
  as.send(`/api/batch${query}`, { method: 'POST', body: JSON.stringify({ Changes }), headers });

async function done(Changes: readonly Values[], query = ''): Promise<readonly Done[]> {
  const { status, text, body } = await post(Changes, query);
  assert.equal(status, 200, text);
  return body.Changes as readonly Done[];
}

const change = (Operation: string, Entity: string, values: Values, more: Values = {}) => ({
  Entity,
  Operation,
  Object: values,
  ...more,
});
const revision = async () => {
  const { body } = await api.get('/api/history/get?Order=newest&Limit=1');
  return (body as unknown as { Revision: number }[])[0]?.Revision;
};

let tag: Fetched;
let dsp: Fetched;
before(async () => {
  tag = await api.add('VastTag', { Name: 'one', Bidfloor: 1, Countries: [{ CC: 'DE' }] });
  dsp = await api.add('DspVastTag', { Name: 'partner', Countries: [{ CC: 'US' }] });
});

describe('many changes in one transaction', () => {
  test('each tells what differs, in their order, and is as its own operation would be', async () => {
    const told = await done([
      change('update', 'VastTag', { Id: tag.Id, Bidfloor: 2.5, DspVastTags: [dsp.Id], Name: 'one' }),
      change('add', 'Tag', { Name: 'label' }),
      change('deactivate', 'DspVastTag', { Id: dsp.Id }),
      change('add', 'Tag', { Name: 'second' }),
      change('activate', 'VastTag', { Id: tag.Id }),
    ]);
    assert.deepEqual(
      told.map(({ Entity, Id, Operation }) => [Entity, Id, Operation]),
      [
        ['VastTag', tag.Id, 'update'],
        ['Tag', 1, 'add'],
        ['DspVastTag', dsp.Id, 'deactivate'],
        ['Tag', 2, 'add'],
        ['VastTag', tag.Id, 'activate'],
      ],
    );
    assert.deepEqual(told[0]?.Before, { Bidfloor: 1, DspVastTags: [] });
    assert.deepEqual(told[0]?.After, { Bidfloor: 2.5, DspVastTags: [dsp.Id] });
    assert.deepEqual(
      told[0]?.Warnings?.flatMap(({ Id, Rule }) => (Rule ? [[Id, Rule]] : [])),
      [[dsp.Id, 'country_not_targeted']],
    );
    assert.deepEqual(told[1]?.Before, {});
    assert.deepEqual(told[1]?.After, await api.one('Tag', 1));
    assert.deepEqual(
      [told[2]?.Before, told[2]?.After],
      [
        { Status: 0, StatusString: 'Active' },
        { Status: 1, StatusString: 'Inactive' },
      ],
    );
    assert.deepEqual([told[4]?.Before, told[4]?.After], [{}, {}]);
    assert.equal((await api.one('VastTag', tag.Id)).Bidfloor, 2.5);
    assert.equal((await api.one('DspVastTag', dsp.Id)).Status, 1);
  });

  test('for show it changes nothing, and tells what it then does', async () => {
    const changes = [
      change('update', 'VastTag', { Id: tag.Id, Bidfloor: 3 }),
      change('update', 'VastTag', { Id: tag.Id, Name: 'renamed' }),
      change('add', 'Tag', { Name: 'shown' }),
    ];
    const before = await revision();
    const shown = await done(changes, '?DryRun=1');
    assert.equal(await revision(), before);
    assert.equal((await api.one('VastTag', tag.Id)).Name, 'one');
    assert.deepEqual(await done(changes), shown);
    assert.equal((await api.one('VastTag', tag.Id)).Name, 'renamed');
  });

  test('all or none: every fault at its path', async () => {
    const before = await revision();
    const twice = { Name: 'p', Username: 'twice', Country: 'DE', Mail: 'a@example.com' };
    const { status, body } = await post([
      change('update', 'VastTag', { Id: tag.Id, Bidfloor: 4 }),
      change('update', 'VastTag', { Id: 999, Bidfloor: 4 }),
      change('update', 'VastTag', { Id: tag.Id, Bidfloor: -1, Naem: 'x' }),
      change('add', 'VastTag', { Name: 'x', PublisherId: 999 }),
      change('activate', 'Tag', {}),
      change('add', 'Publisher', twice),
      change('add', 'Publisher', twice),
      change('add', 'Tag', { Name: 'x' }, { Tag: '"1"' }),
      change('update', 'VastTag', { Id: tag.Id, Auth: 'mine' }),
    ]);
    assert.equal(status, 406);
    const paths = (body.Errors as { Path: string; Code: string }[]).map(
      ({ Path, Code }) => `${Path} ${Code}`,
    );
    assert.deepEqual(paths.toSorted(), [
      'Changes[1].Object.Id not_found',
      'Changes[2].Object.Bidfloor out_of_range',
      'Changes[2].Object.Naem unknown_field',
      'Changes[3].Object.PublisherId not_found',
      'Changes[4].Object.Id required',
      'Changes[6].Object.Username taken',
      'Changes[7].Tag contradiction',
      'Changes[8].Object.Auth read_only',
    ]);
    assert.equal(await revision(), before);
  });

  test('a Tag of before refuses all with 412, one of now does not', async () => {
    const { headers } = await api.get(`/api/ortb/vasttag/get?Id=${tag.Id}`);
    const Tag = headers.get('etag') ?? '';
    const changes = [
      change('add', 'Tag', { Name: 'beside' }),
      change('update', 'VastTag', { Id: tag.Id, Bidfloor: 5 }, { Tag }),
    ];
    const [, first] = await done(changes);
    const { status, body } = await post(changes);
    assert.deepEqual(
      [status, (body.Errors as { Path: string; Code: string }[]).map(({ Path, Code }) => [Path, Code])],
      [412, [['Changes[1].Tag', 'changed']]],
    );
    await done([change('deactivate', 'VastTag', { Id: tag.Id }, { Tag: first?.Tag })]);
    assert.equal(
      (await post([change('activate', 'VastTag', { Id: tag.Id }, { Tag: first?.Tag })])).status,
      412,
    );
  });

  test('under an Idempotency-Key it is done once', async () => {
    const changes = [change('add', 'Tag', { Name: 'once' })];
    const key = { 'idempotency-key': 'batch-once' };
    const [first, second] = [await post(changes, '', key), await post(changes, '', key)];
    assert.equal(first.text, second.text);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    const { objects } = { objects: await api.all('Tag') };
    assert.equal(objects.filter(({ Name }) => Name === 'once').length, 1);
  });

  test('analysts may not, and nobody changes what is of another team', async () => {
    const analyst = await addUser(server, { role: 2, teamId: 1 });
    const changes = [change('update', 'VastTag', { Id: tag.Id, Bidfloor: 9 })];
    assert.equal((await post(changes, '', {}, api.as(analyst.token))).status, 403);
    const other = await addUser(server, { role: 0 });
    assert.equal((await post(changes, '', {}, api.as(other.token))).status, 406);
  });

  const malformed: readonly (readonly [what: string, changes: unknown, path: string])[] = [
    ['no changes', [], 'Changes'],
    ['no array', {}, 'Changes'],
    ['more than a thousand', Array(1001).fill(change('activate', 'Tag', { Id: 1 })), 'Changes'],
    ['an unknown kind', [change('add', 'VastTags', {})], 'Changes[0].Entity'],
    ['an unknown operation', [change('delete', 'VastTag', {})], 'Changes[0].Operation'],
    ['no object', [{ Entity: 'Tag', Operation: 'add' }], 'Changes[0].Object'],
    ['an array as object', [{ Entity: 'Tag', Operation: 'add', Object: [] }], 'Changes[0].Object'],
  ];
  for (const [what, changes, path] of malformed) {
    test(`refuses ${what}`, async () => {
      const { status, body, text } = await post(changes);
      assert.deepEqual([status, (body.Errors as { Path: string }[])[0]?.Path], [406, path], text);
    });
  }

  test('a thousand changes are one', async () => {
    const made = await done(
      Array.from({ length: 1000 }, (_, index) => change('add', 'Tag', { Name: `t${index}` })),
    );
    assert.equal(new Set(made.map(({ Id }) => Id)).size, 1000);
    const changed = await done(
      made.map(({ Id, Tag }) => change('update', 'Tag', { Id, Color: 'red' }, { Tag })),
    );
    assert.ok(changed.every(({ After }) => After.Color === 'red'));
  });
});

interface HistoryRow {
  readonly Entity: string;
  readonly Id: number;
  readonly Operation: string;
  readonly BatchId?: string;
  readonly Batch?: readonly Values[];
}

describe('a bulk change', () => {
  const history = async (query: string) => {
    const { body, text, status } = await api.get(`/api/history/get?Order=newest&${query}`);
    assert.equal(status, 200, text);
    return body as unknown as readonly HistoryRow[];
  };
  const sendAs = async (BatchId: string, Changes: readonly Values[], query = '') => {
    const { status, text, body } = await api.send(`/api/batch${query}`, {
      method: 'POST',
      body: JSON.stringify({ BatchId, Changes }),
    });
    assert.equal(status, 200, text);
    assert.equal(body.BatchId, BatchId);
    return body;
  };

  test('in several requests is one entry of the history, which tells what it did', async () => {
    const made = await done(['a', 'b', 'c'].map((Name) => change('add', 'Tag', { Name, Color: 'blue' })));
    const [first, ...rest] = made.map(({ Id }) => change('update', 'Tag', { Id, Color: 'green' }));
    assert.ok(first);
    await sendAs('bulk-1', [first]);
    await api.add('Tag', { Name: 'between' });
    await sendAs('bulk-1', [...rest, change('update', 'VastTag', { Id: tag.Id, Tags: [made[0]?.Id] })]);
    const rows = await history('BatchId=bulk-1');
    assert.deepEqual(
      rows.map(({ Entity, Operation }) => `${Entity} ${Operation}`),
      ['VastTag update', 'Tag update', 'Tag update', 'Tag update'],
    );
    assert.ok(rows.every(({ BatchId, Batch }) => BatchId === 'bulk-1' && Batch === undefined));
    const [entry, ...others] = await history('BatchId=bulk-1&OncePerBatch=1');
    assert.deepEqual([entry?.Id, others.length], [made[0]?.Id, 0]);
    assert.deepEqual(entry?.Batch, [
      { Entity: 'Tag', Operation: 'update', Objects: 3, IsSame: 1 },
      { Entity: 'VastTag', Operation: 'update', Objects: 1, IsSame: 1 },
    ]);
    const all = await history('OncePerBatch=1&Limit=3');
    assert.deepEqual(all.map(({ BatchId, Operation }) => [BatchId, Operation]).slice(0, 2), [
      [undefined, 'add'],
      ['bulk-1', 'update'],
    ]);
    const [ofTag] = await history('OncePerBatch=1&Entity=VastTag&Limit=1');
    assert.deepEqual([ofTag?.BatchId, ofTag?.Entity], ['bulk-1', 'VastTag']);
  });

  test('of which some are refused makes the others, and says why those are not', async () => {
    const [one] = await done([change('add', 'Tag', { Name: 'fine' })]);
    assert.ok(one);
    const changes = [
      change('update', 'Tag', { Id: 99_999, Color: 'red' }),
      change('update', 'Tag', { Id: one.Id, Color: 'red' }),
      change('update', 'Tag', { Id: one.Id, Color: 'pink' }, { Tag: '"1"' }),
      change('add', 'Tag', { Name: 'x' }, { Tag: '"1"' }),
    ];
    const refused = [
      [0, 'Changes[0].Object.Id', 'not_found'],
      [2, 'Changes[2].Tag', 'changed'],
      [3, 'Changes[3].Tag', 'contradiction'],
    ];
    for (const query of ['?SkipRefused=1&DryRun=1', '?SkipRefused=1']) {
      const answer = await sendAs('some', changes, query);
      const told = answer.Refused as { Change: number; Errors: { Path: string; Code: string }[] }[];
      assert.deepEqual(
        told.flatMap(({ Change, Errors }) => Errors.map(({ Path, Code }) => [Change, Path, Code])),
        refused,
      );
      assert.deepEqual(
        (answer.Changes as Done[]).map(({ Id }) => Id),
        [one.Id],
      );
    }
    assert.equal((await api.one('Tag', one.Id)).Color, 'red');
    assert.equal((await history('BatchId=some')).length, 1);
  });

  test('of which one takes a value that the database refuses makes those after it', async () => {
    const owner = (Username: string) =>
      change('add', 'Publisher', { Username, Name: 'P', Mail: 'p@example.com', Country: 'DE' });
    const changes = [owner('twice'), owner('twice'), change('add', 'Tag', { Name: 'after it' })];
    const answer = await sendAs('taken', changes, '?SkipRefused=1');
    assert.partialDeepStrictEqual(answer.Refused, [{ Change: 1, Errors: [{ Code: 'taken' }] }]);
    assert.deepEqual(
      (answer.Changes as Done[]).map(({ Entity }) => Entity),
      ['Publisher', 'Tag'],
    );
  });

  test('is of one user: nobody adds to that of another', async () => {
    await sendAs('mine', [change('add', 'Tag', { Name: 'mine' })]);
    const { token } = await addUser(server, { teamId: 1, role: 1 });
    const Changes = [change('add', 'Tag', { Name: 'smuggled' })];
    for (const query of ['?DryRun=1', '']) {
      const sent = { method: 'POST', body: JSON.stringify({ BatchId: 'mine', Changes }) };
      const { status, body } = await api.as(token).send(`/api/batch${query}`, sent);
      const [fault] = body.Errors as { Path: string; Code: string }[];
      assert.deepEqual([status, fault?.Path, fault?.Code], [406, 'BatchId', 'taken']);
    }
    assert.equal((await history('BatchId=mine')).length, 1);
    await sendAs('mine', [change('add', 'Tag', { Name: 'also mine' })]);
  });

  test('has an ID of its own if none is sent, and none that is no ID', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(async () => (await post([change('add', 'Tag', { Name: 'own ID' })])).body.BatchId),
    );
    assert.notEqual(first, second);
    assert.equal((await history(`BatchId=${first}`)).length, 1);
    const { status, body } = await api.send('/api/batch', {
      method: 'POST',
      body: JSON.stringify({ BatchId: 'a b', Changes: [change('add', 'Tag', { Name: 'x' })] }),
    });
    assert.deepEqual([status, (body.Errors as { Path: string }[])[0]?.Path], [406, 'BatchId']);
    assert.equal((await api.get('/api/history/get?BatchId=a%20b')).status, 406);
  });
});

test('a batch and the same changes one by one come to the same', async () => {
  const [one, other] = [await api.add('VastTag', { Name: 'x' }), await api.add('VastTag', { Name: 'x' })];
  const values = fc.record(
    {
      Name: fc.constantFrom('x', 'y', 'ü'),
      Bidfloor: fc.constantFrom(0, 1.5, 3),
      Countries: fc.constantFrom([], [{ CC: 'DE' }], [{ CC: 'US' }, { CC: 'DE' }]),
      DspVastTags: fc.constantFrom([], [dsp.Id]),
    },
    { requiredKeys: [] },
  );
  const operation = fc.oneof(
    values.map((sent) => ({ Operation: 'update', sent })),
    fc.constantFrom('activate', 'deactivate').map((Operation) => ({ Operation, sent: {} })),
  );
  const own = ({ Id, Auth, ZoneUrls, StatsByDateCsv, StatsByDateJson, ...rest }: Fetched) => rest;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 5 }), async (operations) => {
      await done(
        operations.map(({ Operation, sent }) => change(Operation, 'VastTag', { Id: one.Id, ...sent })),
      );
      for (const { Operation, sent } of operations) {
        const { status } = await api.post(`/api/ortb/vasttag/${Operation.toLowerCase()}`, {
          VastTag: { Id: other.Id, ...sent },
        });
        assert.equal(status, 200);
      }
      assert.deepEqual(own(await api.one('VastTag', one.Id)), own(await api.one('VastTag', other.Id)));
    }),
    seeded(20),
  );
});
