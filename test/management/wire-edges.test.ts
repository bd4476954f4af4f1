import assert from 'node:assert/strict';
import { request } from 'node:http';
import { suite, test } from 'node:test';
import { freshUsername, posted, startApi, type Values } from './api.ts';
import { assertRefused } from './refusals.ts';
import { addUser } from './users.ts';

const { server, api } = await startApi();
const elsewhere = api.as((await addUser(server, { role: 0 })).token);

suite('W8 unknown paths and wrong methods', () => {
  const unknown = [
    '/api',
    '/api/',
    '/api/publisher',
    '/api/publisher/remove',
    '/api/publisher/add/',
    '/api/Publisher/add',
    '/publisher/add',
    '/api/ortb/vasttag/addx',
    '/api/nothing/get',
    '/api/info/nothing',
    '/nothing',
    '/api%2Ftag%2Fget',
    '/api/tag/get%3F',
    '/api/tag/g%C3%A9t',
  ];
  for (const path of unknown) {
    for (const [method, body] of [['GET'], ['POST', '{}'], ['POST', 'no JSON'], ['POST', '']] as const) {
      test(`${method} ${path} ${body ?? ''} is 404`, async () => {
        assertRefused(await api.send(path, body === undefined ? { method } : { method, body }), {
          status: 404,
        });
      });
    }
  }
  const wrong: readonly (readonly [method: string, path: string, allowed: 'GET' | 'POST'])[] = [
    ['GET', '/api/publisher/add', 'POST'],
    ['PUT', '/api/publisher/add', 'POST'],
    ['DELETE', '/api/publisher/add', 'POST'],
    ['PATCH', '/api/publisher/update', 'POST'],
    ['GET', '/api/auth/login', 'POST'],
    ['POST', '/api/ortb/rtbep/get', 'GET'],
    ['POST', '/api/info/countries', 'GET'],
    ['POST', '/api/auth/account', 'GET'],
    ['DELETE', '/api/tag/get', 'GET'],
    ['POST', '/api/tag/%67et', 'GET'],
  ];
  for (const [method, path, allowed] of wrong) {
    test(`${method} ${path} is 405 and allows ${allowed}`, async () => {
      for (const body of method === 'GET' ? [undefined] : [undefined, '{}', 'no JSON']) {
        const reply = await api.send(path, body === undefined ? { method } : { method, body });
        assertRefused(reply, { status: 405 });
        const methods = (reply.headers.get('allow') ?? '').split(/,\s*/);
        assert.ok(methods.includes(allowed) && !methods.includes(method), methods.join());
      }
    });
  }
  test('every error is JSON, as section 7 has it', async () => {
    for (const path of ['/nothing', '/api/publisher/add', '/api/tag/get?Id=x']) {
      const reply = await api.get(path);
      assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
      assert.deepEqual(Object.keys(reply.body).slice(0, 2), ['Status', 'Error']);
    }
  });
});

const malformed = [
  'Id=abc',
  'Id=-1',
  'Id=1.5',
  'Id=1e3',
  'Id=%2B1',
  'Id=',
  'Id=0x1',
  'Id=1%20',
  'Id=99999999999999999999',
  'id=1',
  'Foo=1',
  'AdvertiserId=1',
  'ActiveOnly=true',
  'ActiveOnly=-1',
  'PublisherId=x',
  'AccManagerId=x',
  'Id=1&Id=1',
  'Id[]=1',
  'Limit=-1',
  'AfterId=x',
  'Limit=1.5',
  '__proto__=1',
  'Status=0',
];

