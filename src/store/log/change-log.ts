import { type Kysely, sql } from 'kysely';
import type { Entity } from '../../entities/entity.ts';
import { ownMember } from '../../reference/own-member.ts';
import { type CellType, cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import type { ChangeTable, Schema } from '../database/schema.ts';
import type { Actor, LinkChange, Values } from '../interface.ts';

/** Where a transaction's changes are recorded, and on whose behalf. */
export interface LogContext {
  readonly connection: Kysely<Schema>;
  readonly actor: Actor;
  readonly now: () => number;
  readonly log: ChangeLog;
}

/** What the log must know of a kind of object. */
type LoggedKind = Pick<Entity, 'key' | 'fields' | 'owner'>;

/** One change, as the log keeps it; additions of objects are recorded where they are made (`insertion.ts`). */
export interface Change {
  readonly revision: number;
  readonly entity: LoggedKind;
  readonly id: number;
  readonly operation: 'add' | 'update' | 'activate' | 'deactivate' | 'rotate' | 'connect' | 'revoke';
  readonly before: Values | null;
  /** Of `rotate`: `true` in the place of the credential. */
  readonly after: Values;
  readonly links?: Readonly<Record<string, LinkChange>>;
}

/**
 * For each kind of object, the fields that the history must not hold, set to undefined so that JSON leaves them out.
 */
const hidden = new WeakMap<LoggedKind['fields'], Values>();

function hiddenOf({ fields }: LoggedKind): Values {
  const known = hidden.get(fields);
  if (known) return known;
  const names = Object.keys(fields).filter((name) => {
    const field = ownMember(fields, name);
    return field?.place.kind === 'secret' || field?.isConfidential;
  });
  const values = Object.fromEntries(names.map((name) => [name, undefined]));
  hidden.set(fields, values);
  return values;
}

/** JSON of field values without those that the history must not hold. */
export function logText(entity: LoggedKind, values: Values): string {
  return JSON.stringify({ ...values, ...hiddenOf(entity) });
}

/** ID of the owner among changed values; null where they hold none. */
function ownerIn({ owner }: LoggedKind, values: Values | null): unknown {
  return (owner && ownMember(values, owner.field)) ?? null;
}

/** Writes changes into the log, in the transaction that makes them. */
export async function recordChanges(
  { actor, now, log }: LogContext,
  changes: readonly Change[],
): Promise<void> {
  const time = now();
  const rows = changes.map(({ revision, entity, id, operation, before, after, links }) => [
    revision,
    time,
    actor.userId,
    actor.teamId,
    entity.key,
    id,
    operation,
    before && logText(entity, before),
    operation === 'rotate' ? JSON.stringify(after) : logText(entity, after),
    links === undefined ? null : JSON.stringify(links),
    ownerIn(entity, after),
    ownerIn(entity, before),
  ]);
  await log.write(rows);
}

interface LastRevision {
  readonly revision: number;
}

const selectLast = sql<LastRevision>`select coalesce(max(revision), 0) as revision from change`;

/** The last revision of the log, or of a team's changes; 0 where nothing has changed yet. */
export async function lastRevision(connection: Kysely<Schema>, teamId?: number): Promise<number> {
  const { rows } = await (teamId === undefined
    ? selectLast
    : sql<LastRevision>`${selectLast} where team_id = ${teamId}`
  ).execute(connection);
  return Number(rows[0]?.revision ?? 0);
}

/**
 * The log in one transaction, which holds the writers' lock: it gives out revisions, one after the other, without
 * gaps, and takes a row for each.
 */
export interface ChangeLog {
  /** Takes that many revisions, and answers the first of them. */
  readonly take: (count: number) => Promise<number>;
  /** To be called when a statement takes a revision by itself, so that the next `take` reads the last one anew. */
  readonly forget: () => void;
  /**
   * To be called after `forget`, once that revision is known and if no other can have been taken since: the next `take`
   * goes on from it, and reads nothing.
   */
  readonly took: (revision: number) => void;
  /** Writes rows, each in the order of `logColumns`, `before`, `after` and `links` as JSON. */
  readonly write: (rows: readonly (readonly unknown[])[]) => Promise<unknown>;
}

/** The columns of the log, in the order of its rows. */
const logColumns = {
  revision: 'bigint',
  time: 'bigint',
  user_id: 'bigint',
  team_id: 'bigint',
  entity: 'text',
  entity_id: 'bigint',
  operation: 'text',
  before: 'text',
  after: 'text',
  links: 'text',
  owner_id: 'bigint',
  former_owner_id: 'bigint',
} as const satisfies Partial<Record<keyof ChangeTable, CellType>>;

/** Opens the log in each transaction of a database, on its connection. */
export function createChangeLog({
  compileWrite,
  rowsIn,
}: Database): (connection: Kysely<Schema>) => ChangeLog {
  const readLast = compileWrite(selectLast);
  const columns = sql.join(Object.keys(logColumns).map((name) => sql.ref(name)));
  const cells = Object.values(logColumns).map((type, index) => cell(index, type));
  const insert = compileWrite(sql`insert into change (${columns})
    select ${sql.join(cells)} from ${rowsIn('')} where true`);
  return (connection) => {
    let last: number | undefined;
    return {
      take: async (count) => {
        last ??= Number((await readLast(connection, []))[0]?.revision);
        const first = last + 1;
        last += count;
        return first;
      },
      forget: () => {
        last = undefined;
      },
      took: (revision) => {
        last = revision;
      },
      write: (rows) => insert(connection, [JSON.stringify(rows)]),
    };
  };
}
