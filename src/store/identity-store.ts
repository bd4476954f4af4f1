import type { Kysely, Selectable } from 'kysely';
import { createBearers } from './bearers.ts';
import type { Database } from './database.ts';
import type { IdentityStore, IdentityWrites, NewToken, Team, Token, User } from './identity-interface.ts';
import type { Schema, TeamTable, TokenTable, UserTable } from './schema.ts';
import type { Desk, WriteQueue } from './write-queue.ts';

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

async function addUser(connection: Kysely<Schema>, user: Omit<User, 'id'>): Promise<number | undefined> {
  const row = await connection
    .insertInto('user')
    .values({
      team_id: user.teamId,
      mail_key: user.mail.toLowerCase(),
      mail: user.mail,
      first_name: user.firstName,
      last_name: user.lastName,
      role: user.role,
      status: user.status,
      password_hash: user.passwordHash,
    })
    .onConflict((conflict) => conflict.column('mail_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

async function addTeam(connection: Kysely<Schema>, { zipCode, ...rest }: Omit<Team, 'id'>): Promise<number> {
  const values = { ...rest, zip_code: zipCode };
  const row = await connection.insertInto('team').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

const hasUsers = async (connection: Kysely<Schema>) =>
  (await connection.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined;

async function addFirstUser(
  connection: Kysely<Schema>,
  team: Omit<Team, 'id'>,
  user: Omit<User, 'id' | 'teamId'>,
): Promise<boolean> {
  if (await hasUsers(connection)) return false;
  const first = await connection.selectFrom('team').select('id').orderBy('id').limit(1).executeTakeFirst();
  const teamId = first?.id ?? (await addTeam(connection, team));
  return (await addUser(connection, { ...user, teamId })) !== undefined;
}

async function addToken(connection: Kysely<Schema>, token: NewToken): Promise<number> {
  const row = await connection
    .insertInto('token')
    .values(tokenRow(token))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

async function endToken(connection: Kysely<Schema>, id: number): Promise<boolean> {
  const row = await connection.deleteFrom('token').where('id', '=', id).returning('id').executeTakeFirst();
  return row !== undefined;
}

/** What runs jobs that write: the queue, or a transaction that is under way. */
interface Writes {
  write<T>(job: (desk: Desk) => Promise<T>): Promise<T>;
}

/** Writes of teams, users and tokens. */
export function identityWrites(writes: Writes): IdentityWrites {
  const write = <T>(job: (connection: Kysely<Schema>) => Promise<T>) =>
    writes.write(({ connection, touch }) => {
      touch();
      return job(connection);
    });
  return {
    addTeam: (team) => write((connection) => addTeam(connection, team)),
    addFirstUser: (team, user) => write((connection) => addFirstUser(connection, team, user)),
    addUser: (user) => write((connection) => addUser(connection, user)),
    addToken: (token) => write((connection) => addToken(connection, token)),
    endToken: (id) => write((connection) => endToken(connection, id)),
    setPassword: (userId, passwordHash) =>
      write(async (connection) => {
        await connection
          .updateTable('user')
          .set({ password_hash: passwordHash })
          .where('id', '=', userId)
          .execute();
        await connection
          .deleteFrom('token')
          .where('user_id', '=', userId)
          .where('label', 'is', null)
          .execute();
      }),
    replaceToken: (id, token) =>
      write(async (connection) =>
        (await endToken(connection, id)) ? addToken(connection, token) : undefined,
      ),
    touchToken: (id, atMs) =>
      write(async (connection) => {
        await connection.updateTable('token').set({ last_used_at: atMs }).where('id', '=', id).execute();
      }),
    removeExpired: (beforeMs) =>
      write(async (connection) => {
        const rows = await connection
          .deleteFrom('token')
          .where('expires_at', '<', beforeMs)
          .returning('id')
          .execute();
        return rows.length;
      }),
  };
}

/** Teams, users and tokens on the database. */
export function createIdentityStore(database: Database, queue: WriteQueue): IdentityStore {
  return { ...readingPart(database.reader), bearer: createBearers(database), ...identityWrites(queue) };
}
