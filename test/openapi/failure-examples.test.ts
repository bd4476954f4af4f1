import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addUsers } from '../management/users.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import type { ApiDocument } from './document.ts';

let server: TestServer;
let document: ApiDocument;
let analyst = '';

before(async () => {
  server = await startTestServer();
  document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as ApiDocument;
  const [user] = await addUsers(server, [{ role: 2, teamId: 1 }]);
  analyst = user?.token ?? '';
});
after(() => server.close());

type Headers = Readonly<Record<string, string>>;

function post(path: string, body: string, { token = server.token, ...headers }: Headers = {}) {
  const authorization = `Bearer ${token}`;
  return fetch(`${server.url}/api/${path}`, { method: 'POST', headers: { authorization, ...headers }, body });
}

const tag = (Name: string) => JSON.stringify({ Tag: { Name } });

/** What each kind of failure is provoked by; the two that are not here need a server that is ending or has failed. */
const provoked: Readonly<Record<string, () => Promise<Response>>> = {
  NotJson: () => post('tag/add', ''),
  Unauthorized: () => post('tag/add', tag('A'), { token: 'none' }),
  Forbidden: () => post('tag/add', tag('A'), { token: analyst }),
  Invalid: async () => {
    const owner = { Name: 'A', Mail: 'a@example.com', Country: 'DE', Username: 'a' };
    const added = await post('publisher/add', JSON.stringify({ Publisher: owner }));
    const { Publisher } = (await added.json()) as { readonly Publisher: { readonly Id: number } };
    return post('ortb/vasttag/add', JSON.stringify({ VastTag: { PublisherId: Publisher.Id, MaxQps: -1 } }));
  },
  ChangedMeanwhile: async () => {
    const added = await post('tag/add', tag('A'));
    const { Tag } = (await added.json()) as { readonly Tag: { readonly Id: number } };
    return post('tag/update', JSON.stringify({ Tag: { Id: Tag.Id } }), { 'if-match': '"0-a"' });
  },
  TooLarge: () => post('tag/add', tag('A'.repeat(2 ** 20))),
  KeyReused: async () => {
    const key = { 'idempotency-key': 'the same' };
    await post('tag/add', tag('A'), key);
    return post('tag/add', tag('B'), key);
  },
  TooMany: async () => {
    const failed = () => post('auth/login', JSON.stringify({ Username: 'a@example.com', Password: 'wrong' }));
    let answer = await failed();
    while (answer.status === 401) answer = await failed();
    return answer;
  },
};

const withoutNumbers = (body: unknown) =>
  JSON.parse(JSON.stringify(body).replace(/\d+ seconds/, 'n seconds'));

test('every kind of failure but those of the server itself is provoked here', () => {
  const kinds = Object.keys(document.components.responses).filter((name) => isFailure(name));
  assert.deepEqual(kinds.sort(), [...Object.keys(provoked), 'ServerError', 'Unavailable'].sort());
});

function exampleOf(name: string): unknown {
  return document.components.responses[name]?.content?.['application/json']?.example;
}

function isFailure(name: string): boolean {
  const example = exampleOf(name);
  return typeof example === 'object' && example !== null && 'Error' in example;
}

for (const [name, provoke] of Object.entries(provoked)) {
  test(`the example of ${name} is what the server answers`, async () => {
    const answer = await provoke();
    assert.deepEqual(withoutNumbers(await answer.json()), withoutNumbers(exampleOf(name)));
  });
}
