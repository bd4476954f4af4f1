import { type Kysely, type Selectable, sql } from 'kysely';
import { demandKindNames } from '../../entities/kinds.ts';
import { entityOf } from '../../entities/registry.ts';
import type { Database } from '../database/database.ts';
import type { PartnerFetchTable } from '../database/partner-tables.ts';
import type { Schema } from '../database/schema.ts';
import { tableName, tableOf } from '../database/tables.ts';
import { pairTable } from '../statistics/cube-tables.ts';
import type { ObjectKey } from '../statistics/interface.ts';
import type { WriteQueue } from '../writes/write-queue.ts';
import type {
  FetchOutcome,
  FetchState,
  FetchStatus,
  PartnerFetch,
  ReconciliationStore,
  ReportedCounts,
} from './interface.ts';
import { noteVersion, readVersions } from './reported-versions.ts';

const kinds = demandKindNames.filter((kind) => 'StatsApi' in entityOf(kind).fields);
const figures = sql.table('cube_partner_day');

/** Most objects name no statistics. */
async function plan(connection: Kysely<Schema>, nowMs: number): Promise<void> {
  for (const kind of kinds) {
    await sql`insert into partner_fetch (kind, id, team_id, next_at, from_day, to_day, claimed_until, claimed_by,
        state, error, sample, row_count)
      select cast(${kind} as text), e.id, e.team_id, ${nowMs}, 0, 0, 0, '', 'waiting', '', '', 0
      from ${sql.table(tableName(kind))} e
      where e.status = 0 and lower(e.doc) like '%"statsapi":"http%'
      on conflict (kind, id) do nothing`.execute(connection);
  }
}

/** Without the writers' lock. */
async function hasUnplanned(reader: Kysely<Schema>): Promise<boolean> {
  for (const kind of kinds) {
    const { rows } = await sql`select 1 as one from ${sql.table(tableName(kind))} e
      where e.status = 0 and lower(e.doc) like '%"statsapi":"http%'
        and not exists (select 1 from partner_fetch p where p.kind = ${kind} and p.id = e.id)
      limit 1`.execute(reader);
    if (rows.length > 0) return true;
  }
  return false;
}

const dueIn = (connection: Kysely<Schema>, nowMs: number, busyTeams: readonly number[]) => {
  const due = connection.selectFrom('partner_fetch').where('next_at', '<=', nowMs);
  const free = due.where('claimed_until', '<=', nowMs).orderBy('next_at').orderBy('kind').orderBy('id');
  return busyTeams.length === 0 ? free : free.where('team_id', 'not in', [...busyTeams]);
};

/** Another process fetches at this moment. */
const isTaken = async (connection: Kysely<Schema>, by: string, nowMs: number) =>
  (await connection
    .selectFrom('partner_fetch')
    .select('id')
    .where('claimed_until', '>', nowMs)
    .where('claimed_by', '!=', by)
    .limit(1)
    .executeTakeFirst()) !== undefined;

async function claim(
  connection: Kysely<Schema>,
  by: string,
  nowMs: number,
  { untilMs, busyTeams }: Parameters<ReconciliationStore['claim']>[2],
): Promise<PartnerFetch | undefined> {
  if (await isTaken(connection, by, nowMs)) return undefined;
  for (;;) {
    const row = await dueIn(connection, nowMs, busyTeams).selectAll().limit(1).executeTakeFirst();
    if (!row) return undefined;
    const { kind, id, team_id: teamId, from_day: fromDay, to_day: toDay } = row;
    const object = await connection
      .selectFrom(tableOf(kind))
      .select(['doc', 'status'])
      .where('id', '=', id)
      .executeTakeFirst();
    const { StatsApi = '', StatsApiHeaders = '' } = object ? JSON.parse(object.doc) : {};
    if (object?.status === 0 && StatsApi !== '') {
      await connection
        .updateTable('partner_fetch')
        .set({ claimed_by: by, claimed_until: untilMs })
        .where('kind', '=', kind)
        .where('id', '=', id)
        .execute();
      const days = fromDay === 0 ? undefined : { fromDay, toDay };
      return { kind, id, teamId, days, url: StatsApi, headers: StatsApiHeaders };
    }
    await connection.deleteFrom('partner_fetch').where('kind', '=', kind).where('id', '=', id).execute();
  }
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
      ? [hourMs, pairTable('hour')]
      : [quarterMs, pairTable('quarter')];
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

async function finish(connection: Kysely<Schema>, object: ObjectKey, by: string, outcome: FetchOutcome) {
  const { state, error, sample, rowCount, lastMs, nextMs, reported } = outcome;
  const row = await connection
    .updateTable('partner_fetch')
    .set({ state, error, sample, row_count: rowCount, last_at: lastMs, next_at: nextMs })
    .set({ from_day: 0, to_day: 0, claimed_until: 0, claimed_by: '' })
    .where('kind', '=', object.kind)
    .where('id', '=', object.id)
    .where('claimed_by', '=', by)
    .returning('id')
    .executeTakeFirst();
  if (row && reported) await writeFigures(connection, object, reported, lastMs);
}

const statusOf = (row: Selectable<PartnerFetchTable>, nowMs: number): FetchStatus => ({
  state: row.state as FetchState,
  error: row.error,
  sample: row.sample,
  rowCount: row.row_count,
  lastMs: row.last_at === null ? undefined : Number(row.last_at),
  nextMs: Number(row.next_at),
  isUnderWay: Number(row.claimed_until) > nowMs,
});

export function createReconciliationStore(database: Database, queue: WriteQueue): ReconciliationStore {
  const { reader } = database;
  const write = <T>(job: (connection: Kysely<Schema>) => Promise<T>) =>
    queue.write(({ connection, touch }) => {
      touch();
      return job(connection);
    });
  return {
    async plan(nowMs) {
      if (await hasUnplanned(reader)) await write((connection) => plan(connection, nowMs));
    },
    // Mostly nothing is due: no lock is taken.
    async claim(by, nowMs, options) {
      const due = await dueIn(reader, nowMs, options.busyTeams).select('id').limit(1).executeTakeFirst();
      return due && write((connection) => claim(connection, by, nowMs, options));
    },
    finish: (object, by, outcome) => write((connection) => finish(connection, object, by, outcome)),
    request: ({ kind, id, teamId }, nowMs, { fromDay, toDay }) =>
      write(async (connection) => {
        const wanted = { next_at: nowMs, from_day: fromDay, to_day: toDay };
        await connection
          .insertInto('partner_fetch')
          .values({
            kind,
            id,
            team_id: teamId,
            ...wanted,
            claimed_until: 0,
            claimed_by: '',
            state: 'waiting',
            error: '',
            sample: '',
            row_count: 0,
          })
          .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(wanted))
          .execute();
      }),
    history: (object, days, limit) => readVersions(reader, object, days, limit),
    async status({ kind, id }, nowMs) {
      const row = await reader
        .selectFrom('partner_fetch')
        .selectAll()
        .where('kind', '=', kind)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && statusOf(row, nowMs);
    },
  };
}
