import { type Kysely, sql } from 'kysely';
import type { Entity } from '../../entities/entity.ts';
import { ownMember } from '../../reference/own-member.ts';
import { type CellType, cell } from '../database/cell.ts';
import type { Database } from '../database/database.ts';
import type { ChangeTable, Schema } from '../database/schema.ts';
import type { Actor, LinkChange, Values } from '../interface.ts';

export interface LogContext {
  readonly connection: Kysely<Schema>;
  readonly actor: Actor;
  readonly now: () => number;
  readonly log: ChangeLog;
}

type LoggedKind = Pick<Entity, 'key' | 'fields' | 'owner'>;

/** Additions of objects are recorded where they are made (`insertion.ts`). */
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

/** Fields that the history must not hold, by kind, set to undefined so that JSON leaves them out. */
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

/** JSON, without what the history must not hold. */
export function logText(entity: LoggedKind, values: Values): string {
  return JSON.stringify({ ...values, ...hiddenOf(entity) });
}

/** Null if they hold none. */
function ownerIn({ owner }: LoggedKind, values: Values | null): unknown {
  return (owner && ownMember(values, owner.field)) ?? null;
}

/** In the transaction that makes them. */
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
    actor.batchId ?? null,
  ]);
  await log.write(rows);
}

interface LastRevision {
  readonly revision: number;
}

const selectLast = sql<LastRevision>`select coalesce(max(revision), 0) as revision from change`;

/** Of the installation or a team; 0 = nothing has changed yet. */
export async function lastRevision(connection: Kysely<Schema>, teamId?: number): Promise<number> {
  const { rows } = await (teamId === undefined
    ? selectLast
    : sql<LastRevision>`${selectLast} where team_id = ${teamId}`
  ).execute(connection);
  return Number(rows[0]?.revision ?? 0);
}

/** Of one transaction with the writers' lock: gives out revisions in order, without gaps, and takes a row for each. */
export interface ChangeLog {
  /** Returns the first of `count` revisions. */
  readonly take: (count: number) => Promise<number>;
  /** To be called when a statement takes a revision by itself: the next `take` reads the last one again. */
  readonly forget: () => void;
  /** After `forget`, once that revision is known and no other can have been taken: the next `take` need not read. */
  readonly took: (revision: number) => void;
  /** In the order of `logColumns`, with `before`, `after` and `links` as JSON. */
  readonly write: (rows: readonly (readonly unknown[])[]) => Promise<unknown>;
}

/** In the order of rows. */
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
  batch_id: 'text',
} as const satisfies Partial<Record<keyof ChangeTable, CellType>>;

/** On the transaction's connection. */
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
