import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLiveSnapshot, type LiveSnapshot } from '../../../src/exchange/snapshot/live-snapshot.ts';
import { goDown } from '../../postgres/hard-stop.ts';
import type { TestDatabase } from '../../store/engine.ts';
import { postgres } from '../../store/postgres-engine.ts';
import { sqlite } from '../../store/sqlite-engine.ts';
import { newActor, roomOf, type TeamRoom } from '../../store/team-room.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { createNaiveFeed } from './naive-feed.ts';
import { plainCompile } from './plain-compile.ts';

const liveWithinMs = 1000;
/** The promise is checked by that it is kept at all; how fast, on a machine that others use, by this. */
const patienceMs = 20_000;

function createLog() {
  const lines: string[] = [];
  return {
    lines,
    warn: (_: object, text: string) => void lines.push(`warn: ${text}`),
    info: (_: object, text: string) => void lines.push(`info: ${text}`),
  };
}

describe('a live snapshot', () => {
  test('takes over each change it is told of, and those it is not told of too', async () => {
    const naive = createNaiveFeed();
    naive.put('VastTag', 1, { settings: { Name: 'first' } });
    const live = await createLiveSnapshot({ feed: naive.feed, compile: plainCompile(), log: createLog() });
    assert.equal(live.current().supply('VastTag', 1)?.name, 'first');
    for (const tells of [true, true, false]) {
      naive.put('VastTag', 1, { settings: { Name: `told: ${tells}` } });
      const revision = await naive.feed.revision();
      if (tells) naive.tell();
      assert.ok(await live.untilServed(revision, patienceMs));
      assert.equal(live.current().supply('VastTag', 1)?.name, `told: ${tells}`);
    }
    await live.close();
  });

  test('serves what it has while the feed fails, says so once, and takes over what it missed', async () => {
    const naive = createNaiveFeed();
    naive.put('VastTag', 1, { settings: { Name: 'before' } });
    const log = createLog();
    const live = await createLiveSnapshot({ feed: naive.feed, compile: plainCompile(), log });
    let failures = 0;
    naive.put('VastTag', 1, { settings: { Name: 'meanwhile' } });
    const revision = await naive.feed.revision();
    const failed = new Promise<void>((resolve) => {
      naive.onRead = () => {
        failures += 1;
        if (failures === 3) resolve();
        throw new Error('away');
      };
    });
    naive.tell();
    await failed;
    assert.equal(live.current().supply('VastTag', 1)?.name, 'before');
    naive.onRead = () => undefined;
    naive.tell();
    assert.ok(await live.untilServed(revision, patienceMs));
    assert.equal(live.current().supply('VastTag', 1)?.name, 'meanwhile');
    await live.close();
    assert.deepEqual(log.lines, [
      'warn: changes of the configuration cannot be read; the present one stays in use',
      'info: changes of the configuration are read again',
    ]);
  });

  test('does not start on a feed that fails, and leaves no listener on it', async () => {
    const naive = createNaiveFeed();
    naive.onRead = () => {
      throw new Error('away');
    };
    let listeners = 0;
    const feed = {
      ...naive.feed,
      onChange: () => {
        listeners += 1;
        return () => {
          listeners -= 1;
        };
      },
    };
    await assert.rejects(createLiveSnapshot({ feed, compile: plainCompile(), log: createLog() }), /away/);
    assert.equal(listeners, 0);
  });

  test('ends waits at their time and at its close', async () => {
    const { feed } = createNaiveFeed();
    const live = await createLiveSnapshot({ feed, compile: plainCompile(), log: createLog() });
    assert.equal(await live.untilServed(0, 0), true);
    assert.equal(await live.untilServed(1, 0), false);
    const waiting = live.untilServed(1, patienceMs);
    await live.close();
    assert.equal(await waiting, false);
  });
});

let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server.remove());

/** A live snapshot on one store of a database, and a team that writes to another one. */
async function liveOn(
  database: TestDatabase,
): Promise<{ live: LiveSnapshot; writer: TeamRoom; end(): Promise<void> }> {
  const [reading, writing] = [await database.open(), await database.open()];
  const live = await createLiveSnapshot({ feed: reading.feed, compile: plainCompile(), log: createLog() });
  const writer = roomOf(database, writing, await newActor(writing));
  const end = async () => {
    await live.close();
    await Promise.all([reading.close(), writing.close()]);
    await database.remove();
  };
  return { live, writer, end };
}

for (const engine of [sqlite, postgres(() => server)]) {
  describe(`on ${engine.name}, a change of another process`, () => {
    test('is live: objects, connections, accounts, lists', async (t) => {
      const { live, writer, end } = await liveOn(await engine.fresh());
      const took: number[] = [];
      const served = async () => {
        const beganMs = performance.now();
        assert.ok(await live.untilServed(await writer.store.revision(), patienceMs));
        took.push(performance.now() - beganMs);
        return live.current();
      };
      const owner = await writer.add('Publisher', { Name: 'Media', Username: 'media' });
      const buyer = await writer.add('Advertiser', { Name: 'Brand', Username: 'brand' });
      const demand = await writer.add('DspVastTag', { AdvertiserId: buyer, Name: 'ad' });
      const id = await writer.add(
        'VastTag',
        { PublisherId: owner, Bidfloor: 0.5 },
        { connections: { DspVastTags: [demand] } },
      );
      const supply = (await served()).supply('VastTag', id);
      assert.deepEqual([supply?.floorCpmMicros, supply?.account.isActive], [500_000, true]);
      const connected = supply?.candidates.connected ?? [];
      assert.deepEqual(
        connected.map(({ name, account }) => [name, account.name]),
        [['ad', 'Brand']],
      );
      await writer.setStatus('Advertiser', buyer, 1);
      const after1 = (await served()).supply('VastTag', id)?.candidates.connected[0];
      assert.equal(after1?.account.isActive, false);
      await writer.update('DspVastTag', demand, { connections: { VastTags: [] } });
      assert.deepEqual((await served()).supply('VastTag', id)?.candidates.connected, []);
      await end();
      t.diagnostic(`live after ${took.map((ms) => Math.round(ms)).join(', ')} ms`);
      const fastest = Math.min(...took);
      assert.ok(fastest < liveWithinMs, `even the fastest took ${fastest} ms`);
    });
  });
}

test('while PostgreSQL is away, what was served is served; what changes after it is live again', async () => {
  const { live, writer, end } = await liveOn(await postgres(() => server).fresh());
  const id = await writer.add('VastTag', { Name: 'before' });
  assert.ok(await live.untilServed(await writer.store.revision(), patienceMs));
  await goDown(server, 'SIGQUIT');
  assert.equal(live.current().supply('VastTag', id)?.name, 'before');
  await server.start();
  await writer.update('VastTag', id, { document: { Name: 'after' } });
  assert.ok(await live.untilServed(await writer.store.revision(), patienceMs));
  assert.equal(live.current().supply('VastTag', id)?.name, 'after');
  await end();
});
