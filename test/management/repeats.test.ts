import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { type Api, type Fetched, freshUsername, posted, startApi } from './api.ts';
import { addUser, addUsers } from './users.ts';

const { server, api } = await startApi();
const outsider = api.as((await addUser(server, { role: 0 })).token);
const [manager, colleague] = (
  await addUsers(server, [
    { role: 1, teamId: 1 },
    { role: 0, teamId: 1 },
  ])
).map(({ token }) => api.as(token)) as [Api, Api];

const path = '/api/publisher/add';
const bodyOf = (Name: string, Username = freshUsername()) =>
  JSON.stringify({ Publisher: { Name, Username, Mail: 'desk@example.com', Country: 'DE' } });
const send = (key: string, body: string, caller = api, to = path) =>
  caller.send(to, { method: 'POST', body, headers: { 'idempotency-key': key } });
const named = async (Name: string) =>
  (await api.all('Publisher')).filter((publisher) => publisher.Name === Name).length;

suite('Idempotency-Key', () => {
  test('the same request gives the first answer again, and is done once', async () => {
    const body = bodyOf('Once');
    const first = await send('key-1', body);
    const again = await send('key-1', body);
    assert.equal(first.status, 200, first.text);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('etag'), first.headers.get('etag'));
    assert.equal(first.headers.get('idempotent-replayed'), null);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(await named('Once'), 1);
  });

  test('many that arrive at once are done once', async () => {
    const body = bodyOf('At once');
    const replies = await Promise.all(Array.from({ length: 30 }, () => send('key-2', body)));
    assert.deepEqual(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
    assert.equal(await named('At once'), 1);
  });

  const others: readonly (readonly [what: string, bodyAfter: (first: string) => string, to: string])[] = [
    ['another body', () => bodyOf('Other'), path],
    ['another operation', () => JSON.stringify({ Publisher: { Id: 1 } }), '/api/publisher/deactivate'],
    ['other parameters', (first) => first, `${path}?DryRun=0`],
  ];
  for (const [index, [what, bodyAfter, to]] of others.entries()) {
    test(`the same key with ${what} is 422, and changes nothing`, async () => {
      const body = bodyOf('First');
      const first = await send(`key-3-${index}`, body);
      assert.equal(first.status, 200, first.text);
      const reply = await send(`key-3-${index}`, bodyAfter(body), api, to);
      assert.equal(reply.status, 422, reply.text);
      assert.equal(reply.body.Status, 'Error');
      assert.equal(await named('Other'), 0);
    });
  }

  test('a key of another team is another key', async () => {
    const body = bodyOf('Two teams');
    const mine = await send('key-4', body);
    const theirs = await send('key-4', bodyOf('Two teams'), outsider);
    assert.equal(theirs.status, 200, theirs.text);
    assert.notEqual(theirs.text, mine.text);
    assert.equal(theirs.headers.get('idempotent-replayed'), null);
  });

  for (const [who, caller] of Object.entries({ manager, administrator: colleague })) {
    test(`the same request by another ${who} of the team is 422, and tells nothing of the answer`, async () => {
      const body = bodyOf(`By one, not by the other ${who}`);
      const first = await send(`key-user-${who}`, body);
      assert.equal(first.status, 200, first.text);
      const reply = await send(`key-user-${who}`, body, caller);
      assert.equal(reply.status, 422, reply.text);
      assert.match(reply.text, /another user/);
      assert.equal((await send(`key-user-${who}`, body)).text, first.text);
    });
  }

  test('an API key is not shown to another user, nor to an API key', async () => {
    const toAdd = '/api/auth/apikey/add';
    const body = JSON.stringify({ ApiKey: { Label: 'ci' } });
    const first = await send('key-ci', body, api, toAdd);
    const { Key } = posted(first, 'ApiKey') as Fetched & { Key: string };
    const theirs = await manager.post(toAdd, { ApiKey: { Label: 'of the manager' } });
    const keys = [Key, (posted(theirs, 'ApiKey') as Fetched & { Key: string }).Key];
    const cases: readonly (readonly [caller: Api, status: number])[] = [
      [manager, 422],
      [colleague, 422],
      ...keys.map((key) => [api.as(key), 403] as const),
    ];
    for (const [caller, status] of cases) {
      const reply = await send('key-ci', body, caller, toAdd);
      assert.equal(reply.status, status, reply.text);
      assert.ok(!reply.text.includes(Key));
      assert.equal(reply.body.ApiKey, undefined);
    }
  });

  test('a refusal is not remembered: the mended request may use the key again', async () => {
    const refused = await send('key-5', JSON.stringify({ Publisher: {} }));
    assert.equal(refused.status, 406);
    assert.equal((await send('key-5', bodyOf('Mended'))).status, 200);
  });

  for (const key of ['x'.repeat(256), 'ümlaut']) {
    test(`a key that is none is refused: ${key.slice(0, 10)}`, async () => {
      const reply = await send(encodeURI(key) === key ? key : '\xfc', bodyOf('Bad key'));
      assert.equal(reply.status, 406, reply.text);
      assert.match(reply.text, /Idempotency-Key/);
    });
  }

  test('an API key is shown again to who knows the key, and stands nowhere readable', async () => {
    const body = JSON.stringify({ ApiKey: { Label: 'robot' } });
    const first = await send('key-6', body, api, '/api/auth/apikey/add');
    const again = await send('key-6', body, api, '/api/auth/apikey/add');
    assert.equal(first.status, 200, first.text);
    assert.equal(again.text, first.text);
    const { Key } = first.body.ApiKey as Fetched & { Key: string };
    const keys = (await api.get('/api/auth/apikey/get')).body as unknown as Fetched[];
    assert.equal(keys.filter(({ Label }) => Label === 'robot').length, 1);
    const file = server.databaseUrl.replace('sqlite:', '');
    if (server.databaseUrl.startsWith('sqlite:')) {
      for (const part of [file, `${file}-wal`]) assert.ok(!readFileSync(part).includes(Key));
    }
  });
});

