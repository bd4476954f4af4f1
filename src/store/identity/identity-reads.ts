import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { IdentityStore } from './interface.ts';
import { linkOf, sessionOf, teamOf, tokenOf, userOf } from './rows.ts';
import { settingsOf, teamSettings } from './team-settings.ts';

export const hasUsers = async (connection: Kysely<Schema>) =>
  (await connection.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined;

/** In order of ID; of one user if given. */
function tokensOf(reader: Kysely<Schema>, teamId: number, userId: number | undefined) {
  const ofTeam = reader
    .selectFrom('token')
    .innerJoin('user', 'user.id', 'token.user_id')
    .selectAll('token')
    .where('user.team_id', '=', teamId)
    .orderBy('token.id');
  return userId === undefined ? ofTeam : ofTeam.where('user.id', '=', userId);
}

export function identityReads(reader: Kysely<Schema>) {
  return {
    isEmpty: async () => !(await hasUsers(reader)),
    async team(id) {
      const row = await reader.selectFrom('team').selectAll().where('id', '=', id).executeTakeFirst();
      return row && teamOf(row);
    },
    teamSettings: (id) => teamSettings(reader, id),
    async allTeamSettings() {
      const rows = await reader.selectFrom('team_setting').selectAll().execute();
      return new Map(rows.map((row) => [row.team_id, settingsOf(row)]));
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
    async edgeKeys() {
      const rows = await reader.selectFrom('edge_key').selectAll().orderBy('id').execute();
      return rows.map(({ created_at: createdAt, ...row }) => ({ ...row, createdAtMs: Number(createdAt) }));
    },
    async users(teamId) {
      const query = reader.selectFrom('user').selectAll().where('team_id', '=', teamId).orderBy('id');
      return (await query.execute()).map(userOf);
    },
    async link(kind, hash, nowMs) {
      const query = reader.selectFrom('link').selectAll().where('hash', '=', hash).where('kind', '=', kind);
      const row = await query.where('expires_at', '>', nowMs).executeTakeFirst();
      return row && linkOf(row);
    },
    async isKnownNetwork(userId, network, sinceMs) {
      const known = reader.selectFrom('known_network').select('user_id').where('user_id', '=', userId);
      const row = await known
        .where('network', '=', network)
        .where('seen_at', '>', sinceMs)
        .executeTakeFirst();
      return row !== undefined;
    },
    async tokenHash(id) {
      const row = await reader.selectFrom('token').select('hash').where('id', '=', id).executeTakeFirst();
      return row?.hash;
    },
    async sessions(teamId, userId, nowMs) {
      const sessions = tokensOf(reader, teamId, userId).where('token.label', 'is', null);
      return (await sessions.where('token.expires_at', '>', nowMs).execute()).map(sessionOf);
    },
    async apiKeys(teamId, userId) {
      const keys = tokensOf(reader, teamId, userId).where('token.label', 'is not', null);
      return (await keys.execute()).map(tokenOf);
    },
  } satisfies Partial<IdentityStore>;
}
