import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { type Logger, pino } from 'pino';
import { type Config, readConfig } from '../../src/config.ts';
import { createIdentity } from '../../src/identity/identity.ts';
import { type Bourse, type StartOptions, startBourse } from '../../src/main.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type Stored, zoneUrl } from '../exchange/exchange-room.ts';
import { openVastRoom, type VastRoom } from '../exchange/vast-room.ts';
import { freePort } from '../support/free-port.ts';
import { pause } from '../support/pause.ts';
import { unhurried } from '../support/unhurried.ts';

const waitMsMax = 15_000;
const minuteMs = 60_000;
const maxAgeMinutes = 60;

let room: VastRoom;
before(async () => {
  room = await openVastRoom();
});
/** Deleted when all edges are closed. */
const folders: string[] = [];
after(async () => {
  await room.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-edge-'));
  folders.push(folder);
  return folder;
}

/** A key of a new edge, and what revokes it. */
async function addKey(home: VastRoom): Promise<{ readonly key: string; revoke(): Promise<void> }> {
  const store = await openStore({ url: home.server.databaseUrl, now: Date.now });
  const { id, key } = await createIdentity({ store, now: Date.now }).addEdgeKey('Frankfurt');
  await store.close();
  return {
    key,
    async revoke() {
      const again = await openStore({ url: home.server.databaseUrl, now: Date.now });
      await createIdentity({ store: again, now: Date.now }).revokeEdgeKey(id);
      await again.close();
    },
  };
}

/** A log whose lines a test reads. */
function listeningLog(): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  return { lines, logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) };
}

interface EdgeStart extends Pick<StartOptions, 'now' | 'signal'> {
  readonly folder: string;
  readonly key: string | undefined;
  readonly home: string;
  readonly logger?: Logger;
  readonly changes?: Partial<Config>;
}

/** Starts an edge, which closes when the test ends. */
async function startEdge(t: TestContext, { folder, key, home, logger, changes, ...more }: EdgeStart) {
  const { config } = readConfig({});
  const edge: Bourse = await startBourse(
    {
      ...config,
      port: 0,
      edgeKey: key,
      edgeMaxAge: maxAgeMinutes,
      allowPrivateDemand: true,
      edgeFolder: join(folder, 'edge'),
      outboxFolder: join(folder, 'outbox'),
      ...changes,
      databaseUrl: `sqlite:${join(folder, 'never.db')}`,
    },
    { logger: logger ?? pino({ level: 'silent' }), overloadDetector: unhurried, home, ...more },
  );
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= edge.close();
    return closing;
  };
  t.after(close);
  return { url: edge.url, close };
}

/** Resolves once something is so. */
async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const lateMs = performance.now() + waitMsMax;
  while (!(await isSo())) {
    assert.ok(performance.now() < lateMs, `not in time: ${what}`);
    await pause();
  }
}