suite('DryRun', () => {
  test('answers what would be stored, and stores nothing', async () => {
    const before = await api.all('Publisher');
    const reply = await api.send(`${path}?DryRun=1`, { method: 'POST', body: bodyOf('Dry') });
    assert.equal(posted(reply, 'Publisher').Name, 'Dry');
    assert.deepEqual(await api.all('Publisher'), before);
    assert.equal(await named('Dry'), 0);
  });

  test('answers with the ID and the revision that the object then gets, on every database', async () => {
    const shown = async (to: string) => {
      const reply = await api.post(to, { Tag: { Name: 'shown' } });
      assert.equal(reply.status, 200, reply.text);
      return [reply.text, reply.headers.get('etag')];
    };
    const dry = [await shown('/api/tag/add?DryRun=1'), await shown('/api/tag/add?DryRun=1')];
    assert.deepEqual(dry[1], dry[0]);
    assert.deepEqual(await shown('/api/tag/add'), dry[0]);
  });

  test('an update, a deactivation, connections and lists leave everything as it was', async () => {
    const tag = await api.add('VastTag');
    const dsp = await api.add('DspVastTag');
    const list = await api.add('DomainList', { Name: 'dry', ListText: 'a.example' });
    const dry: readonly (readonly [path: string, body: object])[] = [
      ['/api/ortb/vasttag/update', { VastTag: { Id: tag.Id, Name: 'dry', DspVastTags: [dsp.Id] } }],
      ['/api/ortb/vasttag/deactivate', { VastTag: { Id: tag.Id } }],
      ['/api/domainlist/update', { DomainList: { Id: list.Id, ListText: 'b.example' } }],
    ];
    const state = () =>
      Promise.all([
        api.one('VastTag', tag.Id),
        api.one('DspVastTag', dsp.Id),
        api.one('DomainList', list.Id),
      ]);
    const before = await state();
    for (const [to, body] of dry) {
      const reply = await api.post(`${to}?DryRun=1`, body);
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(await state(), before);
    }
  });

  test('faults are told as without it', async () => {
    const reply = await api.post(`${path}?DryRun=1`, { Publisher: { Nam: 1 } });
    assert.equal(reply.status, 406);
    assert.match(reply.text, /did you mean `Name`/);
  });

  test('beside other writes, those stand', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        api.send(index % 2 === 0 ? path : `${path}?DryRun=1`, { method: 'POST', body: bodyOf('Beside') }),
      ),
    );
    assert.ok(replies.every(({ status }) => status === 200));
    assert.equal(await named('Beside'), 10);
  });

  test('an API key for show is none', async () => {
    const reply = await api.post('/api/auth/apikey/add?DryRun=1', { ApiKey: { Label: 'show' } });
    assert.equal(reply.status, 200, reply.text);
    const { Key } = reply.body.ApiKey as Fetched & { Key: string };
    assert.equal((await api.as(Key).get('/api/tag/get')).status, 401);
  });

  for (const query of ['?DryRun=2', '?DryRun=yes', '?Dryrun=1']) {
    test(`${query} is refused`, async () => {
      assert.equal((await api.send(path + query, { method: 'POST', body: bodyOf('Bad') })).status, 406);
      assert.equal(await named('Bad'), 0);
    });
  }
});

