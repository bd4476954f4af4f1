import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { buffer, json, text } from 'node:stream/consumers';
import { after, before, describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { entityOf } from '../../src/entities/registry.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type SpawnedServer, spawnServer } from '../spawned-server.ts';
import { temporaryPath } from '../store/sqlite-engine.ts';
import { tokenOf } from '../support/server.ts';
import { type Api, added, apiOf, type Json } from './api.ts';

const linesMax = 1_000_000;
const fewLines = 200_000;
const objectsMax = 5_000;
const fewObjects = 1_000;
/** Clients that ask for 20 MB or more each, and read none of it. */
const unreadAnswers = 24;
const path = 'ortb/dspvasttag';

const bourse = fileURLToPath(new URL('../../bin/bourse.js', import.meta.url));
const administrator = { mail: 'ada@example.com', password: 'correct horse battery' };

/** A server in a process of its own. */
interface OneThread extends SpawnedServer {
  readonly api: Api;
}

/** Starts a server of one thread: others would answer in its place, and each has memory of its own. */
async function startOneThread(databasePath: string): Promise<OneThread> {
  const { mail, password } = administrator;
  const settings = {
    BOURSE_PORT: '0',
    BOURSE_DATABASE_URL: `sqlite:${databasePath}`,
    BOURSE_ADMIN_MAIL: mail,
    BOURSE_ADMIN_PASSWORD: password,
    BOURSE_LOG_LEVEL: 'warn',
  };
  const env = { ...process.env, ...settings };
  const spawned = await spawnServer(process.execPath, [bourse, 'serve', '--threads', '1'], { env });
  try {
    return { ...spawned, api: apiOf(spawned.url, await tokenOf(spawned.url, mail, password)) };
  } catch (error) {
    spawned.process.kill('SIGKILL');
    throw error;
  }
}

const hashOf = (value: string) => createHash('sha256').update(value).digest('hex');

/** The most memory that a process has had resident so far, in MB; unknown where there is no `/proc`. */
function peakOf({ process: { pid } }: OneThread): number | undefined {
  const file = `/proc/${pid}/status`;
  const kilobytes = existsSync(file) && /VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1];
  return kilobytes ? Number(kilobytes) / 1024 : undefined;
}

/** Asserts that a peak, or its growth, stays below a bound, and tells what it was. */
function assertMemory(context: TestContext, what: string, megabytes: number | undefined, max: number): void {
  const shown = `${what}: ${megabytes?.toFixed(0) ?? 'unknown'} MB`;
  context.diagnostic(shown);
  assert.ok(megabytes === undefined || megabytes < max, `${shown}, not below ${max} MB`);
}

/** How much more memory a process has had at its peak after some work than before it. */
async function growthOf(server: OneThread, work: () => Promise<unknown>): Promise<number | undefined> {
  const first = peakOf(server);
  await work();
  const last = peakOf(server);
  return first === undefined || last === undefined ? undefined : last - first;
}

/** All requests ever made by `open`: a server does not end while the answer to one is left unread. */
const calls = new Set<ClientRequest>();

/** A request on a connection of its own, and its answer as it begins. */
function open(
  api: Api,
  at: string,
  contentType?: string,
): { call: ClientRequest; answer: Promise<IncomingMessage> } {
  const headers = {
    authorization: api.authorization,
    ...(contentType ? { 'content-type': contentType } : {}),
  };
  const call = request(`${api.url}${at}`, { method: contentType ? 'POST' : 'GET', agent: false, headers });
  calls.add(call);
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    call.on('response', resolve).on('error', reject);
  });
  // Whoever breaks a call off is not interested in its answer any more.
  answer.catch(() => undefined);
  return { call, answer };
}

/** Sends a whole GET; the answer is at its beginning, and nothing of it is read yet. */
function opened(api: Api, at: string): Promise<IncomingMessage> {
  const { call, answer } = open(api, at);
  call.end();
  return answer;
}

/** Lines as JSON, or as the file of a form. */
interface Upload {
  readonly contentType: string;
  readonly body: string;
}

