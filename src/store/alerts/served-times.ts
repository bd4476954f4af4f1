import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Span } from './interface.ts';

/** Shorter gaps do not count: a process that is replaced is away for a moment. */
const apartMs = 150_000;
/** Longer than an alert's longest window with its comparison. */
const keptMs = 100 * 86_400_000;

/** One writer at a time may call it. */
export async function noteServed(connection: Kysely<Schema>, { fromMs, untilMs }: Span): Promise<void> {
  const near = await connection
    .selectFrom('served_time')
    .selectAll()
    .where('began', '<=', untilMs + apartMs)
    .where('until', '>=', fromMs - apartMs)
    .execute();
  const began = Math.min(fromMs, ...near.map((one) => Number(one.began)));
  const until = Math.max(untilMs, ...near.map((one) => Number(one.until)));
  await connection
    .deleteFrom('served_time')
    .where('until', '<', untilMs - keptMs)
    .execute();
  const [first] = near;
  if (near.length === 1 && first && Number(first.began) === began) {
    await connection.updateTable('served_time').set({ until }).where('began', '=', began).execute();
    return;
  }
  const old = near.map((one) => one.began);
  if (old.length > 0) await connection.deleteFrom('served_time').where('began', 'in', old).execute();
  await connection.insertInto('served_time').values({ began, until }).execute();
}

/** In order, cut to the span. */
export async function servedIn(reader: Kysely<Schema>, { fromMs, untilMs }: Span): Promise<Span[]> {
  const rows = await reader
    .selectFrom('served_time')
    .selectAll()
    .where('began', '<', untilMs)
    .where('until', '>', fromMs)
    .orderBy('began')
    .execute();
  return rows.map(({ began, until }) => ({
    fromMs: Math.max(fromMs, Number(began)),
    untilMs: Math.min(untilMs, Number(until)),
  }));
}
