import { type LimitReport, measures } from '../../src/leases/authority.ts';
import { createPostgresAuthority } from '../../src/store/leases/postgres-authority.ts';
import { migratedPostgres } from '../../test/support/migrated-database.ts';

const limitCounts = [100, 1000, 10_000];
const holderCounts = [1, 4, 20];
const rounds = 6;
const day = 20_000;

/** Limits of `count / 4` objects, which change with each round. */
export function limitsOf(count: number, round: number): LimitReport[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'Campaign',
    id: index + 1,
    measure: measures[index % 4] ?? 'impressions',
    day,
    line: 10_000_000,
    before: 0,
    counted: 0,
    unlimited: 0,
    used: 10 * round,
    open: 5,
    unused: 20,
    wanted: 10 + round,
  }));
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function measure(url: string, limits: number, holders: number) {
  const authority = createPostgresAuthority({ url });
  const numbers: number[] = [];
  for (let count = 0; count < holders; count += 1) numbers.push(await authority.join());
  const [times, cpus]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    const said = limitsOf(limits, round);
    for (const holder of numbers) {
      const [begun, cpu] = [performance.now(), process.cpuUsage()];
      const resolved = { ad: 0, offer: 0 };
      await authority.report({ holder, turn: round, resolved, whole: undefined, limits: said });
      const { user, system } = process.cpuUsage(cpu);
      // The first reports make the rows, and compile what is run.
      if (round > 2) times.push(performance.now() - begun);
      if (round > 2) cpus.push((user + system) / 1000);
    }
  }
  await authority.close();
  return {
    limits,
    holders,
    'ms a report': median(times).toFixed(1),
    'processor ms': median(cpus).toFixed(1),
  };
}

/**
 * What reports of changed limits take on a PostgreSQL server. Each process reports in turn; all of its limits have
 * changed since its last report.
 */
export async function measureReports(url: string): Promise<object[]> {
  const rows: object[] = [];
  for (const limits of limitCounts) {
    for (const holders of holderCounts)
      rows.push(await measure(await migratedPostgres(url), limits, holders));
  }
  return rows;
}
