import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import { rawEngines } from './raw-engines.ts';

const tables = ['statistic_hour', 'statistic_day', 'statistic_sub_id'];

async function openOnce(url: string): Promise<void> {
  await (await openStore({ url, now: () => 0 })).close();
}

for (const { name, fresh, run } of rawEngines()) {
  test(`a database that counted only bids that were taken is brought to the form of now, on ${name}`, async () => {
    const url = await fresh();
    await openOnce(url);
    await run(url, [
      ...tables.map((table) => `alter table ${table} drop column promised`),
      'drop index statistic_hour_day',
      'create index statistic_hour_day on statistic_hour (day)',
      "update migration set name = '009-taken-bids' where name = '009-counts-of-limits'",
    ]);
    await openOnce(url);
    for (const table of tables) {
      assert.deepEqual(await run(url, [`select taken, promised from ${table}`]), []);
    }
  });
}
