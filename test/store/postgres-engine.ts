import pg from 'pg';
import { openStore } from '../../src/store/open-store.ts';
import type { PostgresServer } from '../support/postgres.ts';
import type { ChangeRow, Engine } from './engine.ts';

const changeColumns = `revision::integer, time::float8 as "timeMs", user_id as "userId", team_id as "teamId", entity,
  entity_id as "entityId", operation, before::json, after::json`;

async function changesIn(url: string): Promise<readonly ChangeRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<ChangeRow>(
      `select ${changeColumns} from change order by change.revision`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** PostgreSQL, each database on one server. */
export function postgres(server: () => PostgresServer): Engine {
  return {
    name: 'PostgreSQL',
    fresh: async () => {
      const url = await server().freshDatabase();
      return {
        open: (now = Date.now) => openStore({ url, now }),
        changes: () => changesIn(url),
        remove: async () => undefined,
      };
    },
  };
}