/** Impression trackers of what an edge answers to a tag's player. */
async function played(edge: string, tag: Stored): Promise<readonly string[]> {
  const { pathname, search } = new URL(zoneUrl(tag));
  const text = await (await fetch(edge + pathname + search)).text();
  return [...text.matchAll(/[^\s"[]+\/track\/impression\?t=[\w.:~-]+/g)].map(([url]) => url);
}

async function addTag(home: VastRoom, values = {}): Promise<Stored> {
  const campaign = await home.add('campaign', values);
  return home.add('ortb/vasttag', { Campaigns: [campaign.Id] });
}

test('an edge serves what its home has, and what it counts is counted there once', async (t) => {
  const { key } = await addKey(room);
  const folder = newFolder();
  const tag = await addTag(room);
  const edge = await startEdge(t, { folder, key, home: room.server.url });
  const [impression = assert.fail('no ad')] = await played(edge.url, tag);
  assert.ok(impression.startsWith(edge.url), impression);
  for (let time = 0; time < 2; time += 1) assert.equal((await fetch(impression)).status, 200);
  await room.statistics(tag, ({ NetImpressions }) => Number(NetImpressions) > 0);
  const later = await addTag(room);
  await until(
    'the edge serves a tag that came later',
    async () => (await played(edge.url, later)).length > 0,
  );
  await edge.close();
  const { NetImpressions, Requests } = await room.statistics(tag, ({ Requests: n }) => Number(n) > 0);
  assert.deepEqual([NetImpressions, Requests], [1, 1]);
});

test('an edge says what it is, and shows nothing of objects with limits, nor of flights with any', async (t) => {
  const { key } = await addKey(room);
  const folder = newFolder();
  const flight = (Impressions: number) => ({
    Flights: [{ Start: '2026-01-01', End: '2099-12-31', Impressions, Spend: 0 }],
  });
  const limited = [await addTag(room, { ImpressionsDailyLimit: 1000 }), await addTag(room, flight(2))];
  const unlimited = await addTag(room, flight(0));
  const start = { folder, key, home: room.server.url };
  const shownBy = async (url: string) => {
    await until('it serves', async () => (await played(url, unlimited)).length > 0);
    return Promise.all(limited.map(async (tag) => (await played(url, tag)).length));
  };
  const first = await startEdge(t, start);
  assert.deepEqual(await shownBy(first.url), [0, 0]);
  // What the home shows of the flight is all of it, whatever edges do, and however often they start.
  const atHome = async () => (await played(room.server.url, limited[1] ?? assert.fail())).length;
  assert.deepEqual([await atHome(), await atHome(), await atHome()], [1, 1, 0]);
  await first.close();
  const edge = await startEdge(t, start);
  assert.deepEqual(await shownBy(edge.url), [0, 0]);
  for (const path of ['/', '/api/ortb/vasttag/get', '/docs', '/login']) {
    const answer = await fetch(edge.url + path);
    assert.equal(answer.status, 404);
    const text = await answer.text();
    assert.ok(text.includes('This is an edge') && text.includes(room.server.url), text);
  }
  for (const path of ['/healthz', '/readyz', '/metrics'])
    assert.equal((await fetch(edge.url + path)).status, 200, path);
});

test('an edge serves on and starts without its home, and refuses after its age', async (t) => {
  const home = await openVastRoom();
  const { key } = await addKey(home);
  const folder = newFolder();
  const tag = await addTag(home);
  let nowMs = Date.now();
  const start = { folder, key, home: home.server.url, now: () => nowMs };
  const first = await startEdge(t, start);
  assert.equal((await played(first.url, tag)).length, 1);
  await home.close();
  assert.equal((await played(first.url, tag)).length, 1, 'home is away');
  await first.close();
  const { logger, lines } = listeningLog();
  const again = await startEdge(t, { ...start, logger });
  assert.equal((await played(again.url, tag)).length, 1, 'started without home');
  assert.ok(lines.some((line) => line.includes('the home cannot be reached or read; this edge continues')));
  nowMs += (maxAgeMinutes + 1) * minuteMs;
  await until('it refuses auctions', async () => (await played(again.url, tag)).length === 0);
  const ready = await fetch(`${again.url}/readyz`);
  assert.equal(ready.status, 503);
  assert.match(await ready.text(), /BOURSE_EDGE_MAX_AGE/);
});

test('an edge whose key is revoked says so, and serves on', async (t) => {
  const { key, revoke } = await addKey(room);
  const { logger, lines } = listeningLog();
  const tag = await addTag(room);
  const edge = await startEdge(t, { folder: newFolder(), key, home: room.server.url, logger });
  await revoke();
  // Whoever waits for changes asks again when there is one.
  await addTag(room);
  await until('it says so', () => lines.some((line) => line.includes('the home refuses this edge')));
  assert.equal((await played(edge.url, tag)).length, 1);
});

test('a wrong key, no key and a wrong URL stop the start by the name of the setting', async (t) => {
  const { key } = await addKey(room);
  const { url } = room.server;
  const cases: readonly [home: string, key: string | undefined, RegExp][] = [
    [url, 'x'.repeat(43), /^BOURSE_EDGE_KEY: .*does not accept the key/],
    [url, undefined, /^BOURSE_EDGE_KEY is not set/],
    [`${url}/elsewhere`, key, /^--edge: .*not a home of edges/],
  ];
  for (const [home, one, message] of cases)
    await assert.rejects(startEdge(t, { folder: newFolder(), key: one, home }), { message });
});

test('a home that is away at the first start is waited for, which the log says', async (t) => {
  const { logger, lines } = listeningLog();
  const ending = new AbortController();
  const home = `http://127.0.0.1:${await freePort()}`;
  const { signal } = ending;
  const starting = startEdge(t, { folder: newFolder(), key: 'k'.repeat(43), home, logger, signal });
  const failed = assert.rejects(starting, (error) => error === signal.reason);
  await until('it says so', () => lines.some((line) => line.includes('waits for it before it starts')));
  ending.abort(new Error('stopping'));
  await failed;
});
