import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { PeopleKind } from '../interface.ts';
import { type Change, recordChanges } from '../log/change-log.ts';
import type { JobContext } from '../writes/write-queue.ts';

export interface Author {
  /** 0 = the program itself. */
  readonly userId: number;
  readonly now: () => number;
}

/** Where a write goes, and who makes it. */
export type PeopleContext = Pick<JobContext, 'connection' | 'log'> & { readonly author: Author };

type PeopleChange = Pick<Change, 'id' | 'operation' | 'before' | 'after'> & { readonly kind: PeopleKind };

async function teamOf(connection: Kysely<Schema>, userId: number): Promise<number> {
  const row = connection.selectFrom('user').select('team_id').where('id', '=', userId);
  return (await row.executeTakeFirstOrThrow()).team_id;
}

/** Into the log of the user's team. */
export async function recordPeople(
  { connection, log, author: { userId, now } }: PeopleContext,
  ofUserId: number,
  { kind, ...rest }: PeopleChange,
): Promise<void> {
  const actor = { teamId: await teamOf(connection, ofUserId), userId };
  const change = { ...rest, revision: await log.take(1), entity: { key: kind, fields: {} } };
  await recordChanges({ connection, actor, now, log }, [change]);
}

/** Of something not shown, such as the password. */
export function recordWritten(context: PeopleContext, userId: number, what: string): Promise<void> {
  const values = { before: {}, after: { [what]: true } };
  return recordPeople(context, userId, { kind: 'User', id: userId, operation: 'update', ...values });
}
