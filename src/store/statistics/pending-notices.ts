import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { NoticeBatch, PendingNotice } from './notices-interface.ts';

/** Exclusive to whoever counted or claimed them. */
export const noticeLeaseMs = 60_000;
/** Of no use to its bidder any more. */
const noticeAgeMaxMs = 6 * 60 * 60 * 1000;

/** Undefined if there are none. */
export async function keepNotices(
  connection: Kysely<Schema>,
  batch: string,
  notices: readonly PendingNotice[],
  nowMs: number,
): Promise<NoticeBatch | undefined> {
  if (notices.length === 0) return undefined;
  await connection
    .insertInto('pending_notice')
    .values({ id: batch, due: nowMs + noticeLeaseMs, time: nowMs, notices: JSON.stringify(notices) })
    .execute();
  return { id: batch, notices };
}

/** Checks without the writers' lock. */
export async function hasDueNotices(reader: Kysely<Schema>, nowMs: number): Promise<boolean> {
  const due = await reader
    .selectFrom('pending_notice')
    .select('id')
    .where('due', '<=', nowMs)
    .limit(1)
    .execute();
  return due.length > 0;
}

/** See `StatisticsStore.claimNotices`. */
export async function claimNotices(connection: Kysely<Schema>, batchesMax: number, nowMs: number) {
  const expired = await connection
    .deleteFrom('pending_notice')
    .where('due', '<=', nowMs)
    .where('time', '<', nowMs - noticeAgeMaxMs)
    .returning('notices')
    .execute();
  // Checked again: another process may have taken the row while this one waited for its lock.
  const { rows } = await sql<{ id: string; notices: string }>`update pending_notice
    set due = ${nowMs + noticeLeaseMs} where due <= ${nowMs} and id in (
      select id from pending_notice where due <= ${nowMs} order by due limit ${batchesMax}
    ) returning id, notices`.execute(connection);
  return {
    batches: rows.map(({ id, notices }): NoticeBatch => ({ id, notices: JSON.parse(notices) })),
    expired: expired.reduce((sum, { notices }) => sum + JSON.parse(notices).length, 0),
  };
}

/** See `StatisticsStore.updateNotices`. */
export async function updateNotices(
  connection: Kysely<Schema>,
  batches: readonly NoticeBatch[],
  dueMs: number,
): Promise<void> {
  const ended = batches.filter(({ notices }) => notices.length === 0).map(({ id }) => id);
  if (ended.length > 0) await connection.deleteFrom('pending_notice').where('id', 'in', ended).execute();
  for (const { id, notices } of batches) {
    if (notices.length === 0) continue;
    await connection
      .updateTable('pending_notice')
      .set({ due: dueMs, notices: JSON.stringify(notices) })
      .where('id', '=', id)
      .execute();
  }
}
