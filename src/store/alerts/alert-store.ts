import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { tableOf } from '../database/tables.ts';
import { addSendings } from '../sending/sending-store.ts';
import type { WriteQueue } from '../writes/write-queue.ts';
import { changingOf, findingOf, rowOf } from './alert-rows.ts';
import type {
  Acknowledgement,
  AlertJudgement,
  AlertState,
  AlertStore,
  DueAlert,
  FindingFilter,
  StoredFinding,
} from './interface.ts';
import { noteServed, servedIn } from './served-times.ts';

/** Per alert: one that comes and goes must not fill the disk. */
const keptMax = 2000;
const forgottenAtOnce = 1000;
const alertTable = tableOf('Alert');

async function due({ reader }: Database, atMs: number, limit: number): Promise<DueAlert[]> {
  const rows = await reader
    .selectFrom(`${alertTable} as a`)
    .leftJoin('alert_state as s', 's.alert_id', 'a.id')
    .select(['a.id', 'a.team_id', 'a.status', 'a.doc', 's.checked_at', 's.rule'])
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('a.status', '=', 0),
        exists(
          selectFrom('alert_log as l')
            .select('l.id')
            .whereRef('l.alert_id', '=', 'a.id')
            .where('l.ended_at', 'is', null),
        ),
      ]),
    )
    .where(({ or, eb }) => or([eb('s.checked_at', 'is', null), eb('s.checked_at', '<', atMs)]))
    .orderBy(sql`coalesce(s.checked_at, 0)`)
    .orderBy('a.id')
    .limit(limit)
    .execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const open = await reader
    .selectFrom('alert_log')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('alert_id', 'in', ids)
    .execute();
  const byAlert = Map.groupBy(open.map(findingOf), ({ alertId }) => alertId);
  return rows.map(({ id, team_id: teamId, status, doc, checked_at, rule }) => ({
    id,
    teamId,
    isActive: status === 0,
    document: JSON.parse(doc),
    checkedMs: Number(checked_at ?? 0),
    rule: rule ?? '',
    open: byAlert.get(id) ?? [],
  }));
}