suite('POSTs that change nothing', () => {
  const served = async () => {
    const rows = (await api.get('/api/history/get?Limit=1000')).body as unknown as { Revision: number }[];
    await api.get(`/api/exchange/status?Revision=${rows.at(-1)?.Revision ?? 0}`);
  };
  const zoneUrl = ({ ZoneUrls }: Fetched) => (ZoneUrls as { ZoneUrl: string }[])[0]?.ZoneUrl ?? '';

  type Case = readonly [to: string, ask: (tag: Fetched) => object];
  const cases: readonly Case[] = [
    ['/api/config/plan', ({ Name }) => ({ Config: { Version: 1, Tag: [{ Name }] } })],
    ['/api/exchange/explain', (tag) => ({ VastTag: { Id: tag.Id }, Request: { Url: zoneUrl(tag) } })],
  ];
  for (const [to, ask] of cases) {
    test(`${to} answers anew, whatever key comes with it`, async () => {
      const tag = await api.add('VastTag', { Name: `asked by ${to}` });
      await served();
      const body = JSON.stringify(ask(tag));
      const key = `asking ${to}`;
      const first = await send(key, body, api, to);
      assert.equal(first.status, 200, first.text);
      await api.add('Tag', { Name: String(tag.Name) });
      await api.post('/api/ortb/vasttag/deactivate', { VastTag: { Id: tag.Id } });
      await served();
      const again = await send(key, body, api, to);
      assert.equal(again.status, 200, again.text);
      assert.notEqual(again.text, first.text);
      assert.equal(again.headers.get('idempotent-replayed'), null);
      for (const query of ['', '?DryRun=1', '?DryRun=0']) {
        const other = await send('key-1', body, api, to + query);
        assert.deepEqual([other.status, other.text], [200, again.text]);
      }
      assert.equal((await send(key, bodyOf('Key of a question'))).status, 200);
      assert.equal((await send(key, body, api, `${to}?DryRun=2`)).status, 406);
    });
  }
});

