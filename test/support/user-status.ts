import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { TestServer } from './server.ts';

/** Makes a user active (0) or inactive (1) in a server's database. */
export async function setUserStatus(
  { databaseUrl }: TestServer,
  userId: number,
  status: 0 | 1,
): Promise<void> {
  if (databaseUrl.startsWith('sqlite:')) {
    const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length));
    database.prepare('update user set status = ? where id = ?').run(status, userId);
    database.close();
    return;
  }
  const client = new Client(databaseUrl);
  await client.connect();
  await client.query('update "user" set status = $1 where id = $2', [status, userId]);
  await client.end();
}
