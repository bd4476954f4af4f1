import { sql } from 'kysely';
import type { Database } from './database/database.ts';
import type { RememberedAnswer, Transaction } from './interface.ts';
import type { LogContext } from './log/change-log.ts';

const rememberedMs = 24 * 60 * 60 * 1000;
/** Answers older than `rememberedMs` are deleted about once a minute. */
const purgeEveryMs = 60_000;
/** A busy day may leave a million old answers; this many delay a write by only a few milliseconds. */
const purgedAtOnceMax = 200;

/** Placeholder for each run's value. */
const value = sql`${null}`;

type Part = Pick<Transaction, 'recall' | 'remember'>;

/** Remembers answers to requests that may be repeated. */
export type AnswerMemory = (context: LogContext & { readonly touch: () => void }) => Part;

/** For all transactions of a store. */
export function createAnswerMemory({ compileWrite }: Database): AnswerMemory {
  const find = compileWrite(sql<RememberedAnswer & { id: number; time: number }>`select id, time,
    request_hash as "requestHash", answer from answer where key_hash = ${value} and team_id = ${value}`);
  const forget = compileWrite(sql`delete from answer where id = ${value}`);
  const remember = compileWrite(sql`insert into answer (team_id, key_hash, request_hash, answer, time)
    values (${value}, ${value}, ${value}, ${value}, ${value})`);
  // IDs are in the order of time: the first rows are the oldest.
  const purge = compileWrite(sql`delete from answer where id in (
    select id from (select id, time from answer order by id limit ${sql.lit(purgedAtOnceMax)}) first
    where time <= ${value}) returning id`);
  let purgedAtMs = Number.NEGATIVE_INFINITY;
  return ({ connection, actor, now, touch }) => ({
    async recall(keyHash) {
      const [found] = await find(connection, [keyHash, actor.teamId]);
      if (!found || found.time > now() - rememberedMs) return found;
      // No `touch`: the deletion may stay if the job is refused, because the answer would not be given again.
      await forget(connection, [found.id]);
      return undefined;
    },
    async remember(keyHash, { requestHash, answer }) {
      touch();
      const atMs = now();
      await remember(connection, [actor.teamId, keyHash, requestHash, answer, atMs]);
      if (atMs - purgedAtMs <= purgeEveryMs) return;
      const purged = await purge(connection, [atMs - rememberedMs]);
      // More may be left: the next write goes on.
      if (purged.length < purgedAtOnceMax) purgedAtMs = atMs;
    },
  });
}
