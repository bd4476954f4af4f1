import type { Database } from '../database/database.ts';
import type { JobContext, WriteQueue } from '../writes/write-queue.ts';
import { createBearers } from './bearers.ts';
import { identityReads } from './identity-reads.ts';
import type { IdentityStore, IdentityWrites } from './interface.ts';
import { addLink, takeLink } from './links.ts';
import type { Author, PeopleContext } from './record-people.ts';
import { updateTeamSettings } from './team-settings.ts';
import {
  addSession,
  addToken,
  endAccess,
  endSession,
  endToken,
  removeExpired,
  replaceToken,
  touchToken,
} from './tokens.ts';
import { addFirstUser, addTeam, addUser, setPassword, setSecondFactor, updateUser } from './users.ts';

/** The queue, or a transaction under way. */
interface Writes {
  write<T>(job: (context: JobContext) => Promise<T>): Promise<T>;
}

export function identityWrites(writes: Writes, author: Author): IdentityWrites {
  const write = <T>(job: (context: PeopleContext) => Promise<T>) =>
    writes.write((context) => {
      context.touch();
      return job({ ...context, author });
    });
  return {
    addTeam: (team) => write(({ connection }) => addTeam(connection, team)),
    updateTeam: (id, valuesFor) => write((context) => updateTeamSettings(context, id, valuesFor)),
    addFirstUser: (team, user) => write((context) => addFirstUser(context, team, user)),
    addUser: (user) => write((context) => addUser(context, user)),
    addToken: (token) => write((context) => addToken(context, token)),
    addSession: (token, login) => write((context) => addSession(context, token, login)),
    endToken: (id) => write((context) => endToken(context, id)),
    endSession: (id) => write((context) => endSession(context, id)),
    updateUser: (id, values) => write((context) => updateUser(context, id, values)),
    endAccess: (userId, end) => write((context) => endAccess(context, userId, end)),
    setSecondFactor: (userId, change) => write((context) => setSecondFactor(context, userId, change)),
    addLink: (link) => write((context) => addLink(context, link)),
    takeLink: (kind, hash, nowMs) => write((context) => takeLink(context, { kind, hash, nowMs })),
    setPassword: (userId, passwordHash, end) =>
      write((context) => setPassword(context, userId, passwordHash, end)),
    replaceToken: (id, token) => write((context) => replaceToken(context, id, token)),
    touchToken: (id, atMs, expiresAtMs) =>
      write(({ connection }) => touchToken(connection, id, atMs, expiresAtMs)),
    removeExpired: (beforeMs) => write(({ connection }) => removeExpired(connection, beforeMs)),
  };
}

/** They belong to no team, so to no history. */
function edgeKeyWrites({ writeRows }: WriteQueue): Pick<IdentityStore, 'addEdgeKey' | 'endEdgeKey'> {
  return {
    addEdgeKey: ({ createdAtMs, ...key }) =>
      writeRows(async (connection) => {
        const row = { ...key, created_at: createdAtMs };
        const added = connection.insertInto('edge_key').values(row).returning('id');
        return (await added.executeTakeFirstOrThrow()).id;
      }),
    endEdgeKey: (id) =>
      writeRows(async (connection) => {
        const ended = connection.deleteFrom('edge_key').where('id', '=', id).returning('id');
        return (await ended.executeTakeFirst()) !== undefined;
      }),
  };
}

/** The log names the program itself (user 0) as author. */
export function createIdentityStore(database: Database, queue: WriteQueue, now: () => number): IdentityStore {
  const writes = identityWrites(queue, { userId: 0, now });
  return {
    ...identityReads(database.reader),
    bearer: createBearers(database),
    ...edgeKeyWrites(queue),
    ...writes,
  };
}
