import type { TestContext } from 'node:test';
import pg from 'pg';
import { queryOnce } from './hard-stop.ts';

/** Locks the table of tags, past Bourse, until what is answered is called, or the test ends. */
export async function holdTags(t: TestContext, databaseUrl: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin; lock table tag in access exclusive mode');
  const release = () => client.end().catch(() => undefined);
  t.after(release);
  return release;
}

/** Resolves once that many of Bourse's connections wait for a lock. */
export async function untilBlocked(databaseUrl: string, count: number): Promise<void> {
  const text = `select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and application_name = 'bourse'`;
  for (;;) {
    const [row] = await queryOnce<{ count: number }>(databaseUrl, text);
    if ((row?.count ?? 0) >= count) return;
  }
}
