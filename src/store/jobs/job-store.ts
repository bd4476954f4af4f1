import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { JobTable, Schema } from '../database/schema.ts';
import type { WriteQueue } from '../writes/write-queue.ts';
import type { ClaimRules, Job, JobStore, NewJob, NextRun } from './interface.ts';

const jobOf = (row: Selectable<JobTable>): Job => ({
  id: row.id,
  kind: row.kind,
  key: row.key,
  attempts: row.attempts,
  payload: JSON.parse(row.payload),
  claimedBy: row.claimed_by,
  claimedUntilMs: Number(row.claimed_until),
});

const free = { claimed_until: 0, claimed_by: '' };

/** Those with a key that is there already stay as they are. */
export async function addJobs(connection: Kysely<Schema>, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const rows = jobs.map(({ kind, key, queue = key, runMs, payload = {} }) => ({
    kind,
    key,
    queue,
    run_at: runMs,
    ...free,
    attempts: 0,
    payload: JSON.stringify(payload),
  }));
  await connection
    .insertInto('job')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
    .execute();
}

function due({ name, isExclusive, isPeriodic }: ClaimRules, by: string, nowMs: number) {
  const claimed = sql`from job o where o.kind = ${name} and o.claimed_until > ${nowMs}`;
  const byOthers = sql`and o.claimed_by <> ${by}`;
  return sql<number>`(select j.id from job j where j.kind = ${name} and j.run_at <= ${nowMs}
    and j.queue not in (select o.queue ${claimed} ${isPeriodic ? byOthers : sql``})
    ${isExclusive ? sql`and not exists (select 1 ${claimed} ${byOthers})` : sql``}
    order by j.run_at, j.id limit 1)`;
}

/** In the transaction of its outcome. False, with nothing changed, if its claim is another's by now. */
export async function settleJob(connection: Kysely<Schema>, job: Job, next?: NextRun): Promise<boolean> {
  const { id, claimedBy, claimedUntilMs } = job;
  const ours = sql<boolean>`id = ${id} and claimed_by = ${claimedBy} and claimed_until = ${claimedUntilMs}`;
  if (!next) return (await connection.deleteFrom('job').where(ours).returning('id').execute()).length > 0;
  const { runMs: run_at, attempts = 0, payload = job.payload } = next;
  const set = { run_at, attempts, payload: JSON.stringify(payload), ...(next.keepsClaim ? {} : free) };
  const rows = await connection.updateTable('job').set(set).where(ours).returning('id').execute();
  return rows.length > 0;
}

/** Writers hold the one lock, also across processes: of several, one claims. */
export function createJobStore({ reader }: Database, { writeRows }: WriteQueue): JobStore {
  return {
    add: (job) => writeRows((connection) => addJobs(connection, [job])),
    async claim(rules, by, nowMs) {
      const first = due(rules, by, nowMs);
      // Mostly nothing is due: no lock is taken.
      if (!(await reader.selectFrom('job').select('id').where('id', '=', first).executeTakeFirst()))
        return undefined;
      const claimed = { claimed_by: by, claimed_until: nowMs + rules.claimMs };
      const row = await writeRows((connection) =>
        connection.updateTable('job').set(claimed).where('id', '=', first).returningAll().executeTakeFirst(),
      );
      return row && jobOf(row);
    },
    release: (kind, claimed_by) =>
      writeRows((connection) =>
        connection
          .updateTable('job')
          .set(free)
          .where((is) => is.and({ kind, claimed_by }))
          .execute(),
      ),
    settle: (job, next) => writeRows((connection) => settleJob(connection, job, next)).then(() => undefined),
  };
}
