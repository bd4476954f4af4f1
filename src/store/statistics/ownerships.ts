import { type Kysely, sql } from 'kysely';
import { entities } from '../../entities/registry.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { tableName } from '../database/tables.ts';
import type { Ownership, OwnershipOf } from './count-rows.ts';
import type { ObjectKey } from './interface.ts';

const owners = new Map(entities.flatMap(({ key, owner }) => (owner ? [[key, owner.entity] as const] : [])));
const objectKeyText = ({ kind, id }: ObjectKey) => `${kind}:${id}`;

/** As of now: counts stay with the accounts when an object moves. */
export async function ownershipsOf(
  database: Pick<Database, 'idsIn'>,
  connection: Kysely<Schema>,
  objects: readonly ObjectKey[],
): Promise<OwnershipOf> {
  const found = new Map<string, Ownership>();
  const idsByKind = new Map<string, Set<number>>();
  for (const { kind, id } of objects) idsByKind.set(kind, (idsByKind.get(kind) ?? new Set()).add(id));
  for (const [kind, ids] of idsByKind) {
    const owner = owners.get(kind);
    if (owner === undefined) continue;
    const { rows } = await sql<{ id: number; team_id: number; owner_id: number | null }>`
      select id, team_id, owner_id from ${sql.table(tableName(kind))}
      where id in ${database.idsIn(JSON.stringify([...ids]))}`.execute(connection);
    for (const { id, team_id: teamId, owner_id } of rows) {
      const account = owner_id === null ? undefined : { kind: owner, id: owner_id };
      found.set(objectKeyText({ kind, id }), { teamId, account });
    }
  }
  return (object) => found.get(objectKeyText(object));
}
