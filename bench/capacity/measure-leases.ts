import pg from 'pg';
import { createPostgresAuthority } from '../../src/store/leases/postgres-authority.ts';
import { migratedPostgres } from '../../test/support/migrated-database.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { limitsOf } from '../leases/reports.ts';
import type { FigureName } from './figures.ts';
import { cpuSeconds, postmasterOf } from './postgres-cpu.ts';

const [few, many] = [1, 1000];
const holders = 4;
const rounds = { few: 400, many: 60 };

/** What PostgreSQL takes for reports of limits, as processes send them once a second. */
export async function measureLeases(): Promise<Readonly<Partial<Record<FigureName, number>>>> {
  const server = await startPostgres();
  const url = await migratedPostgres(server.url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const postmaster = await postmasterOf(client);
  const authority = createPostgresAuthority({ url });
  const numbers: number[] = [];
  for (let count = 0; count < holders; count += 1) numbers.push(await authority.join());
  let turn = 0;
  const report = async (count: number) => {
    turn += 1;
    const limits = limitsOf(count, turn);
    const resolved = { ad: 0, offer: 0 };
    for (const holder of numbers)
      await authority.report({ holder, turn, resolved, whole: undefined, limits });
  };
  const microsOf = async (count: number, times: number) => {
    // The first reports make the rows.
    await report(count);
    await report(count);
    const cpu = cpuSeconds(postmaster);
    for (let time = 0; time < times; time += 1) await report(count);
    return ((cpuSeconds(postmaster) - cpu) / times / holders) * 1e6;
  };
  try {
    const [reportMicros, manyMicros] = [await microsOf(few, rounds.few), await microsOf(many, rounds.many)];
    return { reportMicros, limitMicros: (manyMicros - reportMicros) / (many - few) };
  } finally {
    await authority.close();
    await client.end();
    await server.remove();
  }
}
