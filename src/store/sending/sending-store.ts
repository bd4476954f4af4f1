import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema, SendingTable } from '../database/schema.ts';
import { tableOf } from '../database/tables.ts';
import type { WriteQueue } from '../writes/write-queue.ts';
import type {
  Channel,
  NewSendings,
  Plan,
  PlannedReport,
  SenderKind,
  Sending,
  SendingState,
  SendingStore,
} from './interface.ts';

const keptMax = 200;

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
    claimed_until: 0,
    claimed_by: '',
    error: '',
  }));
  await connection
    .insertInto('sending')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['entity', 'object_id', 'due', 'channel', 'target']).doNothing(),
    )
    .execute();
  const last = connection
    .selectFrom('sending')
    .select('id')
    .where('entity', '=', entity)
    .where('object_id', '=', objectId)
    .orderBy('id', 'desc')
    .limit(keptMax);
  await connection
    .deleteFrom('sending')
    .where('entity', '=', entity)
    .where('object_id', '=', objectId)
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

async function claim(connection: Kysely<Schema>, by: string, nowMs: number, untilMs: number) {
  const first = connection
    .selectFrom('sending')
    .select('id')
    .where('state', '=', 'waiting')
    .where('next_at', '<=', nowMs)
    .where('claimed_until', '<=', nowMs)
    .orderBy('next_at')
    .orderBy('id')
    .limit(1);
  const row = await connection
    .updateTable('sending')
    .set({ claimed_by: by, claimed_until: untilMs })
    .where('id', 'in', first)
    .returningAll()
    .executeTakeFirst();
  return row && sendingOf(row);
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

/** Writers hold the one lock, also across processes: of several, one claims. */
export function createSendingStore(database: Database, queue: WriteQueue): SendingStore {
  const write = <T>(job: (connection: Kysely<Schema>) => Promise<T>) =>
    queue.write(({ connection, touch }) => {
      touch();
      return job(connection);
    });
  /** Mostly nothing is due: no lock is taken. */
  const isDue = async (nowMs: number) =>
    (await database.reader
      .selectFrom('sending')
      .select('id')
      .where('state', '=', 'waiting')
      .where('next_at', '<=', nowMs)
      .where('claimed_until', '<=', nowMs)
      .limit(1)
      .executeTakeFirst()) !== undefined;
  return {
    reports: (afterId, limit) => reports(database, afterId, limit),
    plan: (planned) => write((connection) => plan(connection, planned)),
    add: (sendings) => write((connection) => addSendings(connection, sendings)),
    claim: async (by, nowMs, untilMs) =>
      (await isDue(nowMs)) ? write((connection) => claim(connection, by, nowMs, untilMs)) : undefined,
    finish: (id, by, { state, attempts, nextMs, error, lastMs }, notice) =>
      write(async (connection) => {
        const row = await connection
          .updateTable('sending')
          .set({ state, attempts, next_at: nextMs, error, last_at: lastMs, claimed_until: 0, claimed_by: '' })
          .where('id', '=', id)
          .where('claimed_by', '=', by)
          .returning('id')
          .executeTakeFirst();
        if (row && notice) await addSendings(connection, notice);
      }),
    ofTeam: async (teamId, { entity, objectId }, limit) => {
      const all = database.reader
        .selectFrom('sending')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('entity', '=', entity);
      const wanted = objectId === undefined ? all : all.where('object_id', '=', objectId);
      const rows = await wanted.orderBy('id', 'desc').limit(limit).execute();
      return rows.map(sendingOf);
    },
  };
}
