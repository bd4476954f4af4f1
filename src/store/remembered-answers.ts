import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Recording } from './change-log.ts';
import type { Transaction } from './interface.ts';
import type { Schema } from './schema.ts';

const rememberedMs = 24 * 60 * 60 * 1000;
/** Those that are too old are not given any more, and taken out now and then. */
const purgeEveryMs = 60_000;

/** Stands where a value goes each time the statement runs. */
const value = sql`${null}`;

/** The statements, compiled once: they run for every request that may come again. */
function compileStatements(kysely: Kysely<Schema>) {
  const textOf = (statement: typeof value) => statement.compile(kysely).sql;
  return {
    recall: textOf(sql`select request_hash as "requestHash", answer from answer
      where team_id = ${value} and key_hash = ${value} and time > ${value}`),
    // An answer that is too old, and not yet taken out, makes room.
    remember: textOf(sql`insert into answer (team_id, key_hash, request_hash, answer, time)
      values (${value}, ${value}, ${value}, ${value}, ${value})
      on conflict (team_id, key_hash) do update
      set request_hash = excluded.request_hash, answer = excluded.answer, time = excluded.time`),
    purge: textOf(sql`delete from answer where time <= ${value}`),
  };
}

type Part = Pick<Transaction, 'recall' | 'remember'>;

/** Makes the part of a transaction that remembers answers to requests that may come again. */
export type AnswerMemory = (context: Recording & { readonly touch: () => void }) => Part;

/** One for all transactions of a store. */
export function createAnswerMemory(kysely: Kysely<Schema>): AnswerMemory {
  const statements = compileStatements(kysely);
  let purgedAtMs = Number.NEGATIVE_INFINITY;
  return ({ connection, actor, now, touch }) => {
    const run = (text: string, values: readonly unknown[]) =>
      connection.executeQuery(CompiledQuery.raw(text, [...values]));
    return {
      async recall(keyHash) {
        const { rows } = await run(statements.recall, [actor.teamId, keyHash, now() - rememberedMs]);
        return rows[0] as Awaited<ReturnType<Part['recall']>>;
      },
      async remember(keyHash, { requestHash, answer }) {
        touch();
        const atMs = now();
        if (atMs - purgedAtMs > purgeEveryMs) {
          purgedAtMs = atMs;
          await run(statements.purge, [atMs - rememberedMs]);
        }
        await run(statements.remember, [actor.teamId, keyHash, requestHash, answer, atMs]);
      },
    };
  };
}
