import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { type Api, startApi, type Values } from '../api.ts';
import { addUsers } from '../users.ts';

const { server, api } = await startApi();
const [stranger, third] = await addUsers(server, [{ role: 0 }, { role: 0 }]);
assert.ok(stranger && third);
const mebibyte = 1024 * 1024;

interface Call {
  readonly call: ClientRequest;
  readonly answer: Promise<
    readonly [status: number | undefined, headers: IncomingMessage['headers'], body: Values]
  >;
  isAnswered(): boolean;
}

/** Begins an upload of a list. Resolves once the beginning is on its way; no more of it is sent. */
async function open(token: string, headers: Values): Promise<Call> {
  const authorization = `Bearer ${token}`;
  const call = request(`${server.url}/api/domainlist/add`, {
    method: 'POST',
    agent: false,
    headers: { authorization, ...(headers as Record<string, string>) },
  });
  let isAnswered = false;
  const answer = (async () => {
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    isAnswered = true;
    return [response.statusCode, response.headers, (await json(response)) as Values] as const;
  })();
  answer.catch(() => undefined);
  call.on('error', () => undefined);
  await new Promise((resolve) => call.write('{"DomainList":', resolve));
  return { call, answer, isAnswered: () => isAnswered };
}

const announcing = (mebibytes: number) => ({ 'content-length': `${mebibytes * mebibyte}` });

/** A whole upload, of so many bytes, each line different. */
async function upload(token: string, bytes: number): Promise<Call> {
  const opened = await open(token, announcing(bytes / mebibyte));
  const before = '{"Name":"Large","ListText":"';
  const text = 'a.example\\n'.repeat(10);
  const rest = bytes - '{"DomainList":'.length - before.length - text.length - '"}}'.length;
  opened.call.end(`${before}${text}"${' '.repeat(rest)}}}`);
  return opened;
}

/** Breaks an upload off. */
async function breakOff({ call }: Call): Promise<void> {
  const closed = new Promise((resolve) => call.on('close', resolve));
  call.destroy();
  if (!call.closed) await closed;
}

const answered = async ({ answer }: Call) => (await answer)[0];

/** An ordinary write: when it is answered, the server has dealt with what came before it as far as it can. */
const small = async (caller: Api) => (await caller.post('/api/tag/add', { Tag: { Name: 'A' } })).status;

suite('large bodies', () => {
  test('of one team are read one after the other, while other teams and small ones do not wait', async () => {
    const first = await open(server.token, announcing(60));
    await small(api);
    const second = await upload(server.token, 5 * mebibyte);
    assert.equal(await answered(await upload(stranger.token, 5 * mebibyte)), 200);
    assert.equal(await small(api), 200);
    assert.equal(await answered(await upload(server.token, 60 * 1024)), 200, '64 KiB are no large body');
    assert.equal(second.isAnswered(), false);
    await breakOff(first);
    assert.equal(await answered(second), 200);
  });

  test('of all teams together have a bound', async () => {
    const held = [await open(server.token, announcing(60)), await open(stranger.token, announcing(60))];
    await small(api);
    const waiting = await upload(third.token, 10 * mebibyte);
    await small(api);
    const behind = await upload(third.token, 100 * 1024);
    assert.equal(await small(api.as(third.token)), 200);
    assert.deepEqual([waiting.isAnswered(), behind.isAnswered()], [false, false]);
    for (const one of held) await breakOff(one);
    assert.deepEqual([await answered(waiting), await answered(behind)], [200, 200]);
  });

  test('without an announced length count as the largest that the route takes', async () => {
    const held = await open(server.token, { 'transfer-encoding': 'chunked' });
    await small(api);
    const waiting = await upload(server.token, 100 * 1024);
    assert.equal(await small(api), 200);
    assert.equal(waiting.isAnswered(), false);
    held.call.end('{"Name":"Chunked"}}');
    assert.equal(await answered(held), 200);
    assert.equal(await answered(waiting), 200);
  });

  test('where too many wait: 503 with Retry-After, before any of them is read', async () => {
    const held = await open(server.token, announcing(60));
    await small(api);
    const all = Array.from({ length: 65 }, () => open(server.token, announcing(60)));
    const waiting = await Promise.all(all);
    const [status, headers, body] = await Promise.any(waiting.map(({ answer }) => answer));
    assert.deepEqual([status, headers['retry-after'], body.Status], [503, '10', 'Error']);
    for (const one of [held, ...waiting]) await breakOff(one);
    assert.equal(await answered(await upload(server.token, 5 * mebibyte)), 200);
  });

  test('that are refused make room again', async () => {
    for (const [token, filling, status] of [
      ['none', '', 401],
      [server.token, ' ', 400],
      [server.token, '[', 413],
    ] as const) {
      for (let time = 0; time < 3; time += 1) {
        const opened = await open(token, announcing(60));
        if (filling !== '') opened.call.end(Buffer.alloc(60 * mebibyte - '{"DomainList":'.length, filling));
        assert.equal(await answered(opened), status);
        await breakOff(opened);
      }
    }
    for (let time = 0; time < 3; time += 1) await breakOff(await open(server.token, announcing(60)));
    assert.equal(await answered(await upload(server.token, 5 * mebibyte)), 200);
  });

  test('too large for their route are refused without waiting', async () => {
    const held = await open(server.token, announcing(60));
    await small(api);
    const [status] = await (await open(server.token, announcing(65))).answer;
    assert.equal(status, 413);
    await breakOff(held);
  });
});
