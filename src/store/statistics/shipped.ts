import { type Kysely, sql } from 'kysely';
import { Refusal } from '../../fields/fault.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { OwnershipOf } from './count-rows.ts';
import type { ConsumedRange, DayRange, LateHour, PairCounts, ShippedProcess } from './interface.ts';

const hourMs = 3_600_000;
const dayMs = 86_400_000;
const hoursPerDay = 24;
/** An hour is settled this long after its end (reference, S23). */
const settledAfterMs = hourMs;
/** A silent process is forgotten, with what it may still have. */
const silentDaysMax = 7;
/** Sources end with their process: nothing comes this long after the last record. */
const sourceDaysMax = 400;
const lateDaysMax = 400;
const lateHoursMax = 100;

/** 0 = none. */
export async function takenUntil(reader: Kysely<Schema>, source: string): Promise<number> {
  const row = await reader
    .selectFrom('taken_record')
    .select('place')
    .where('source', '=', source)
    .executeTakeFirst();
  return Number(row?.place ?? 0);
}

/** In the counting transaction; refuses if somebody else has. */
export async function moveOn(
  connection: Kysely<Schema>,
  { source, from, until }: ConsumedRange,
  timeMs: number,
): Promise<void> {
  const { rows } =
    await sql`insert into taken_record (source, place, time) values (${source}, ${until}, ${timeMs})
    on conflict (source) do update set place = excluded.place, time = excluded.time
    where taken_record.place = ${from} returning source`.execute(connection);
  if (rows.length > 0) return;
  throw new Refusal('unavailable', 'These records are being taken; try again', { retryAfterSeconds: 1 });
}

/** See `StatisticsStore.noteShipped`. */
export async function noteShipped(connection: Kysely<Schema>, noted: ShippedProcess): Promise<void> {
  const { process, name, untilMs, notedMs, isDone } = noted;
  const row = { name, until_time: Math.floor(untilMs), noted: Math.floor(notedMs), is_done: Number(isDone) };
  await connection
    .insertInto('shipped')
    .values({ process, ...row })
    .onConflict((conflict) => conflict.column('process').doUpdateSet(row))
    .execute();
}

/** They may still have something. */
export async function shippedProcesses(reader: Kysely<Schema>): Promise<ShippedProcess[]> {
  const rows = await reader
    .selectFrom('shipped')
    .selectAll()
    .where('is_done', '=', 0)
    .orderBy('until_time')
    .execute();
  return rows.map(({ process, name, until_time: untilMs, noted }) => ({
    process,
    name,
    untilMs: Number(untilMs),
    notedMs: Number(noted),
    isDone: false,
  }));
}

/** No process has an older unshipped event: what expired before may be forgotten. */
export async function allShippedUntil(connection: Kysely<Schema>, untilMs: number): Promise<number> {
  const [first] = await shippedProcesses(connection);
  return first ? Math.min(untilMs, first.untilMs - hourMs) : untilMs;
}

export async function forgetShipped(connection: Kysely<Schema>, nowMs: number): Promise<void> {
  await connection
    .deleteFrom('shipped')
    .where('noted', '<', nowMs - silentDaysMax * dayMs)
    .execute();
  await connection
    .deleteFrom('taken_record')
    .where('time', '<', nowMs - sourceDaysMax * dayMs)
    .execute();
  const lateBefore = Math.floor(nowMs / hourMs) - lateDaysMax * hoursPerDay;
  await connection.deleteFrom('late_hour').where('hour', '<', lateBefore).execute();
}

/** In the counting transaction. */
export async function noteLateHours(
  database: Pick<Database, 'rowsIn'>,
  connection: Kysely<Schema>,
  counted: readonly PairCounts[],
  { ownershipOf, timeMs }: { readonly ownershipOf: OwnershipOf; readonly timeMs: number },
): Promise<void> {
  const late = new Map<string, readonly number[]>();
  for (const { hour, supply, counts } of counted) {
    if ((hour + 1) * hourMs + settledAfterMs > timeMs) continue;
    const { promised, promisedNanos, ...shown } = counts;
    if (Object.values(shown).every((count) => count === 0)) continue;
    const row = [ownershipOf(supply)?.teamId ?? 0, hour];
    late.set(row.join(), row);
  }
  if (late.size === 0) return;
  // All writers lock their rows in the same order.
  const rows = [...late].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await sql`insert into late_hour (team_id, hour, time)
    select cast(value ->> 0 as integer), cast(value ->> 1 as bigint), cast(${timeMs} as bigint)
    from ${database.rowsIn(JSON.stringify(rows))} where true
    on conflict (team_id, hour) do update set time = excluded.time
    where late_hour.time < excluded.time`.execute(connection);
}

/** See `StatisticsStore.lateHours`. */
export async function lateHours(
  reader: Kysely<Schema>,
  teamId: number,
  { fromDay, toDay }: DayRange,
): Promise<LateHour[]> {
  const rows = await reader
    .selectFrom('late_hour')
    .select(['hour', 'time'])
    .where('team_id', '=', teamId)
    .where('hour', '>=', fromDay * hoursPerDay)
    .where('hour', '<', (toDay + 1) * hoursPerDay)
    .orderBy('hour', 'desc')
    .limit(lateHoursMax)
    .execute();
  return rows.map(({ hour, time }) => ({ hour: Number(hour), timeMs: Number(time) }));
}
