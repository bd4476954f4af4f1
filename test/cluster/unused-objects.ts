import { queryOnce } from '../postgres/hard-stop.ts';

/** Behind all that a test adds. */
const firstId = 1_000_000;

/** Copies an object of a table so many times, by the database: its API would take minutes. */
export async function copyObject(
  databaseUrl: string,
  table: string,
  id: number,
  count: number,
): Promise<void> {
  const rows = await queryOnce<{ name: string }>(
    databaseUrl,
    `select column_name as name from information_schema.columns
    where table_name = '${table}' and column_name <> 'id' order by ordinal_position`,
  );
  const columns = rows.map(({ name }) => `"${name}"`).join();
  await queryOnce(
    databaseUrl,
    `insert into "${table}" (id, ${columns}) select ${firstId} + copy, ${columns} from "${table}", generate_series(1, ${count}) as copy where id = ${id}`,
  );
}
