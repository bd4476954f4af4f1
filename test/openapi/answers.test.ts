import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Entity } from '../../src/entities/entity.ts';
import { entities } from '../../src/entities/registry.ts';
import { codeOf } from '../management/totp-code.ts';
import { type AddedUser, addUsers } from '../management/users.ts';
import { fireAlert } from '../support/fire-alert.ts';
import { ratesRead, today, writeRates } from '../support/rates.ts';
import { startTestServer, type TestServer, tokenOf } from '../support/server.ts';
import { startValidatingProxy, type ValidatingProxy } from '../support/validating-proxy.ts';
import {
  type ApiDocument,
  Checker,
  type DocumentOperation,
  type Found,
  operationsOf,
  requiredQuery,
} from './document.ts';

let folder: string;
let server: TestServer;
let proxy: ValidatingProxy;
let operations: readonly Found[];
let checker: Checker;
let partners: readonly AddedUser[];
const seen = new Set<string>();

before(async () => {
  // The examples of objects have their prices in EUR.
  folder = mkdtempSync(join(tmpdir(), 'bourse-rates-'));
  server = await startTestServer({ apiRateLimit: 100_000, ratesFile: writeRates(folder, today()) });
  await ratesRead(server.url);
  proxy = await startValidatingProxy(server.url);
  partners = await addUsers(
    server,
    accounts.map((kind) => ({ role: 3, teamId: 1, partner: { kind, id: 1 } })),
  );
  const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as ApiDocument;
  operations = operationsOf(document);
  checker = new Checker(document);
});
after(async () => {
  rmSync(folder, { recursive: true });
  await proxy.close();
  await server.close();
});

const accounts = ['Publisher', 'Advertiser'] as const;
const isOfPortal = ({ path }: Pick<Found, 'path'>) => path.startsWith('/api/portal/');

/** The token of a partner whose objects are found at a path of the portal. */
function partnerFor(path: string): string {
  const entity = entities.find((one) => path === `/api/portal/${one.path}/get`);
  const index = accounts.findIndex((kind) => kind === (entity?.owner?.entity ?? entity?.key ?? 'Publisher'));
  return partners[index]?.token ?? assert.fail(path);
}

function found(name: string): Found {
  const one = operations.find((operation) => operation.name === name);
  assert.ok(one, `${name} is not in the document`);
  return one;
}

/** Headers of HTTP itself, of its caches and of its guards, which the document need not tell. */
const general =
  /^(allow|cache-control|connection|content-.*|date|keep-alive|referrer-policy|transfer-encoding|vary|x-content-type-options)$/;

/** Headers of operations, which are there where the document tells of them and nowhere else. */
function assertHeaders(operation: Found, { status, headers }: Response): void {
  const told = checker.headersOf(operation, status);
  const own = [...headers.keys()].filter((name) => !general.test(name));
  assert.deepEqual(
    own.filter((name) => !told.includes(name)),
    [],
    `${operation.name} ${status}: headers that the document does not tell of`,
  );
  const isPosted = operation.method === 'POST' && status === 200;
  if (isPosted && told.includes('etag')) assert.ok(headers.has('etag'), `${operation.name} has no ETag`);
}

interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  readonly query?: string;
  readonly token?: string;
  /** Another server, which is asked past the proxy. */
  readonly at?: string;
}

