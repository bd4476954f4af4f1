import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPostgresAuthority } from '../../src/store/leases/postgres-authority.ts';
import { migratedPostgres } from '../support/migrated-database.ts';
import { startPostgres } from '../support/postgres.ts';
import { standard } from './authority-cases.ts';

const boundMs = 10_000;

test('an authority on PostgreSQL rejects soon while it is away, and then goes on with all it knew', async () => {
  const server = await startPostgres();
  const authority = createPostgresAuthority({ url: await migratedPostgres(server.url) });
  try {
    const [holder, other] = [await authority.join(), await authority.join()];
    const report = (of: number, turn: number, wanted: number) =>
      authority.report({
        holder: of,
        turn,
        resolved: { ad: 0, offer: 0 },
        whole: undefined,
        limits: [{ ...standard, wanted }],
      });
    assert.equal((await report(holder, 1, 70)).grants[0]?.granted, 70);
    await server.stop();
    const begunMs = Date.now();
    await assert.rejects(report(other, 1, 70));
    await assert.rejects(authority.join());
    assert.ok(Date.now() - begunMs < 2 * boundMs);
    await server.start();
    const { grants, wantsWhole } = await report(other, 2, 70);
    assert.deepEqual({ granted: grants[0]?.granted, wantsWhole }, { granted: 30, wantsWhole: false });
  } finally {
    await authority.close();
    await server.remove();
  }
});
