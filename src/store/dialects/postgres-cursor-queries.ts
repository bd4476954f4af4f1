import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { createSemaphore } from './semaphore.ts';

/** Read within a few milliseconds. */
const rowsPerPart = 1000;
/** For each sort (PostgreSQL, `work_mem`): half a million rows stay in memory. */
const sortMemory = '32MB';

/**
 * By cursors (PostgreSQL, "DECLARE"): only two parts are here, the one that is read and the next. Each holds a pool
 * connection, so `queriesMax` at a time.
 */
export function createCursorQueries(kysely: Kysely<Schema>, queriesMax: number): Database['streamLongQuery'] {
  const enter = createSemaphore(queriesMax);
  return async function* aside(text, values) {
    const leave = await enter();
    try {
      const transaction = await kysely.startTransaction().setAccessMode('read only').execute();
      const run = async (statement: string, parameters: readonly unknown[] = []) =>
        (await transaction.executeQuery<object>(CompiledQuery.raw(statement, [...parameters]))).rows;
      const fetch = () => {
        const rows = run(`fetch ${rowsPerPart} from part`);
        // Who reads on gets the error.
        rows.catch(() => undefined);
        return rows;
      };
      let next: Promise<object[]> | undefined;
      try {
        await run(`set local work_mem = '${sortMemory}'`);
        await run(`declare part no scroll cursor for ${text}`, values);
        next = fetch();
        for (let isLast = false; !isLast; ) {
          const rows: readonly object[] = (await next) ?? [];
          isLast = rows.length < rowsPerPart;
          next = isLast ? undefined : fetch();
          if (rows.length > 0) yield rows.map((row) => Object.values(row));
        }
      } finally {
        await next?.catch(() => undefined);
        await transaction.rollback().execute();
      }
    } finally {
      leave();
    }
  };
}
