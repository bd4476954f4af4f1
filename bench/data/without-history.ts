import { sql } from 'kysely';
import type { Database } from '../../src/store/database/database.ts';

type Row = Readonly<Record<string, unknown>>;

/** A SQLite database that records no additions in the history: all objects have the first revision. */
export function withoutHistory(database: Database): Database {
  const { compileWrite } = database;
  const compileInsertion: Database['compileInsertion'] = ({ table, insert, read }) => {
    const inserting = compileWrite(sql<Row>`${insert} returning id, revision, team_id`);
    const reading = compileWrite<Row>(
      read(sql`(select * from ${sql.table(table)} where id = ${null}) e`) as never,
    );
    return async (connection, values) => {
      const [row] = await inserting(connection, values);
      return (await reading(connection, [row?.id]))[0];
    };
  };
  return { ...database, compileInsertion };
}