/** False if another process has done so. */
async function check(
  connection: Kysely<Schema>,
  { alertId: alert_id, atMs, rule, problem, noData }: AlertJudgement,
) {
  const state = { checked_at: atMs, rule, problem, no_data: noData };
  const row = await connection
    .insertInto('alert_state')
    .values({ alert_id, ...state })
    .onConflict((conflict) =>
      conflict.column('alert_id').doUpdateSet(state).where('alert_state.checked_at', '<', atMs),
    )
    .returning('alert_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Marks firing findings to be repeated, if told long ago and not acknowledged; returns how many. */
async function remind(connection: Kysely<Schema>, alertId: number, atMs: number, remindMs: number) {
  const due = await connection
    .updateTable('alert_log')
    .set({ reminded_at: atMs })
    .where('alert_id', '=', alertId)
    .where('ended_at', 'is', null)
    .where('acknowledged_at', 'is', null)
    .where(({ fn }) => fn.coalesce('reminded_at', 'begin_sent_at'), '<=', atMs - remindMs)
    .returning('id')
    .execute();
  return due.length;
}

/** Sends what is owed: beginnings of what still fires, and ends of what was told to have begun. */
async function tell(connection: Kysely<Schema>, { alertId, teamId, atMs, to, remindMs }: AlertJudgement) {
  if (to === undefined) return;
  const ofAlert = connection.updateTable('alert_log').where('alert_id', '=', alertId);
  const begun = await ofAlert
    .set({ begin_sent_at: atMs })
    .where('began_at', 'is not', null)
    .where('ended_at', 'is', null)
    .where('begin_sent_at', 'is', null)
    .returning('id')
    .execute();
  const ended = await ofAlert
    .set({ end_sent_at: atMs })
    .where('ended_at', 'is not', null)
    .where('begin_sent_at', 'is not', null)
    .where('end_sent_at', 'is', null)
    .returning('id')
    .execute();
  const reminded = remindMs ? await remind(connection, alertId, atMs, remindMs) : 0;
  if (begun.length + ended.length + reminded === 0) return;
  await addSendings(connection, { teamId, entity: 'Alert', objectId: alertId, dueMs: atMs, to });
}

/** Beyond what is kept. */
async function forgetOldest(connection: Kysely<Schema>, alertId: number) {
  const last = connection
    .selectFrom('alert_log')
    .select('id')
    .where('alert_id', '=', alertId)
    .orderBy('id', 'desc')
    .limit(keptMax);
  await connection
    .deleteFrom('alert_log')
    .where('alert_id', '=', alertId)
    .where('ended_at', 'is not', null)
    .where('id', 'not in', last)
    .execute();
}

async function write(connection: Kysely<Schema>, judged: AlertJudgement): Promise<boolean> {
  if (!(await check(connection, judged))) return false;
  const { added, changed, dropped, alertId } = judged;
  if (dropped.length > 0) await connection.deleteFrom('alert_log').where('id', 'in', dropped).execute();
  for (const finding of changed) {
    await connection
      .updateTable('alert_log')
      .set(changingOf(finding))
      .where('id', '=', finding.findingId)
      .execute();
  }
  if (added.length > 0) {
    await connection
      .insertInto('alert_log')
      .values(added.map((finding) => rowOf(finding, judged)))
      .execute();
    await forgetOldest(connection, alertId);
  }
  await tell(connection, judged);
  return true;
}

async function states(
  { reader }: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AlertState>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.selectFrom('alert_state').selectAll().where('alert_id', 'in', ids).execute();
  const firing = await reader
    .selectFrom('alert_log')
    .selectAll()
    .where('alert_id', 'in', ids)
    .where('ended_at', 'is', null)
    .where('began_at', 'is not', null)
    .orderBy('began_at')
    .orderBy('id')
    .execute();
  const byAlert = Map.groupBy(firing.map(findingOf), ({ alertId }) => alertId);
  return new Map(
    rows.map(({ alert_id, checked_at, problem, no_data: noData }) => {
      const open = byAlert.get(alert_id) ?? [];
      const state = { checkedMs: Number(checked_at), problem, noData };
      return [alert_id, { ...state, firing: open.length, first: open[0] }];
    }),
  );
}

async function findings(
  { reader }: Database,
  teamId: number,
  { alertId, isFiring, beforeId }: FindingFilter,
  limit: number,
) {
  let wanted = reader
    .selectFrom('alert_log')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('began_at', 'is not', null);
  if (alertId !== undefined) wanted = wanted.where('alert_id', '=', alertId);
  if (isFiring) wanted = wanted.where('ended_at', 'is', null);
  if (beforeId !== undefined) wanted = wanted.where('id', '<', beforeId);
  const rows = await wanted.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(findingOf);
}

async function sentAt({ reader }: Database, alertId: number, atMs: number) {
  const ofAlert = reader.selectFrom('alert_log').selectAll().where('alert_id', '=', alertId).orderBy('id');
  const at = async (column: 'begin_sent_at' | 'end_sent_at' | 'reminded_at') =>
    (await ofAlert.where(column, '=', atMs).execute()).map(findingOf);
  return {
    begun: await at('begin_sent_at'),
    ended: await at('end_sent_at'),
    reminded: await at('reminded_at'),
  };
}

async function acknowledge(
  connection: Kysely<Schema>,
  { teamId, findingId, by, note, atMs }: Acknowledgement,
): Promise<StoredFinding | undefined> {
  const row = await connection
    .updateTable('alert_log')
    .set({ acknowledged_at: atMs, acknowledged_by: by, note })
    .where('id', '=', findingId)
    .where('team_id', '=', teamId)
    .where('began_at', 'is not', null)
    .returningAll()
    .executeTakeFirst();
  return row && findingOf(row);
}

/** Writers hold the one lock, also across processes. */
export function createAlertStore(database: Database, { writeRows }: WriteQueue): AlertStore {
  const { reader } = database;
  return {
    noteServed: (span) => writeRows((connection) => noteServed(connection, span)),
    served: (span) => servedIn(reader, span),
    due: (atMs, limit) => due(database, atMs, limit),
    write: (judged) => writeRows((connection) => write(connection, judged)),
    async forget(beforeMs) {
      const old = await reader
        .selectFrom('alert_log')
        .select('id')
        .where('ended_at', '<', beforeMs)
        .limit(forgottenAtOnce)
        .execute();
      if (old.length === 0) return false;
      const ids = old.map(({ id }) => id);
      await writeRows((connection) => connection.deleteFrom('alert_log').where('id', 'in', ids).execute());
      return old.length === forgottenAtOnce;
    },
    states: (ids) => states(database, ids),
    async version() {
      // Sum of the times of judging: it grows each time.
      const { rows } = await sql<{ version: string | null }>`
        select cast(sum(checked_at) as text) as version from alert_state`.execute(reader);
      return rows[0]?.version ?? '';
    },
    findings: (teamId, filter, limit) => findings(database, teamId, filter, limit),
    acknowledge: (acknowledgement) => writeRows((connection) => acknowledge(connection, acknowledgement)),
    sentAt: (alertId, atMs) => sentAt(database, alertId, atMs),
  };
}
