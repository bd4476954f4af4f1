import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { migratedPostgres } from '../support/migrated-database.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { limitsEach, manyObjects, openProcess } from './many-limits.ts';

const count = 50_000;
const partMax = 2000;
const roundsMax = 3;
let server: SharedPostgres;

before(async () => {
  server = await sharedPostgres();
});
after(() => server.remove());

test('two processes get shares of four limits of 50,000 objects, in bounded parts', async () => {
  const url = await migratedPostgres(server.url);
  const objects = manyObjects(count);
  const processes = [openProcess(url, objects), openProcess(url, objects)];
  try {
    await Promise.all(
      processes.map(async (process) => {
        const first = await process.round();
        assert.ok(first.sizes.every((size) => size <= partMax));
        // Who asks first tells what was counted, too.
        const reported = first.sizes.reduce((sum, size) => sum + size, 0) / (limitsEach * count);
        assert.ok(reported >= 1 && reported <= 2, `${reported}`);
        // On a machine that is slow at the moment, a part may wait too long for a lock of the other process.
        for (let { failed } = first, rounds = 1; failed > 0; rounds += 1) {
          assert.ok(rounds < roundsMax, `${failed} parts failed`);
          ({ failed } = await process.round());
        }
      }),
    );
    for (const process of processes) assert.equal(process.served().length, count);
  } finally {
    await Promise.all(processes.map((process) => process.close()));
  }
});