suite('W9 query parameters', () => {
  for (const query of malformed) {
    test(`${query} is 406`, async () => {
      const [name = ''] = query.split('=');
      assertRefused(await api.get(`/api/ortb/rtbep/get?${query}`), {
        status: 406,
        paths: [name],
        says: [name],
      });
    });
  }
  test('all faults at once', async () => {
    const reply = await api.get('/api/ortb/rtbep/get?Id=x&PublisherID=1&ActiveOnly=yes');
    assertRefused(reply, { status: 406, paths: ['Id', 'PublisherID', 'ActiveOnly'], says: ['PublisherId'] });
  });
  test('absent and 0 mean the same', async () => {
    await api.add('RtbEp');
    const all = await api.all('RtbEp');
    assert.ok(all.length > 0);
    for (const query of ['?', '?Id=0', '?Id=0&PublisherId=0&AccManagerId=0&ActiveOnly=0', '?Id=00']) {
      assert.deepEqual(await api.all('RtbEp', query), all, query);
    }
  });
  for (const path of ['/api/auth/account', '/api/info/countries', '/api/info/iabcategories']) {
    test(`${path} takes none and never answers 406 (specification 7)`, async () => {
      const plain = await api.get(path);
      const reply = await api.get(`${path}?Id=x&Foo=1`);
      assert.deepEqual([reply.status, reply.text], [200, plain.text]);
    });
  }
});

suite('W10 filters together, and what belongs to others', () => {
  test('filters are ANDed, with Id as well', async () => {
    const [first, second] = [await api.add('Publisher'), await api.add('Publisher')];
    const one = await api.add('RtbEp', { PublisherId: first.Id });
    await api.post('/api/ortb/rtbep/deactivate', { RtbEp: { Id: one.Id } });
    const found = async (query: string) => (await api.get(`/api/ortb/rtbep/get?${query}`)).status;
    assert.equal(await found(`Id=${one.Id}&PublisherId=${first.Id}`), 200);
    assert.equal(await found(`Id=${one.Id}&PublisherId=${second.Id}`), 406);
    assert.equal(await found(`Id=${one.Id}&AccManagerId=${one.AccManagerId}`), 200);
    assert.equal(await found(`Id=${one.Id}&AccManagerId=999999`), 406);
    assert.equal(await found(`Id=${one.Id}&ActiveOnly=1`), 406);
    assert.deepEqual(await api.all('RtbEp', `?PublisherId=${first.Id}&ActiveOnly=1`), []);
  });
  test("another team's Id answers, to the letter, as one that does not exist", async () => {
    const { Id } = await api.add('DomainList', { Name: 'Secret', ListText: 'secret.example' });
    const unknown = Id + 100_000;
    const answers = async (id: number) => [
      await elsewhere.get(`/api/domainlist/get?Id=${id}`),
      await elsewhere.post('/api/domainlist/update', { DomainList: { Id: id, Name: 'Stolen' } }),
      await elsewhere.post('/api/domainlist/update', { DomainList: { Id: id, ListText: '!' } }),
      await elsewhere.post('/api/domainlist/deactivate', { DomainList: { Id: id } }),
      await elsewhere.post('/api/ortb/rtbep/add', { RtbEp: { PublisherId: 1, DomainsBrandsList: [id] } }),
    ];
    const [of, without] = [await answers(Id), await answers(unknown)];
    for (const reply of of) assertRefused(reply, { status: 406, never: ['Secret', 'secret.example'] });
    const texts = (replies: typeof of, id: number) =>
      replies.map(({ text }) =>
        text.replaceAll(`List ${id} `, 'List ID ').replaceAll(`List ${id},`, 'List ID,'),
      );
    assert.deepEqual(texts(of, Id), texts(without, unknown));
    const list = await api.one('DomainList', Id);
    assert.deepEqual([list.Name, list.Status, list.ListText], ['Secret', 0, 'secret.example']);
  });
});

test('W12 both forms say AdvertiserId', async () => {
  const { Id, AdvertiserId } = await api.add('DspVastTag');
  const [row] = await api.all('DspVastTag', `?AfterId=${Id - 1}`);
  assert.equal(row?.AdvertiserId, AdvertiserId);
  assert.ok(row && !('AdvertiserIdId' in row));
});

const mebibyte = 1024 * 1024;

