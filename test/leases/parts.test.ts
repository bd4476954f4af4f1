import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import type { LimitReport } from '../../src/leases/authority.ts';
import { partsOf, placeOf, placesEnd, shardOf } from '../../src/leases/parts.ts';
import { createPostgresAuthority } from '../../src/store/leases/postgres-authority.ts';
import { migratedPostgres } from '../support/migrated-database.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { randomStream, seeded } from '../support/seed.ts';
import { standard } from './authority-cases.ts';
import { manyObjects, openProcess } from './many-limits.ts';

const idMax = 2 ** 31 - 1;
const limit = fc
  .record({
    id: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: idMax })),
    kind: fc.constantFrom('VastTag', 'Campaign'),
    measure: fc.constantFrom('bids' as const, 'total' as const),
  })
  .map((one): LimitReport => ({ ...standard, ...one }));

describe('parts of a report', () => {
  test('have each limit once, all of an object in one, and all places without a gap', () =>
    fc.assert(
      fc.property(fc.array(limit), fc.integer({ min: 1, max: 9 }), (limits, max) => {
        const parts = partsOf(limits, true, max);
        assert.deepEqual(new Set(parts.flatMap((part) => part.limits)), new Set(limits));
        let end = 0;
        for (const { limits, whole } of parts) {
          const { from = -1, to = -1 } = whole ?? {};
          assert.ok(from === end && limits.every(({ id }) => placeOf(id) >= from && placeOf(id) < to));
          const lastId = limits.at(-1)?.id;
          assert.ok(limits.filter(({ id }) => id !== lastId).length < max);
          end = to;
        }
        assert.equal(end, placesEnd);
        assert.ok(partsOf(limits, false, max).every(({ whole }) => whole === undefined));
      }),
      seeded(500),
    ));
});

describe('a process that reports in parts on PostgreSQL', () => {
  let server: SharedPostgres;
  before(async () => {
    server = await sharedPostgres();
  });
  after(() => server.remove());

  const withRoom = async (
    count: number,
    run: (process: ReturnType<typeof openProcess>, client: pg.Client) => Promise<void>,
  ) => {
    const url = await migratedPostgres(server.url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const process = openProcess(url, manyObjects(count));
    try {
      await run(process, client);
    } finally {
      await process.close();
      await client.end();
    }
  };
  const hold = (client: pg.Client, lock: string) =>
    client.query(`begin; select pg_advisory_xact_lock(${lock})`);

  test('gets all that is of other parts, while somebody holds the lock of a shard', () =>
    withRoom(3000, async (process, client) => {
      const shard = 20;
      await hold(client, `${0x4c_49_4d_49}, ${shard}`);
      const { failed, sizes, lacking } = await process.round();
      assert.ok(failed === 1 || failed === 2, `${failed} of ${sizes.length} parts failed`);
      assert.equal(lacking, 0);
      const served = process.served();
      assert.ok(served.every((id) => shardOf(placeOf(id)) !== shard));
      assert.ok(served.length > 1000);
      await client.query('commit');
      assert.equal((await process.round()).failed, 0);
      assert.equal(process.served().length, 3000);
    }));

  test('waits for a program from before parts, which holds the lock of all', () =>
    withRoom(300, async (process, client) => {
      await process.round();
      await hold(client, `${0x4c_49_4d_49}`);
      process.served();
      await assert.rejects(process.round(), /lock timeout/);
      await client.query('commit');
      assert.equal((await process.round()).failed, 0);
    }));

  test('is never granted what others get at the same moment', async () => {
    const url = await migratedPostgres(server.url);
    const [ids, line] = [Array.from({ length: 70 }, (_, index) => index + 1), 300];
    const random = randomStream();
    const granted = new Map(ids.map((id) => [id, 0]));
    const authorities = Array.from({ length: 4 }, () => createPostgresAuthority({ url }));
    await Promise.all(
      authorities.map(async (authority) => {
        const holder = await authority.join();
        const held = new Map(ids.map((id) => [id, 0]));
        for (let turn = 1; turn <= 25; turn += 1) {
          const limits = ids
            .filter(() => random() < 0.7)
            .map((id) => ({ ...standard, id, line, unused: held.get(id) ?? 0, wanted: 1 + (turn % 9) }));
          const resolved = { ad: 0, offer: 0 };
          const { grants } = await authority.report({ holder, turn, resolved, whole: undefined, limits });
          for (const [index, { id, unused }] of limits.entries()) {
            const more = grants[index]?.granted ?? 0;
            held.set(id, unused + more);
            granted.set(id, (granted.get(id) ?? 0) + more);
          }
        }
      }),
    );
    await Promise.all(authorities.map((authority) => authority.close()));
    assert.deepEqual(
      [...granted].filter(([, units]) => units > line),
      [],
    );
    assert.ok([...granted.values()].some((units) => units === line));
  });
});
