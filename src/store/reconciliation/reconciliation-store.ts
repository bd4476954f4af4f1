import { type Kysely, sql } from 'kysely';
import { demandKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import type { Database } from '../database/database.ts';
import { inBatches } from '../database/in-batches.ts';
import type { Schema } from '../database/schema.ts';
import { tableName } from '../database/tables.ts';
import type { NewJob } from '../jobs/interface.ts';
import { addJobs, settleJob } from '../jobs/job-store.ts';
import { cubeTable } from '../statistics/cube-tables.ts';
import type { ObjectKey } from '../statistics/interface.ts';
import type { WriteQueue } from '../writes/write-queue.ts';
import {
  type FetchOutcome,
  fetchJobKind,
  type PlannedFetch,
  type PlannedObject,
  type ReconciliationStore,
  type ReportedCounts,
} from './interface.ts';
import { noteVersion, readVersions } from './reported-versions.ts';

const kinds = demandKindNames.filter((kind) => 'StatsApi' in entityOf(kind).fields);
const figures = sql.table('cube_partner_day');
const keyOf = ({ kind, id }: ObjectKey) => `${kind}:${id}`;

const firstJob = (object: PlannedObject, runMs: number): NewJob => ({
  kind: fetchJobKind,
  key: keyOf(object),
  queue: String(object.teamId),
  runMs,
  payload: { object },
});

const jobRow = (connection: Kysely<Schema>, object: ObjectKey) =>
  connection
    .selectFrom('job')
    .selectAll()
    .where((is) => is.and({ kind: fetchJobKind, key: keyOf(object) }))
    .executeTakeFirst();

/** Most objects name no statistics. */
async function unplanned(reader: Kysely<Schema>, kind: string): Promise<PlannedObject[]> {
  const { rows } = await sql<{ id: number; team_id: number }>`
    select e.id, e.team_id from ${sql.table(tableName(kind))} e
    where e.status = 0 and lower(e.doc) like '%"statsapi":"http%'
      and not exists (select 1 from job where kind = ${fetchJobKind} and key = ${`${kind}:`} || e.id)`.execute(
    reader,
  );
  return rows.map(({ id, team_id: teamId }) => ({ kind, id, teamId }));
}

const hourMs = 3_600_000;
const quarterMs = 900_000;
const dayMs = 86_400_000;

/** By the rows of pairs, of an object of an account. */
async function countedIn(
  connection: Kysely<Schema>,
  { kind, id }: ObjectKey,
  ownerId: number,
  [fromMs, untilMs]: readonly [fromMs: number, untilMs: number],
): Promise<readonly [impressions: number, nanos: number]> {
  const [stepMs, table] =
    fromMs % hourMs === 0 && untilMs % hourMs === 0
      ? [hourMs, cubeTable('pair', 'hour')]
      : [quarterMs, cubeTable('pair', 'quarter')];
  const { rows } = await sql<{ impressions: number | string | null; nanos: number | string | null }>`
    select sum(impressions) as impressions, sum(revenue_nanos) as nanos from ${sql.table(table.name)}
    where slot >= ${fromMs / stepMs} and slot < ${untilMs / stepMs} and demand_kind = ${kind} and demand_id = ${id}
      and advertiser_id = ${ownerId}`.execute(connection);
  return [Number(rows[0]?.impressions ?? 0), Number(rows[0]?.nanos ?? 0)];
}

/** Our counts in the partner's day beyond the UTC day of its date. */
async function shiftOf(
  connection: Kysely<Schema>,
  object: ObjectKey,
  ownerId: number,
  { day, span }: ReportedCounts,
): Promise<readonly [impressions: number, nanos: number]> {
  if (!span) return [0, 0];
  const [startMs, endMs] = [day * dayMs, (day + 1) * dayMs];
  const counted = (fromMs: number, untilMs: number) =>
    fromMs < untilMs
      ? countedIn(connection, object, ownerId, [fromMs, untilMs])
      : Promise.resolve([0, 0] as const);
  const parts = [
    await counted(span.fromMs, Math.min(startMs, span.untilMs)),
    await counted(Math.max(endMs, span.fromMs), span.untilMs),
    (await counted(startMs, Math.min(span.fromMs, endMs))).map((one) => -one),
    (await counted(Math.max(span.untilMs, startMs), endMs)).map((one) => -one),
  ];
  const sum = (at: 0 | 1) => parts.reduce((total, part) => total + (part[at] ?? 0), 0);
  return [sum(0), sum(1)];
}

/** Replaces what was reported before, day by day. */
async function writeFigures(
  connection: Kysely<Schema>,
  object: ObjectKey,
  { fromDay, toDay, days }: NonNullable<FetchOutcome['reported']>,
  fetchedMs: number,
): Promise<void> {
  const { kind, id } = object;
  const { rows } = await sql<{ team_id: number; owner_id: number | null }>`
    select team_id, owner_id from ${sql.table(tableName(kind))} where id = ${id}`.execute(connection);
  const [found] = rows;
  if (!found) return;
  const ownerId = found.owner_id ?? 0;
  const byDay = new Map(days.map((one) => [one.day, one]));
  for (let day = fromDay; day <= toDay; day += 1) {
    const reported = byDay.get(day);
    await noteVersion(connection, object, day, { counts: reported, fetchedMs });
    await sql`update ${figures} set reported_days = 0, missing_days = 0, partner_impressions = 0, partner_clicks = 0,
        partner_nanos = 0, shifted_impressions = 0, shifted_nanos = 0
      where slot = ${day} and demand_kind = ${kind} and demand_id = ${id}
        and reported_days > 0`.execute(connection);
    if (!reported) continue;
    const { impressions, clicks, nanos, isMissing = false } = reported;
    const [shifted, shiftedNanos] = await shiftOf(connection, object, ownerId, reported);
    await sql`insert into ${figures} (slot, team_id, advertiser_id, demand_kind, demand_id, reported_days,
        missing_days, partner_impressions, partner_clicks, partner_nanos, shifted_impressions, shifted_nanos)
      values (${day}, ${found.team_id}, ${ownerId}, ${kind}, ${id}, 1, ${isMissing ? 1 : 0}, ${impressions}, ${clicks},
        ${nanos}, ${shifted}, ${shiftedNanos})
      on conflict (slot, demand_kind, demand_id, advertiser_id) do update set reported_days = 1,
        missing_days = excluded.missing_days, partner_impressions = excluded.partner_impressions,
        partner_clicks = excluded.partner_clicks, partner_nanos = excluded.partner_nanos,
        shifted_impressions = excluded.shifted_impressions,
        shifted_nanos = excluded.shifted_nanos`.execute(connection);
  }
}

export function createReconciliationStore(
  database: Database,
  { writeRows }: WriteQueue,
): ReconciliationStore {
  const { reader } = database;
  return {
    async plan(nowMs) {
      for (const kind of kinds) {
        for await (const lot of inBatches(await unplanned(reader, kind))) {
          const jobs = lot.map((object) => firstJob(object, nowMs));
          await writeRows((connection) => addJobs(connection, jobs));
        }
      }
    },
    finish: (job, { nextMs, reported, ...last }) =>
      writeRows(async (connection) => {
        const { object } = job.payload as PlannedFetch;
        const isOurs = await settleJob(connection, job, { runMs: nextMs, payload: { object, last } });
        if (isOurs && reported) await writeFigures(connection, object, reported, last.lastMs);
        return undefined;
      }),
    request: (object, nowMs, days) =>
      writeRows(async (connection) => {
        await addJobs(connection, [firstJob(object, nowMs)]);
        const { id, payload } = (await jobRow(connection, object)) ?? { id: 0, payload: '{}' };
        const wanted = { run_at: nowMs, payload: JSON.stringify({ ...JSON.parse(payload), days }) };
        await connection.updateTable('job').set(wanted).where('id', '=', id).execute();
      }),
    history: (object, days, limit) => readVersions(reader, object, days, limit),
    async status(object, nowMs) {
      const row = await jobRow(reader, object);
      if (!row) return undefined;
      const { last }: PlannedFetch = JSON.parse(row.payload);
      const first = { state: 'waiting', error: '', sample: '', rowCount: 0, lastMs: undefined } as const;
      return {
        ...(last ?? first),
        nextMs: Number(row.run_at),
        isUnderWay: Number(row.claimed_until) > nowMs,
      };
    },
  };
}