function asJson(wrapper: string, lines: readonly string[]): Upload {
  const body = JSON.stringify({ [wrapper]: { Name: 'Large', ListText: lines.join('\n') } });
  return { contentType: 'application/json', body };
}

/** The lines end as Windows ends them. */
function asForm(_wrapper: string, lines: readonly string[]): Upload {
  const head = 'Content-Disposition: form-data; name="File"; filename="Large"\r\nContent-Type: text/plain';
  const body = `--border\r\n${head}\r\n\r\n${lines.join('\r\n')}\r\n--border--\r\n`;
  return { contentType: 'multipart/form-data; boundary=border', body };
}

/** Asks small things in four streams until `end`; answers how many were answered before that. */
async function answeredUntil(api: Api, end: Promise<unknown>): Promise<number> {
  let isOver = false;
  let answered = 0;
  const over = () => {
    isOver = true;
  };
  end.then(over, over);
  const ask = async () => {
    while (!isOver) {
      const { status, headers } = await api.get('/api/publisher/get');
      // On a machine that is busy with more than this test, the server may put some off.
      assert.ok(status === 200 || headers.has('retry-after'), `a small request was answered ${status}`);
      if (!isOver && status === 200) answered += 1;
    }
  };
  await Promise.all([ask(), ask(), ask(), ask()]);
  return answered;
}

const domains = (length = linesMax) => Array.from({ length }, (_, index) => `d${index}.example.com`);

/** An address, a range as CIDR, one as `a-b`, an IPv6 address, and so on. */
function addresses(): string[] {
  const formOf = [
    (at: string) => `10.${at}`,
    (at: string) => `11.${at}/31`,
    (at: string) => `12.${at}-12.255.255.255`,
    (_: string, index: number) => `2001:db8::${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}`,
  ];
  return Array.from({ length: linesMax }, (_, index) => {
    const at = `${index >> 16}.${(index >> 8) & 0xff}.${index & 0xff}`;
    return formOf[index % formOf.length]?.(at, index) ?? '';
  });
}

const lists = [
  {
    wrapper: 'DomainList',
    path: 'domainlist',
    form: 'JSON',
    upload: asJson,
    lines: domains(),
    counts: { DomainCount: linesMax },
  },
  {
    wrapper: 'IpList',
    path: 'iplist',
    form: 'a form',
    upload: asForm,
    lines: addresses(),
    counts: { IpCount: linesMax / 2, IpRangesCount: linesMax / 2 },
  },
] as const;

/** Starts a server for the tests of a suite; `again` starts it anew on the same database. */
function suiteServer() {
  const database = temporaryPath();
  let server: OneThread | undefined;
  /** SIGTERM: whatever clients did, the server ends by itself and has had no failure to log. */
  const stop = async () => {
    for (const call of calls) call.destroy();
    calls.clear();
    server?.process.kill('SIGTERM');
    const { code = 0, output = '' } = (await server?.ended) ?? {};
    server = undefined;
    assert.equal(code, 0, output);
    assert.equal(/^.*("level":[56]0|unhandled|uncaught).*$/im.exec(output)?.[0], undefined);
  };
  before(async () => {
    server = await startOneThread(database.path);
  });
  after(async () => {
    try {
      await stop();
    } finally {
      server?.process.kill('SIGKILL');
      database.remove();
    }
  });
  return {
    database,
    current: () => server ?? assert.fail('the server has not started'),
    again: async () => {
      await stop();
      server = await startOneThread(database.path);
    },
  };
}

