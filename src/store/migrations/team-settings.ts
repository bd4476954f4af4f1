import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** The version before writes `measurement_url` alone. */
export async function teamSettings(_: Database, connection: Kysely<unknown>): Promise<void> {
  await sql`alter table team_setting add column settings text not null default '{}'`.execute(connection);
  await sql`alter table team_setting add column revision bigint not null default 0`.execute(connection);
}
