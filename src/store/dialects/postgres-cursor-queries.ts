import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { createSemaphore } from './semaphore.ts';

/** Read within a millisecond. */
const rowsPerPart = 250;
/** By cursors (PostgreSQL, "DECLARE"): only a part is here. Each holds a pool connection, so `queriesMax` at a time. */
export function createCursorQueries(kysely: Kysely<Schema>, queriesMax: number): Database['streamLongQuery'] {
  const enter = createSemaphore(queriesMax);
  return async function* aside(text, values) {
    const leave = await enter();
    try {
      const transaction = await kysely.startTransaction().setAccessMode('read only').execute();
      const run = async (statement: string, parameters: readonly unknown[] = []) =>
        (await transaction.executeQuery<object>(CompiledQuery.raw(statement, [...parameters]))).rows;
      try {
        await run(`declare part no scroll cursor for ${text}`, values);
        for (;;) {
          const rows = await run(`fetch ${rowsPerPart} from part`);
          if (rows.length > 0) yield rows.map((row) => Object.values(row));
          if (rows.length < rowsPerPart) return;
        }
      } finally {
        await transaction.rollback().execute();
      }
    } finally {
      leave();
    }
  };
}
