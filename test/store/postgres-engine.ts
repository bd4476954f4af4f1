import pg from 'pg';
import { openStore } from '../../src/store/open-store.ts';
import { migratedPostgres } from '../support/migrated-database.ts';
import type { SharedPostgres } from '../support/postgres.ts';
import type { ChangeRow, Engine } from './engine.ts';

const changeColumns = `revision::integer, time::float8 as "timeMs", user_id as "userId", team_id as "teamId", entity,
  entity_id as "entityId", operation, before::json, after::json`;

async function rowsOf<R extends pg.QueryResultRow>(url: string, statement: string): Promise<readonly R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(statement)).rows;
  } finally {
    await client.end();
  }
}

const changesIn = (url: string) =>
  rowsOf<ChangeRow>(url, `select ${changeColumns} from change order by change.revision`);

async function answersIn(url: string): Promise<number> {
  const [row] = await rowsOf<{ n: number }>(url, 'select count(*)::integer as n from answer');
  return row?.n ?? 0;
}

/** PostgreSQL, each database on one server. */
export function postgres(server: () => SharedPostgres): Engine {
  return {
    name: 'PostgreSQL',
    fresh: async () => {
      const url = await migratedPostgres(server().url);
      return {
        open: (now = Date.now) => openStore({ url, now }),
        changes: () => changesIn(url),
        answers: () => answersIn(url),
        remove: async () => undefined,
      };
    },
  };
}