/** Sends the head of a request that announces a long body, and reads what the server says to that. */
function announce(path: string, bytes: number): Promise<{ status: number; body: Values }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.token}`, 'content-length': bytes };
    const sent = request(server.url + path, { method: 'POST', headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      sent.destroy();
      resolve({ status: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
    });
    sent.on('error', reject);
    sent.flushHeaders();
  });
}

suite('W13 body size', () => {
  const padded = (wrapper: string, values: Values, bytes: number) =>
    JSON.stringify({ [wrapper]: values }).padEnd(bytes, ' ');
  const send = (path: string, body: string) => api.send(path, { method: 'POST', body });
  test('1 MiB is taken', async () => {
    const values = { Mail: 'a@b.example', Name: 'A', Country: 'US', Username: freshUsername() };
    posted(await send('/api/publisher/add', padded('Publisher', values, mebibyte)), 'Publisher');
  });
  test('a byte more is 413, before it has come', async () => {
    const { status, body } = await announce('/api/publisher/add', mebibyte + 1);
    assert.deepEqual([status, body.Status, typeof body.Error], [413, 'Error', 'string']);
  });
  test('a mebibyte of faults is told, and soon', { timeout: 20_000 }, async () => {
    const fields = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`f${index}`, 1]));
    const reply = await send('/api/ortb/vasttag/add', JSON.stringify({ VastTag: fields }));
    assert.equal(reply.status, 406);
  });
  test('a byte more in chunks is 413', async () => {
    const reply = await send('/api/publisher/add', padded('Publisher', {}, mebibyte + 1));
    assertRefused(reply, { status: 413 });
  });
  const list = (text: string) => JSON.stringify({ KeywordList: { Name: 'A', ListText: text } });
  const bare = (name: string, bytes: number) => `{"${name}":[${'[],'.repeat(bytes / 3)}[]]}`;
  const besideTexts: readonly (readonly [what: string, path: string, body: string, status: number])[] = [
    ['brackets in a text', 'keywordlist/add', list('[a], {b}\n'.repeat(mebibyte / 4)), 200],
    ['quotes in a text', 'keywordlist/add', list('"a"\\,\n'.repeat(mebibyte / 4)), 200],
    ['as many brackets as may be', 'keywordlist/add', bare('KeywordList', mebibyte - 100), 406],
    ['more of them', 'keywordlist/add', bare('KeywordList', mebibyte + 3), 413],
    ['more of them behind a text', 'keywordlist/add', `["\\"",${bare('a', mebibyte + 3)}]`, 413],
    ['as many in a configuration', 'config/plan', bare('Config', 2 * mebibyte), 406],
    ['too many in a configuration', 'config/plan', bare('Config', 16 * mebibyte + 3), 413],
  ];
  for (const [what, path, body, status] of besideTexts) {
    test(`${what}: ${status}`, { timeout: 60_000 }, async () => {
      const reply = await send(`/api/${path}`, body);
      assert.equal(reply.status, status, JSON.stringify(reply.body).slice(0, 300));
      if (status === 413)
        assert.match(String(reply.body.Error), /^Apart from quoted texts, .* more than (1|16) MiB/);
    });
  }
  for (const [path, wrapper] of [
    ['domainlist', 'DomainList'],
    ['iplist', 'IpList'],
  ] as const) {
    test(`${path} takes more, up to 64 MiB`, async () => {
      const body = padded(wrapper, { Name: 'A', ListText: '' }, 3 * mebibyte);
      const { Id } = posted(await send(`/api/${path}/add`, body), wrapper);
      posted(await send(`/api/${path}/update`, padded(wrapper, { Id }, 3 * mebibyte)), wrapper);
      assert.equal((await announce(`/api/${path}/add`, 64 * mebibyte + 1)).status, 413);
      assert.equal((await announce(`/api/${path}/activate`, mebibyte + 1)).status, 413);
    });
  }
});