describe('lists of a million lines', () => {
  const { current, again } = suiteServer();

  for (const { wrapper, path, form, upload, lines, counts } of lists) {
    test(`${wrapper} as ${form}: taken, given back equal, and others are answered meanwhile`, async (context) => {
      const { api } = current();
      const { contentType, body } = upload(wrapper, lines);
      const { call, answer } = open(api, `/api/${path}/add`, contentType);
      await new Promise<void>((sent) => call.end(body, sent));
      const others = await answeredUntil(api, answer);
      const added = (await json(await answer)) as Record<string, Json>;
      const object = added[wrapper] ?? assert.fail(JSON.stringify(added).slice(0, 500));
      assert.partialDeepStrictEqual(object, { Name: 'Large', ...counts });
      context.diagnostic(`${others} small requests answered between the sent body and its answer`);
      assert.ok(others >= 20, `only ${others} small requests were answered while the list was read`);

      const { ListText, ...rest } = (await api.get(`/api/${path}/get?Id=${object.Id}`)).body;
      assert.partialDeepStrictEqual(rest, counts);
      assert.equal(hashOf(String(ListText)), hashOf(lines.join('\n')));
      assertMemory(context, 'peak so far', peakOf(current()), 900);
    });
  }

  test('many lines with bad ones among them change nothing', async () => {
    const { api } = current();
    const lines = domains(fewLines)
      .with(0, 'no domain')
      .with(fewLines - 2, '192.0.2.1');
    const sent = { DomainList: { Id: 1, ListText: lines.join('\n') } };
    const { status, text: answer } = await api.post('/api/domainlist/update', sent);
    assert.equal(status, 406);
    assert.match(answer, /line 1 is \\"no domain\\", line 199999 is \\"192\.0\.2\.1\\"; send/);
    assert.equal(
      hashOf(String((await api.get('/api/domainlist/get?Id=1')).body.ListText)),
      hashOf(domains().join('\n')),
    );
  });

  test('a client that breaks off while it sends adds nothing', async () => {
    const { api } = current();
    const { contentType, body } = asJson('DomainList', domains(fewLines));
    const { call, answer } = open(api, '/api/domainlist/add', contentType);
    call.setHeader('content-length', Buffer.byteLength(body));
    await new Promise<void>((sent) => call.write(body.slice(0, body.length / 2), () => sent()));
    call.destroy();
    await assert.rejects(answer);
    const { Id } = await added(api, 'domainlist', 'DomainList', { Name: 'Next', ListText: 'a.example' });
    assert.equal(Id, 2);
  });

  test('of a client that breaks off after it has sent, the list is there whole or not at all', async () => {
    const { api } = current();
    const { contentType, body } = asForm('DomainList', domains(fewLines));
    const { call } = open(api, '/api/domainlist/add', contentType);
    await new Promise<void>((sent) => call.end(body, sent));
    call.destroy();
    await added(api, 'domainlist', 'DomainList', { Name: 'Next', ListText: 'b.example' });
    // Once it has ended, nothing is under way any more.
    await again();
    const all = JSON.parse((await current().api.get('/api/domainlist/get?AfterId=2')).text) as Json[];
    assert.ok(all.some(({ Name }) => Name === 'Next'));
    for (const { Id, Name, DomainCount } of all) {
      const { ListText } = (await current().api.get(`/api/domainlist/get?Id=${Id}`)).body;
      assert.equal(String(ListText).split('\n').length, DomainCount);
      assert.equal(DomainCount, Name === 'Large' ? fewLines : 1);
    }
  });

  test('clients that stop reading a list cost little, and may break off', async (context) => {
    await again();
    const { api } = current();
    const at = '/api/domainlist/get?Id=1';
    await api.get(at);
    let unread: IncomingMessage[] = [];
    const growth = await growthOf(current(), async () => {
      unread = await Promise.all(Array.from({ length: unreadAnswers }, () => opened(api, at)));
      for (let round = 0; round < 2; round += 1) await api.get(at);
    });
    assertMemory(context, `growth by ${unreadAnswers} unread lists of 20 MB`, growth, 250);
    const [late, ...broken] = unread;
    for (const answer of broken) answer.destroy();
    const { ListText } = (await json(late ?? assert.fail())) as Json;
    assert.equal(hashOf(String(ListText)), hashOf(domains().join('\n')));
  });
});