/** Calls an operation, and checks that its answer is as the document says. */
async function call(name: string, expected: number, sending: Sending = {}): Promise<unknown> {
  const operation = found(name);
  const { body, query = '', token = server.token, headers, at = proxy.url } = sending;
  const answer = await fetch(`${at}${operation.path}${query}`, {
    method: operation.method,
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      'bourse-console': '1',
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  const value: unknown = type === 'application/json' ? await answer.json() : await answer.text();
  assert.equal(answer.status, expected, `${name}: ${JSON.stringify(value)}`);
  assert.equal(checker.answerFaults(operation, answer.status, value, type), '', name);
  assertHeaders(operation, answer);
  if (expected === 200) seen.add(name);
  return value;
}

async function added(path: string, wrapper: string, values: object): Promise<number> {
  const body = JSON.stringify({ [wrapper]: values });
  const answer = (await call(`POST /api/${path}/add`, 200, { body })) as Record<string, { Id: number }>;
  return answer[wrapper]?.Id ?? 0;
}

/** What stands for the first tracker of a banner, once a test has found it. */
async function dormantUrl(Html: string): Promise<string | undefined> {
  const sized = { Name: 'Banner', Width: 300, Height: 250 };
  const AdvertiserId = 1;
  const campaign = await added('campaign', 'Campaign', { ...sized, AdvertiserId, Type: 2, Html, Cpm: 1 });
  const Id = await added('bannerep', 'BannerEp', { ...sized, PublisherId: 1, Campaigns: [campaign] });
  const query = `?Entity=BannerEp&Id=${Id}`;
  const changes = (await call('GET /api/history/get', 200, { query })) as { readonly Revision: number }[];
  await call('GET /api/exchange/status', 200, { query: `?Revision=${changes.at(-1)?.Revision}` });
  const body = JSON.stringify({ Entity: 'BannerEp', Id });
  const { Trackers } = (await call('POST /api/exchange/test/run', 200, { body })) as {
    readonly Trackers: readonly { readonly DormantUrl: string }[];
  };
  return Trackers[0]?.DormantUrl;
}

function bodyExample({ requestBody }: DocumentOperation): string {
  const example = requestBody?.content?.['application/json']?.example;
  assert.ok(example !== undefined);
  return JSON.stringify(example);
}

const callAsInExample = (name: string) => call(name, 200, { body: bodyExample(found(name).operation) });

function connectionsTo(entity: Entity, id: number) {
  const names = Object.entries(entity.fields).filter(([, { place }]) => place.kind === 'connection');
  return Object.fromEntries(names.map(([name]) => [name, [id]]));
}

const statistics = () => operations.filter(({ path }) => path.includes('/stats/'));

/** What a statistics URL must be sent: the account's credentials last, and object 1 where it is about one. */
async function statisticsQuery({ operationId, parameters = [] }: DocumentOperation): Promise<string> {
  const owner = operationId.startsWith('advertiser') ? 'advertiser' : 'publisher';
  const answer = await fetch(`${server.url}/api/${owner}/get?Id=1`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  const { Username = '', StatsAuth = '' } = (await answer.json()) as Record<string, string>;
  const object = parameters.find(({ name }) => name === 'zone' || name === 'feed');
  return `?${object ? `${object.name}=1&` : ''}username=${encodeURIComponent(Username)}&auth=${StatsAuth}`;
}

describe('answers are as the document says', () => {
  for (const { path, title } of entities) {
    test(`${title}: added, updated, deactivated, activated by the examples`, async () => {
      for (const operation of ['add', 'update', 'deactivate', 'activate']) {
        await callAsInExample(`POST /api/${path}/${operation}`);
      }
    });
  }

  test('credentials, replaced by the examples', async () => {
    const rotations = operations.filter(({ path }) => path.endsWith('/rotate'));
    assert.equal(rotations.length, 8);
    for (const { name } of rotations) await callAsInExample(name);
  });

  test('a deal, sent to its buyer by the example', async () => {
    await callAsInExample('POST /api/deal/push');
  });

  for (const entity of entities) {
    test(`${entity.title}: fetched alone and in an array, connected to all it can be`, async () => {
      const { path, wrapper } = entity;
      const body = JSON.stringify({ [wrapper]: { Id: 1, ...connectionsTo(entity, 1) } });
      await call(`POST /api/${path}/update`, 200, { body });
      const one = await call(`GET /api/${path}/get`, 200, { query: '?Id=1' });
      const many = await call(`GET /api/${path}/get`, 200, { query: '?ActiveOnly=1&Limit=5' });
      assert.ok(!Array.isArray(one) && Array.isArray(many) && many.length === 1);
      const chosen = await call(`GET /api/${path}/get`, 200, { query: '?Fields=Name,Id&Sort=-Id&Limit=1' });
      assert.deepEqual(Object.keys((chosen as object[])[0] ?? {}), ['Name', 'Id']);
    });
  }

  test('lists sent as a form', async () => {
    const uploads = operations.filter(
      ({ operation }) => operation.requestBody?.content?.['multipart/form-data'] !== undefined,
    );
    assert.equal(uploads.length, 8);
    for (const { name } of uploads) {
      const form = new FormData();
      if (name.endsWith('/update')) form.append('Id', '1');
      form.append('Name', 'from a form');
      const line = name.includes('/domainlist/') ? 'example.com' : '192.0.2.1';
      form.append('File', new Blob([`${line}\n`]), 'lines.txt');
      await call(name, 200, { body: form });
    }
  });

  test('statistics, as CSV and as JSON, under the credentials of their account', async () => {
    for (const { name, operation } of statistics()) {
      const query = await statisticsQuery(operation);
      await call(name, 200, { query, token: '' });
      await call(name, 200, { query: `${query}&type=json&columns=Clicks`, token: '' });
      await call(name, 401, { query: `${query}x`, token: '' });
      await call(name, 406, { query: `${query}&Nonsense=1`, token: '' });
    }
  });

  test('everything with no parameters but those required', async () => {
    const plain = operations.filter(
      ({ method, path }) =>
        method === 'GET' &&
        !path.includes('/stats/') &&
        !isOfPortal({ path }) &&
        // It wants a report that is the caller's own.
        path !== '/api/own/report/sendings' &&
        (path.startsWith('/api/info/') || !path.startsWith('/api/auth')),
    );
    for (const { name, operation } of plain) await call(name, 200, { query: requiredQuery(operation) });
  });

  test('what partners are shown, and nobody else', async () => {
    for (const { name, path } of operations.filter(isOfPortal)) {
      await call(name, 200, { token: partnerFor(path) });
      await call(name, 403);
    }
  });

  test('reports of one’s own, and what a partner reports', async () => {
    const { Report } = (await callAsInExample('POST /api/own/report/add')) as { Report: { Id: number } };
    const body = JSON.stringify({ Report: { Id: Report.Id } });
    for (const word of ['update', 'deactivate', 'activate'])
      await call(`POST /api/own/report/${word}`, 200, { body });
    await call('GET /api/own/report/sendings', 200, { query: `?Id=${Report.Id}` });
    const [{ Id = 0 } = {}] = (await call('GET /api/ortb/dsprtbep/get', 200)) as readonly { Id?: number }[];
    const named = { Id, StatsApi: 'http://127.0.0.1:9/' };
    await call('POST /api/ortb/dsprtbep/update', 200, { body: JSON.stringify({ DspRtbEp: named }) });
    const wanted = JSON.stringify({ Entity: 'DspRtbEp', Id });
    await call('POST /api/statistics/partner/fetch', 200, { body: wanted });
    const entry = JSON.stringify({ Id: await fireAlert(server.databaseUrl, 999) });
    await call('POST /api/alert/acknowledge', 200, { body: entry });
    await call('GET /api/statistics/partner/get', 200, { query: `?Entity=DspRtbEp&Id=${Id}` });
    await callAsInExample('POST /api/team/update');
    await call('POST /api/team/update', 412, { body: '{"Team":{}}', headers: { 'if-match': '"0"' } });
  });

  test('many changes at once', async () => {
    await callAsInExample('POST /api/batch');
    const stale = { Entity: 'Tag', Operation: 'update', Object: { Id: 1 }, Tag: '"0"' };
    await call('POST /api/batch', 412, { body: JSON.stringify({ Changes: [stale] }) });
  });

  test('configuration as code', async () => {
    for (const step of ['plan', 'apply', 'plan']) await callAsInExample(`POST /api/config/${step}`);
  });

  test('reports, as JSON and CSV', async () => {
    const question = {
      From: '2026-11-01',
      To: '2026-11-02',
      GroupBy: ['Day', 'Supply'],
      Measures: ['Requests'],
      Total: 1,
    };
    const body = JSON.stringify(question);
    await call('POST /api/statistics/report', 200, { body });
    await call('POST /api/statistics/report', 406, { body: '{}' });
    await callAsInExample('POST /api/statistics/drivers');
    await call('POST /api/statistics/drivers', 406, { body: '{}' });
    await call('GET /api/statistics/live', 200);
  });

  test('what the exchange tells', async () => {
    const tags = (await call('GET /api/ortb/vasttag/get', 200)) as readonly { Id: number }[];
    const body = JSON.stringify({
      VastTag: { Id: tags[0]?.Id },
      Request: { Url: 'https://x.example/vast?ip=' },
    });
    await call('POST /api/exchange/explain', 200, { body });
    const strings = JSON.stringify({ Consent: 'x', UsPrivacy: '1YYN', Gpp: 'DBABLA~CAARAAAAAABA.YA' });
    await call('POST /api/exchange/consent', 200, { body: strings });
    const tested = { body: JSON.stringify({ Entity: 'VastTag', Id: tags[0]?.Id }) };
    const { Url } = (await call('POST /api/exchange/test', 200, tested)) as { Url: string };
    assert.equal((await fetch(Url)).status, 200);
    await call('POST /api/exchange/test/run', 200, tested);
    await call('POST /api/exchange/test/run', 200, { body: JSON.stringify({ Url }) });
    const tracker = await dormantUrl('<img src="http://127.0.0.1:9/pixel">');
    await call('POST /api/exchange/test/fire', 200, { body: JSON.stringify({ Url: tracker }) });
  });

  test('access tokens and API keys', async () => {
    await call('GET /api/auth/account', 200);
    const { ApiKey } = (await callAsInExample('POST /api/auth/apikey/add')) as { ApiKey: { Id: number } };
    await call('GET /api/auth/apikey/get', 200);
    await call('POST /api/auth/apikey/get', 200);
    const body = JSON.stringify({ ApiKey: { Id: ApiKey.Id } });
    await call('POST /api/auth/apikey/revoke', 200, { body });
    const login = JSON.stringify({ Username: server.mail, Password: server.password });
    await call('POST /api/auth/login', 200, { body: login, token: '' });
    const token = await tokenOf(server.url, server.mail, server.password);
    const renewed = (await call('POST /api/auth/refresh', 200, { token })) as { AccessToken: string };
    await call('POST /api/auth/logout', 200, { token: renewed.AccessToken });
  });

  test('sessions, passwords and second factors', async () => {
    const Password = server.password;
    const logIn = JSON.stringify({ Username: server.mail, Password });
    await call('POST /api/auth/session', 200, { body: logIn, token: '' });
    await call('POST /api/auth/session', 403, { body: logIn, token: '', headers: { 'bourse-console': '' } });
    await call('POST /api/auth/password', 200, { body: JSON.stringify({ Password, NewPassword: Password }) });
    const begun = await call('POST /api/auth/totp/begin', 200, { body: JSON.stringify({ Password }) });
    const { Secret } = begun as { Secret: string };
    const send = (Code: string | undefined) => ({ body: JSON.stringify({ Code }) });
    const confirmed = await call('POST /api/auth/totp/confirm', 200, send(codeOf(Secret)));
    await call('POST /api/auth/login', 401, { body: logIn, token: '' });
    const Code = (confirmed as { RecoveryCodes: string[] }).RecoveryCodes[0];
    await call('POST /api/auth/totp/remove', 200, { body: JSON.stringify({ Password, Code }) });
    await call('GET /api/auth/session/get', 200);
    await call('GET /api/auth/session/get', 406, { query: '?UserId=999' });
    const { Url } = (await callAsInExample('POST /api/auth/download')) as { Url: string };
    assert.equal((await fetch(server.url + Url)).status, 200);
  });

  test('users', async () => {
    const { User, Link } = (await callAsInExample('POST /api/auth/user/invite')) as {
      User: { Id: number };
      Link: string;
    };
    const accepted = JSON.stringify({ Link: Link.split('=')[1], NewPassword: 'long enough' });
    await call('POST /api/auth/link', 200, { body: accepted, token: '' });
    await call('POST /api/auth/link', 406, { body: accepted, token: '' });
    const body = JSON.stringify({ Id: User.Id });
    for (const word of ['resettotp', 'resetlink', 'deactivate', 'activate', 'update'])
      await call(`POST /api/auth/user/${word}`, 200, { body });
    await call('GET /api/auth/user/get', 200);
    await call('GET /api/auth/user/get', 200, { query: `?Id=${User.Id}` });
    await tokenOf(server.url, server.mail, server.password);
    const mine = (await call('GET /api/auth/session/get', 200)) as readonly Record<string, number>[];
    const other = mine.find(({ IsCurrent }) => IsCurrent === 0);
    await call('POST /api/auth/session/end', 200, { body: JSON.stringify({ Id: other?.Id }) });
  });

  test('the demonstration', async () => {
    await call('POST /api/demonstration/start', 406, { body: '{}' });
    const { url: at, token, close } = await startTestServer();
    await call('POST /api/demonstration/start', 200, { body: '{}', token, at });
    await close();
  });

  test('with an Idempotency-Key, again and for show, where the document has both', async () => {
    const own = /login|refresh|logout|\/(session|password|link|download)$|\/totp\/|\/get$/;
    const names = operations.filter(({ method, path }) => method === 'POST' && !own.test(path));
    for (const { name, operation } of names) {
      const taken = operation.parameters?.map((parameter) => parameter.name) ?? [];
      const changes = /\/(update|activate|deactivate|rotate|push)$/.test(name) && !/\/user\//.test(name);
      const asks = /\/(plan|explain|consent|test|run|fire|report|drivers|fetch|acknowledge)$/.test(name);
      assert.ok(taken.includes('DryRun') && taken.includes('Idempotency-Key'), name);
      assert.equal(taken.includes('If-Match'), changes, name);
      for (const status of [409, 412, 422]) {
        assert.equal(
          String(status) in operation.responses,
          (status === 422 && !asks) || (status === 412 && (changes || name === 'POST /api/batch')),
          name,
        );
      }
    }
    for (const name of ['POST /api/tag/add', 'POST /api/auth/apikey/add', 'POST /api/config/apply']) {
      const sending = { headers: { 'idempotency-key': name }, body: bodyExample(found(name).operation) };
      assert.deepEqual(await call(name, 200, sending), await call(name, 200, sending));
      await call(name, 422, { ...sending, query: '?DryRun=0' });
    }
    const again = { body: bodyExample(found('POST /api/tag/add').operation), query: '?DryRun=1' };
    await call('POST /api/tag/add', 200, again);
    await call('POST /api/tag/update', 412, { body: '{"Tag":{"Id":1}}', headers: { 'if-match': '"0"' } });
  });

  test('every operation of the document was called', () => {
    assert.deepEqual([...seen].sort(), operations.map(({ name }) => name).sort());
  });
});

describe('refusals are as the document says', () => {
  test('without a token: 401', async () => {
    const closed = operations.filter(({ operation }) => operation.security === undefined);
    for (const { name } of closed) await call(name, 401, { token: '' });
  });

  test('a body that is not JSON: 400', async () => {
    for (const { name } of operations.filter(({ method }) => method === 'POST')) {
      await call(name, 400, { body: '{' });
    }
  });

  test('an unknown member or parameter: 406', async () => {
    for (const { name, method, path, operation } of operations) {
      // Where the query says who asks, that comes first.
      if (!('406' in operation.responses) || name.includes('/stats/')) continue;
      const nonsense = method === 'POST' ? { body: '{"Nonsense":1}' } : { query: '?Nonsense=1' };
      await call(name, 406, isOfPortal({ path }) ? { ...nonsense, token: partnerFor(path) } : nonsense);
    }
  });
});

test('a proxy that validates with the standard formats has found no fault in all that', () => {
  assert.ok(proxy.checked() > 400, `${proxy.checked()} requests`);
  assert.deepEqual(proxy.faults, []);
});
