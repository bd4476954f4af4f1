import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema, TeamTable, TokenTable, UserTable } from '../database/schema.ts';
import type { JobContext, WriteQueue } from '../writes/write-queue.ts';
import { createBearers } from './bearers.ts';
import type { AccessEnd, IdentityStore, IdentityWrites, NewToken, Team, Token, User } from './interface.ts';
import { type Author, type PeopleContext, recordPeople } from './record-people.ts';

function teamOf(row: Selectable<TeamTable>): Team {
  const { zip_code: zipCode, ...rest } = row;
  return { ...rest, zipCode };
}

function userOf(row: Selectable<UserTable>): User {
  return {
    id: row.id,
    teamId: row.team_id,
    mail: row.mail,
    firstName: row.first_name,
    lastName: row.last_name,
    role: row.role,
    status: row.status,
    passwordHash: row.password_hash,
  };
}

function tokenOf(row: Selectable<TokenTable>): Token {
  return {
    id: row.id,
    hash: row.hash,
    userId: row.user_id,
    label: row.label ?? undefined,
    createdAtMs: Number(row.created_at),
    expiresAtMs: row.expires_at === null ? undefined : Number(row.expires_at),
    lastUsedAtMs: row.last_used_at === null ? undefined : Number(row.last_used_at),
  };
}

function tokenRow(token: NewToken) {
  return {
    hash: token.hash,
    user_id: token.userId,
    label: token.label ?? null,
    created_at: token.createdAtMs,
    expires_at: token.expiresAtMs ?? null,
    last_used_at: null,
    ends_at: token.endsAtMs ?? null,
    address: token.client?.address ?? null,
    user_agent: token.client?.userAgent ?? null,
  };
}

function readingPart(reader: Kysely<Schema>) {
  return {
    isEmpty: async () => !(await hasUsers(reader)),
    async team(id) {
      const row = await reader.selectFrom('team').selectAll().where('id', '=', id).executeTakeFirst();
      return row && teamOf(row);
    },
    async teams() {
      return (await reader.selectFrom('team').selectAll().orderBy('id').execute()).map(teamOf);
    },
    async user(id) {
      const row = await reader.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst();
      return row && userOf(row);
    },
    async userByMail(mail) {
      const key = mail.toLowerCase();
      const row = await reader.selectFrom('user').selectAll().where('mail_key', '=', key).executeTakeFirst();
      return row && userOf(row);
    },
    async apiKeys(teamId, userId) {
      const query = reader
        .selectFrom('token')
        .innerJoin('user', 'user.id', 'token.user_id')
        .selectAll('token')
        .where('user.team_id', '=', teamId)
        .where('token.label', 'is not', null)
        .orderBy('token.id');
      const rows = await (userId === undefined ? query : query.where('user.id', '=', userId)).execute();
      return rows.map(tokenOf);
    },
  } satisfies Partial<IdentityStore>;
}

