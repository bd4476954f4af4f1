import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema, SendingTable } from '../database/schema.ts';
import { tableOf } from '../database/tables.ts';
import type { NewJob } from '../jobs/interface.ts';
import { addJobs, settleJob } from '../jobs/job-store.ts';
import type { WriteQueue } from '../writes/write-queue.ts';
import {
  type Channel,
  type NewSendings,
  type Plan,
  type PlannedReport,
  type SenderKind,
  type Sending,
  type SendingState,
  type SendingStore,
  sendingJobKind,
} from './interface.ts';

const keptMax = 200;
const adoptedMax = 100;
/** How long the version before leaves a due sending of this one alone, and this one a sending of that version. */
const [apartMs, leftMs] = [3_600_000, 600_000];

const sendingOf = (row: Selectable<SendingTable>): Sending => ({
  id: row.id,
  teamId: row.team_id,
  entity: row.entity as SenderKind,
  objectId: row.object_id,
  dueMs: Number(row.due),
  channel: row.channel as Channel,
  target: row.target,
  state: row.state as SendingState,
  attempts: row.attempts,
  lastMs: row.last_at === null ? undefined : Number(row.last_at),
  nextMs: Number(row.next_at),
  error: row.error,
  result: row.result,
});

const jobFor = ({ id, next_at }: Pick<Selectable<SendingTable>, 'id' | 'next_at'>): NewJob => ({
  kind: sendingJobKind,
  key: String(id),
  runMs: Number(next_at),
});

/** Forgets the object's oldest. */
export async function addSendings(
  connection: Kysely<Schema>,
  { teamId, entity, objectId, dueMs, to }: NewSendings,
): Promise<void> {
  if (to.length === 0) return;
  const rows = to.map(({ channel, target }) => ({
    team_id: teamId,
    entity,
    object_id: objectId,
    due: dueMs,
    channel,
    target,
    state: 'waiting',
    attempts: 0,
    next_at: dueMs,
    claimed_until: dueMs + apartMs,
    claimed_by: '',
    error: '',
  }));
  const added = await connection
    .insertInto('sending')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['entity', 'object_id', 'due', 'channel', 'target']).doNothing(),
    )
    .returning(['id', 'next_at'])
    .execute();
  await addJobs(connection, added.map(jobFor));
  const last = connection
    .selectFrom('sending')
    .select('id')
    .where((is) => is.and({ entity, object_id: objectId }))
    .orderBy('id', 'desc')
    .limit(keptMax);
  await connection
    .deleteFrom('sending')
    .where((is) => is.and({ entity, object_id: objectId }))
    .where('state', '!=', 'waiting')
    .where('id', 'not in', last)
    .execute();
}

async function plan(connection: Kysely<Schema>, planned: Plan): Promise<boolean> {
  const { reportId: report_id, schedule, dueMs: planned_until } = planned;
  const row = await connection
    .insertInto('schedule')
    .values({ report_id, schedule, planned_until })
    .onConflict((conflict) =>
      conflict
        .column('report_id')
        .doUpdateSet({ schedule, planned_until })
        .where((is) =>
          is.or([is('schedule.schedule', '!=', schedule), is('schedule.planned_until', '<', planned_until)]),
        ),
    )
    .returning('report_id')
    .executeTakeFirst();
  if (row) await addSendings(connection, { ...planned, entity: 'Report', objectId: planned.reportId });
  return row !== undefined;
}

const reportTable = tableOf('Report');

async function reports({ reader }: Database, afterId: number, limit: number): Promise<PlannedReport[]> {
  const rows = await reader
    .selectFrom(`${reportTable} as r`)
    .innerJoin('change as c', 'c.revision', 'r.revision')
    .leftJoin('schedule as s', 's.report_id', 'r.id')
    .select(['r.id', 'r.team_id', 'r.doc', 'c.time', 's.schedule', 's.planned_until'])
    .where('r.status', '=', 0)
    .where('r.id', '>', afterId)
    .orderBy('r.id')
    .limit(limit)
    .execute();
  return rows.map(({ id, team_id: teamId, doc, time, schedule, planned_until }) => ({
    id,
    teamId,
    document: JSON.parse(doc),
    changedMs: Number(time),
    planned: schedule === null ? undefined : { schedule, untilMs: Number(planned_until) },
  }));
}

export function createSendingStore(database: Database, { writeRows }: WriteQueue): SendingStore {
  const { reader } = database;
  return {
    reports: (afterId, limit) => reports(database, afterId, limit),
    plan: (planned) => writeRows((connection) => plan(connection, planned)),
    add: (sendings) => writeRows((connection) => addSendings(connection, sendings)),
    async adopt(nowMs) {
      const left = await reader
        .selectFrom('sending')
        .select(['id', 'next_at'])
        .where('state', '=', 'waiting')
        .where('next_at', '<=', nowMs - leftMs)
        .where('claimed_until', '<=', nowMs)
        .limit(adoptedMax)
        .execute();
      if (left.length > 0) await writeRows((connection) => addJobs(connection, left.map(jobFor)));
    },
    async waiting({ key }) {
      const wanted = reader.selectFrom('sending').selectAll().where('id', '=', Number(key));
      const row = await wanted.where('state', '=', 'waiting').executeTakeFirst();
      return row && sendingOf(row);
    },
    finish: (job, { state, attempts, nextMs, error, lastMs, result = '' }, notice) =>
      writeRows(async (connection) => {
        const next = state === 'waiting' ? { runMs: nextMs } : undefined;
        if (!(await settleJob(connection, job, next))) return undefined;
        await connection
          .updateTable('sending')
          .set({
            state,
            attempts,
            next_at: nextMs,
            error,
            result,
            last_at: lastMs,
            claimed_until: nextMs + apartMs,
          })
          .where('id', '=', Number(job.key))
          .execute();
        if (notice) await addSendings(connection, notice);
        return undefined;
      }),
    async results(entity, ids) {
      if (ids.length === 0) return new Map();
      const rows = await reader
        .selectFrom('sending')
        .select(['object_id', 'result'])
        .where('entity', '=', entity)
        .where('object_id', 'in', ids)
        .where('result', '!=', '')
        .orderBy('last_at')
        .orderBy('id')
        .execute();
      const byObject = Map.groupBy(rows, (row) => row.object_id);
      return new Map([...byObject].map(([id, some]) => [id, some.map(({ result }) => result)]));
    },
    async version(entity) {
      const row = await reader
        .selectFrom('sending')
        .select((of) => of.fn.max('last_at').as('last'))
        .where('entity', '=', entity)
        .executeTakeFirst();
      return String(row?.last ?? '');
    },
    ofTeam: async (teamId, { entity, objectId }, limit) => {
      const wanted = { team_id: teamId, entity, ...(objectId !== undefined && { object_id: objectId }) };
      const all = reader.selectFrom('sending').selectAll().orderBy('id', 'desc').limit(limit);
      const rows = await all.where((is) => is.and(wanted)).execute();
      return rows.map(sendingOf);
    },
  };
}