/** Adds one object, and copies of it past the server; each is some 4.7 KB in an array. */
async function seed(api: Api, databasePath: string): Promise<void> {
  const account = { Name: 'Brand', Mail: 'desk@example.com', Country: 'US', Username: 'brand' };
  const { Id: AdvertiserId } = await added(api, 'advertiser', 'Advertiser', account);
  const ZoneUrlUsEast = `https://dsp.example/${'é'.repeat(2000)}`;
  const { Id } = await added(api, path, 'DspRtbEp', { AdvertiserId, Name: 'Tag 1', ZoneUrlUsEast });
  const store = await openStore({ url: `sqlite:${databasePath}`, now: Date.now });
  const entity = entityOf('DspVastTag');
  const { document } = (await store.find(entity, 1, { id: Id })) ?? assert.fail('it is gone');
  await store.write({ teamId: 1, userId: 1 }, async (transaction) => {
    for (let next = 2; next <= objectsMax; next += 1)
      await transaction.insert(entity, { document: { ...document, Name: `Tag ${next}` }, connections: {} });
  });
  await store.close();
}

describe(`arrays of ${objectsMax} DSP VAST Tags`, () => {
  const { database, current, again } = suiteServer();
  const all = `/api/${path}/get`;
  const idsOf = (answer: string) => (JSON.parse(answer) as Json[]).map(({ Id }) => Id);
  const everyId = Array.from({ length: objectsMax }, (_, index) => index + 1);

  /** Reads an array whole, four times at once. */
  const readBeside = (at: string) =>
    Promise.all(Array.from({ length: 4 }, async () => buffer(await opened(current().api, at))));
  before(async () => {
    await seed(current().api, database.path);
    await again();
  });

  test('the memory to read them does not grow with their number', async (context) => {
    for (let round = 0; round < 4; round += 1) await readBeside(`${all}?Limit=${fewObjects}`);
    assertMemory(context, `peak after ${fewObjects}`, peakOf(current()), 400);
    const growth = await growthOf(current(), () => readBeside(all));
    assertMemory(context, `growth from ${fewObjects} to ${objectsMax}`, growth, 70);
  });

  test('all come, once each and in order', async () => {
    assert.deepEqual(idsOf((await current().api.get(all)).text), everyId);
  });

  test('the first come before the last are read', async () => {
    const { api } = current();
    // With a filter of its own, so that none of its pages has been made for an earlier answer.
    const answer = await opened(api, `${all}?AdvertiserId=1`);
    assert.equal(answer.headers['transfer-encoding'], 'chunked');
    const first = await new Promise<Buffer>((resolve) => answer.once('data', resolve));
    answer.pause();
    assert.match(first.toString(), /^\[\{"Id":1,/);
    // What becomes of the last one now still shows, so it had not been read when the first had come.
    const { status } = await api.post(`/api/${path}/deactivate`, { DspRtbEp: { Id: objectsMax } });
    assert.equal(status, 200);
    const objects = JSON.parse(first.toString() + (await text(answer))) as Json[];
    assert.equal(objects.length, objectsMax);
    assert.partialDeepStrictEqual(objects.at(-1), { Id: objectsMax, Status: 1 });
    assert.partialDeepStrictEqual(objects.at(-2), { Id: objectsMax - 1, Status: 0 });
  });

  test('clients that stop reading cost little, and get the rest when they go on', async (context) => {
    const { api } = current();
    let unread: IncomingMessage[] = [];
    const growth = await growthOf(current(), async () => {
      unread = await Promise.all(Array.from({ length: unreadAnswers }, () => opened(api, all)));
      // Two arrays are read whole beside them: by then each of them has been sent all that it takes.
      for (let round = 0; round < 2; round += 1)
        assert.equal(idsOf((await api.get(all)).text).length, objectsMax);
    });
    assertMemory(context, `growth by ${unreadAnswers} unread arrays of 24 MB`, growth, 350);
    const [late, ...broken] = unread;
    for (const answer of broken) answer.destroy();
    assert.deepEqual(idsOf(await text(late ?? assert.fail())), everyId);
  });

  test('clients that break off in the middle are survived', async () => {
    const { api } = current();
    const breakOff = async () => {
      const answer = await opened(api, all);
      await new Promise((resolve) => answer.once('data', resolve));
      answer.destroy();
    };
    for (let round = 0; round < 10; round += 1) await Promise.all([breakOff(), breakOff(), breakOff()]);
    assert.deepEqual(idsOf((await api.get(`${all}?AfterId=${objectsMax - 2}`)).text), [
      objectsMax - 1,
      objectsMax,
    ]);
  });
});