async function addUser(context: PeopleContext, user: Omit<User, 'id'>): Promise<number | undefined> {
  const { teamId, mail, firstName, lastName, role, status } = user;
  const row = await context.connection
    .insertInto('user')
    .values({
      team_id: teamId,
      mail_key: mail.toLowerCase(),
      mail,
      first_name: firstName,
      last_name: lastName,
      role,
      status,
      password_hash: user.passwordHash,
    })
    .onConflict((conflict) => conflict.column('mail_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!row) return undefined;
  const after = { Mail: mail, FirstName: firstName, LastName: lastName, Role: role, Status: status };
  await recordPeople(context, row.id, {
    kind: 'User',
    id: row.id,
    operation: 'add',
    before: null,
    after,
  });
  return row.id;
}

async function addTeam(connection: Kysely<Schema>, { zipCode, ...rest }: Omit<Team, 'id'>): Promise<number> {
  const values = { ...rest, zip_code: zipCode };
  const row = await connection.insertInto('team').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

const hasUsers = async (connection: Kysely<Schema>) =>
  (await connection.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined;

async function addFirstUser(
  context: PeopleContext,
  team: Omit<Team, 'id'>,
  user: Omit<User, 'id' | 'teamId'>,
): Promise<boolean> {
  const { connection } = context;
  if (await hasUsers(connection)) return false;
  const first = await connection.selectFrom('team').select('id').orderBy('id').limit(1).executeTakeFirst();
  const teamId = first?.id ?? (await addTeam(connection, team));
  return (await addUser(context, { ...user, teamId })) !== undefined;
}

function recordRevoked(
  context: PeopleContext,
  { id, userId }: { id: number; userId: number },
): Promise<void> {
  const values = { before: null, after: {} };
  return recordPeople(context, userId, { kind: 'ApiKey', id, operation: 'revoke', ...values });
}

/** Ends a user's sessions and, where it is wanted, revokes the API keys. Answers how many keys were revoked. */
async function endAccess(
  context: PeopleContext,
  userId: number,
  { revokesKeys }: AccessEnd,
): Promise<number> {
  const tokens = context.connection.deleteFrom('token').where('user_id', '=', userId);
  const ended = revokesKeys ? tokens : tokens.where('label', 'is', null);
  const rows = await ended.returning(['id', 'label']).execute();
  const keys = rows.filter(({ label }) => label !== null).toSorted((one, other) => one.id - other.id);
  for (const { id } of keys) await recordRevoked(context, { id, userId });
  return keys.length;
}

async function setPassword(
  context: PeopleContext,
  userId: number,
  passwordHash: string,
  end: AccessEnd,
): Promise<number> {
  await context.connection
    .updateTable('user')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .execute();
  // The log tells only that the password was changed, not what it is.
  const values = { before: {}, after: { Password: true } };
  await recordPeople(context, userId, { kind: 'User', id: userId, operation: 'update', ...values });
  return endAccess(context, userId, end);
}

/** Adds a token. The log records a new API key, but no sessions. */
async function addToken(context: PeopleContext, token: NewToken): Promise<number> {
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

/**
 * Adds the token of a session, if the user is still active and still has that password hash. One transaction checks and
 * adds, so that neither can change in between.
 */
async function addSession(
  context: PeopleContext,
  token: NewToken,
  passwordHash: string,
): Promise<number | undefined> {
  const user = await context.connection
    .selectFrom('user')
    .select('id')
    .where('id', '=', token.userId)
    .where('password_hash', '=', passwordHash)
    .where('status', '=', 0)
    .executeTakeFirst();
  return user && addToken(context, token);
}

async function endToken(context: PeopleContext, id: number): Promise<boolean> {
  const row = await context.connection
    .deleteFrom('token')
    .where('id', '=', id)
    .returning(['user_id', 'label'])
    .executeTakeFirst();
  if (row === undefined || row.label === null) return row !== undefined;
  await recordRevoked(context, { id, userId: row.user_id });
  return true;
}

async function touchToken(connection: Kysely<Schema>, id: number, atMs: number, untilMs: number) {
  const expiry = sql<number>`case
    when ends_at is null then expires_at when ends_at < ${untilMs} then ends_at else ${untilMs} end`;
  await connection
    .updateTable('token')
    .set({ last_used_at: atMs, expires_at: expiry })
    .where('id', '=', id)
    .execute();
}

/** What runs jobs that write: the queue, or a transaction that is under way. */
interface Writes {
  write<T>(job: (context: JobContext) => Promise<T>): Promise<T>;
}

/** Writes of teams, users and tokens. */
export function identityWrites(writes: Writes, author: Author): IdentityWrites {
  const write = <T>(job: (context: PeopleContext) => Promise<T>) =>
    writes.write((context) => {
      context.touch();
      return job({ ...context, author });
    });
  return {
    addTeam: (team) => write(({ connection }) => addTeam(connection, team)),
    addFirstUser: (team, user) => write((context) => addFirstUser(context, team, user)),
    addUser: (user) => write((context) => addUser(context, user)),
    addToken: (token) => write((context) => addToken(context, token)),
    addSession: (token, passwordHash) => write((context) => addSession(context, token, passwordHash)),
    endToken: (id) => write((context) => endToken(context, id)),
    setPassword: (userId, passwordHash, end) =>
      write((context) => setPassword(context, userId, passwordHash, end)),
    replaceToken: (id, token) =>
      write(async (context) => ((await endToken(context, id)) ? addToken(context, token) : undefined)),
    touchToken: (id, atMs, expiresAtMs) =>
      write(({ connection }) => touchToken(connection, id, atMs, expiresAtMs)),
    removeExpired: (beforeMs) =>
      write(async ({ connection }) => {
        const rows = await connection
          .deleteFrom('token')
          .where('expires_at', '<', beforeMs)
          .where('label', 'is', null)
          .returning('id')
          .execute();
        return rows.length;
      }),
  };
}

/** Teams, users and tokens on the database. The log names the program itself (user 0) as the author of these writes. */
export function createIdentityStore(database: Database, queue: WriteQueue, now: () => number): IdentityStore {
  const writes = identityWrites(queue, { userId: 0, now });
  return { ...readingPart(database.reader), bearer: createBearers(database), ...writes };
}
