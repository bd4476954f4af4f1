import type { Kysely } from 'kysely';
import type { Schema } from './database/schema.ts';
import type { Demonstration } from './interface.ts';

/** In order of ID. */
export async function readDemonstrations(connection: Kysely<Schema>): Promise<Demonstration[]> {
  const rows = await connection.selectFrom('demo').selectAll().orderBy('team_id').execute();
  return rows.map(({ team_id: teamId, doc }) => {
    const shown = JSON.parse(doc) as Omit<Demonstration, 'teamId'>;
    // Older ones have no key, and their mock DSPs answer nobody.
    return { teamId, ...shown, key: shown.key ?? '' };
  });
}

/** In the connection's transaction. */
export async function writeDemonstration(
  connection: Kysely<Schema>,
  { teamId, ...shown }: Demonstration,
): Promise<void> {
  const doc = JSON.stringify(shown);
  await connection
    .insertInto('demo')
    .values({ team_id: teamId, doc })
    .onConflict((conflict) => conflict.column('team_id').doUpdateSet({ doc }))
    .execute();
}
