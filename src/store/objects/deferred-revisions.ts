import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import { inBatches } from '../database/in-batches.ts';
import type { Schema } from '../database/schema.ts';
import { tableOf } from '../database/tables.ts';

/**
 * Of objects that others newly name. Written once at the end of the job: naming an object a thousand times would
 * otherwise leave a thousand versions of its row.
 */
export interface DeferredRevisions {
  /** Their changes are in the log already. */
  add(entity: string, ids: readonly number[]): void;
  isEmpty(): boolean;
  write(): Promise<void>;
}

export function createDeferredRevisions({ idsIn }: Database, connection: Kysely<Schema>): DeferredRevisions {
  const pending = new Map<string, Set<number>>();

  async function writeLot(entity: string, ids: readonly number[]): Promise<void> {
    const table = tableOf(entity);
    await connection
      .updateTable(table)
      .set(({ selectFrom }) => ({
        revision: selectFrom('change')
          .select(({ fn }) => fn.max('revision').as('revision'))
          .where('entity', '=', entity)
          .whereRef('entity_id', '=', `${table}.id` as 'change.entity_id'),
      }))
      .where('id', 'in', idsIn(JSON.stringify(ids)))
      .execute();
  }

  return {
    add(entity, ids) {
      const known = pending.get(entity) ?? new Set();
      for (const id of ids) known.add(id);
      pending.set(entity, known);
    },
    isEmpty: () => pending.size === 0,
    async write() {
      for (const [entity, ids] of pending) {
        for await (const lot of inBatches([...ids])) await writeLot(entity, lot);
      }
      pending.clear();
    },
  };
}
