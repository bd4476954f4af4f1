import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { AccessEnd, NewToken } from './interface.ts';
import { type PeopleContext, recordPeople, recordWritten } from './record-people.ts';
import { sessionOf, tokenRow } from './rows.ts';

function recordRevoked(
  context: PeopleContext,
  { id, userId }: { id: number; userId: number },
): Promise<void> {
  const values = { before: null, after: {} };
  return recordPeople(context, userId, { kind: 'ApiKey', id, operation: 'revoke', ...values });
}

/** Links, sessions and, if asked, API keys. Returns how many keys were revoked. */
export async function endAccess(
  context: PeopleContext,
  userId: number,
  { revokesKeys, exceptTokenId = 0 }: AccessEnd,
): Promise<number> {
  const { connection } = context;
  await connection.deleteFrom('link').where('user_id', '=', userId).execute();
  const tokens = connection
    .deleteFrom('token')
    .where('user_id', '=', userId)
    .where('id', '!=', exceptTokenId);
  const ended = revokesKeys ? tokens : tokens.where('label', 'is', null);
  const rows = await ended.returning(['id', 'label']).execute();
  const keys = rows.filter(({ label }) => label !== null).toSorted((one, other) => one.id - other.id);
  for (const { id } of keys) await recordRevoked(context, { id, userId });
  return keys.length;
}

/** The log records a new API key, but no sessions. */
export async function addToken(context: PeopleContext, token: NewToken): Promise<number> {
  const { id } = await context.connection
    .insertInto('token')
    .values(tokenRow(token))
    .returning('id')
    .executeTakeFirstOrThrow();
  const { label, userId, expiresAtMs } = token;
  if (label === undefined) return id;
  const ExpiresAt = expiresAtMs === undefined ? '' : new Date(expiresAtMs).toJSON();
  const values = { before: null, after: { Label: label, UserId: userId, ExpiresAt } };
  await recordPeople(context, userId, { kind: 'ApiKey', id, operation: 'add', ...values });
  return id;
}

const networksMax = 10;

/** Replaces the one not seen for the longest time. */
async function keepNetwork(
  { connection }: PeopleContext,
  { user_id, network, seen_at }: { user_id: number; network: string; seen_at: number },
): Promise<void> {
  await connection
    .insertInto('known_network')
    .values({ user_id, network, seen_at })
    .onConflict((conflict) => conflict.columns(['user_id', 'network']).doUpdateSet({ seen_at }))
    .execute();
  const ofUser = connection.selectFrom('known_network').select('network').where('user_id', '=', user_id);
  const last = ofUser.orderBy('seen_at', 'desc').orderBy('network').limit(networksMax);
  await connection
    .deleteFrom('known_network')
    .where('user_id', '=', user_id)
    .where('network', 'not in', last)
    .execute();
}

/** If the user is active and still has that password hash, checked in the same transaction. */
export async function addSession(
  context: PeopleContext,
  token: NewToken,
  { passwordHash, network }: { passwordHash: string; network?: string },
): Promise<number | undefined> {
  const user = await context.connection
    .selectFrom('user')
    .select('id')
    .where('id', '=', token.userId)
    .where('password_hash', '=', passwordHash)
    .where('status', '=', 0)
    .executeTakeFirst();
  if (!user) return undefined;
  const { userId, createdAtMs } = token;
  if (network !== undefined) await keepNetwork(context, { user_id: userId, network, seen_at: createdAtMs });
  return addToken(context, token);
}

/** True if there was one. */
export async function endToken(context: PeopleContext, id: number): Promise<boolean> {
  const row = await context.connection
    .deleteFrom('token')
    .where('id', '=', id)
    .returning(['user_id', 'label'])
    .executeTakeFirst();
  if (row === undefined || row.label === null) return row !== undefined;
  await recordRevoked(context, { id, userId: row.user_id });
  return true;
}

/** For the same client; undefined if it had ended. */
export async function replaceToken(
  context: PeopleContext,
  id: number,
  token: NewToken,
): Promise<number | undefined> {
  const old = await context.connection
    .selectFrom('token')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!old || !(await endToken(context, id))) return undefined;
  return await addToken(context, { ...token, client: sessionOf(old).client });
}

/** Another user's with a row in the history. True if there was one. */
export async function endSession(context: PeopleContext, id: number): Promise<boolean> {
  const { connection, author } = context;
  const sessions = connection.deleteFrom('token').where('id', '=', id).where('label', 'is', null);
  const row = await sessions.returning('user_id').executeTakeFirst();
  if (row && row.user_id !== author.userId) await recordWritten(context, row.user_id, 'Sessions');
  return row !== undefined;
}

/** Extends a session of the console. */
export async function touchToken(connection: Kysely<Schema>, id: number, atMs: number, untilMs: number) {
  const expiry = sql<number>`case
    when ends_at is null then expires_at when ends_at < ${untilMs} then ends_at else ${untilMs} end`;
  await connection
    .updateTable('token')
    .set({ last_used_at: atMs, expires_at: expiry })
    .where('id', '=', id)
    .execute();
}

/** Except API keys; returns how many sessions. */
export async function removeExpired(connection: Kysely<Schema>, beforeMs: number): Promise<number> {
  await connection.deleteFrom('link').where('expires_at', '<', beforeMs).execute();
  const tokens = connection.deleteFrom('token').where('expires_at', '<', beforeMs).where('label', 'is', null);
  return (await tokens.returning('id').execute()).length;
}