suite('ETag, If-None-Match, If-Match', () => {
  const get = (id: number, headers = {}) => api.send(`/api/ortb/vasttag/get?Id=${id}`, { headers });
  const update = (values: object, ifMatch: string) =>
    api.send('/api/ortb/vasttag/update', {
      method: 'POST',
      body: JSON.stringify({ VastTag: values }),
      headers: { 'if-match': ifMatch },
    });

  test('what has not changed is not sent again', async () => {
    const { Id } = await api.add('VastTag');
    // Of an answer that is not compressed: the tags of others are weak.
    const identity = { 'accept-encoding': 'identity' };
    const tag = (await get(Id, identity)).headers.get('etag') ?? '';
    assert.match(tag, /^"\d+-[\w-]+"$/);
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const reply = await get(Id, { ...identity, 'if-none-match': known });
      assert.equal(reply.status, 304, known);
      assert.equal(reply.text, '');
      assert.equal(reply.headers.get('etag'), tag);
    }
    assert.equal((await get(Id, { 'if-none-match': '"1-x"' })).status, 200);
  });

  test('every change that the answer shows makes it another', async () => {
    const publisher = await api.add('Publisher');
    const { Id } = await api.add('VastTag', { PublisherId: publisher.Id });
    const seen = new Set<string>();
    const changes: readonly (() => Promise<unknown>)[] = [
      async () => undefined,
      () => api.update('VastTag', { Id, Name: 'other' }),
      () => api.add('DspVastTag', { VastTags: [Id] }),
      () => api.post('/api/ortb/vasttag/deactivate', { VastTag: { Id } }),
      () => api.update('Publisher', { Id: publisher.Id, Name: 'Renamed' }),
    ];
    for (const change of changes) {
      await change();
      seen.add((await get(Id)).headers.get('etag') ?? '');
    }
    assert.equal(seen.size, changes.length);
  });

  test('an update with the tag of the last fetch goes through; with an older one it is 412', async () => {
    const { Id } = await api.add('VastTag');
    const first = (await get(Id)).headers.get('etag') ?? '';
    const mine = await update({ Id, Name: 'mine' }, first);
    assert.equal(mine.status, 200, mine.text);
    const late = await update({ Id, Name: 'late' }, first);
    assert.equal(late.status, 412, late.text);
    assert.equal(late.body.Status, 'Error');
    assert.equal((await api.one('VastTag', Id)).Name, 'mine');
    assert.equal((await update({ Id, Name: 'next' }, mine.headers.get('etag') ?? '')).status, 200);
    assert.equal((await update({ Id, Name: 'any' }, '*')).status, 200);
  });

  test('an update that changes nothing leaves the tag, and no row in the history', async () => {
    const { Id, ...values } = await api.add('VastTag', { Countries: [{ CC: 'DE' }], Bidfloor: 1.5 });
    const tag = (await get(Id)).headers.get('etag');
    for (const same of [{}, { Bidfloor: 1.5 }, values]) {
      const reply = await update({ Id, ...same }, '*');
      assert.equal(reply.status, 200, reply.text);
    }
    assert.equal((await get(Id)).headers.get('etag'), tag);
    const { body } = await api.get(`/api/history/get?Entity=VastTag&Id=${Id}`);
    assert.equal(body.length, 1);
  });

  test('of many who update at once with the same tag, one succeeds', async () => {
    const { Id } = await api.add('VastTag');
    const tag = (await get(Id)).headers.get('etag') ?? '';
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => update({ Id, Name: `${index}` }, tag)),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(9).fill(412)]);
  });

  test("names and figures of others are no reason for 412, an object's own connections are", async () => {
    const publisher = await api.add('Publisher');
    const { Id } = await api.add('VastTag', { PublisherId: publisher.Id });
    const tag = (await get(Id)).headers.get('etag') ?? '';
    await api.update('Publisher', { Id: publisher.Id, Name: 'Renamed' });
    const renamed = await update({ Id, Name: 'still mine' }, tag);
    assert.equal(renamed.status, 200, renamed.text);
    await api.add('DspVastTag', { VastTags: [Id] });
    assert.equal((await update({ Id, Name: 'late' }, renamed.headers.get('etag') ?? '')).status, 412);
  });
});
