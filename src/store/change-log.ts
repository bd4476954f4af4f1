import { type Kysely, sql } from 'kysely';
import type { Entity } from '../entities/entity.ts';
import type { Actor, Links, Values } from './interface.ts';
import type { Schema } from './schema.ts';

/** Where a transaction's changes are recorded, and on whose behalf. */
export interface Recording {
  readonly connection: Kysely<Schema>;
  readonly actor: Actor;
  readonly now: () => number;
  readonly revisions: Revisions;
}

/** What the log must know of a kind of object. */
type Logged = Pick<Entity, 'key' | 'fields'>;

/** One change, as the log keeps it; additions of objects are recorded where they are made (`insertion.ts`). */
export interface Change {
  readonly revision: number;
  readonly entity: Logged;
  readonly id: number;
  readonly operation: 'add' | 'update' | 'activate' | 'deactivate' | 'connect' | 'revoke';
  readonly before: Values | null;
  readonly after: Values;
  readonly links?: Readonly<Record<string, Links>>;
}

const rowsPerStatement = 500;

/** JSON of field values without those that the history must not hold. */
export function logText(entity: Logged, values: Values): string {
  const shown = Object.fromEntries(
    Object.entries(values).filter(([name]) => {
      const field = entity.fields[name];
      return field?.place.kind !== 'secret' && !field?.isConfidential;
    }),
  );
  return JSON.stringify(shown);
}

/** Writes changes into the log, in the transaction that makes them. */
export async function record(
  { connection, actor, now }: Recording,
  changes: readonly Change[],
): Promise<void> {
  const time = now();
  for (let from = 0; from < changes.length; from += rowsPerStatement) {
    const rows = changes.slice(from, from + rowsPerStatement).map((change) => ({
      revision: change.revision,
      time,
      user_id: actor.userId,
      team_id: actor.teamId,
      entity: change.entity.key,
      entity_id: change.id,
      operation: change.operation,
      before: change.before && logText(change.entity, change.before),
      after: logText(change.entity, change.after),
      links: change.links === undefined ? null : JSON.stringify(change.links),
    }));
    await connection.insertInto('change').values(rows).execute();
  }
}

/** The last revision of the log; 0 where nothing has changed yet. */
export async function lastRevision(connection: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{
    revision: number;
  }>`select coalesce(max(revision), 0) as revision from change`.execute(connection);
  return Number(rows[0]?.revision ?? 0);
}

/** Gives out the revisions of one transaction, which holds the writers' lock: one after the other, without gaps. */
export interface Revisions {
  /** Takes that many revisions, and answers the first of them. */
  readonly take: (count: number) => Promise<number>;
  /** To be called when a statement takes one by itself. */
  readonly forget: () => void;
}

/** `Revisions` on the connection of the transaction. */
export function createRevisions(connection: Kysely<Schema>): Revisions {
  let last: number | undefined;
  return {
    take: async (count) => {
      last ??= await lastRevision(connection);
      const first = last + 1;
      last += count;
      return first;
    },
    forget: () => {
      last = undefined;
    },
  };
}
