import { sql } from 'kysely';
import type { Recording } from './change-log.ts';
import type { Database } from './database.ts';
import type { Remembered, Transaction } from './interface.ts';

const rememberedMs = 24 * 60 * 60 * 1000;
/** Those that are older are not given any more, and taken out now and then. */
const purgeEveryMs = 60_000;
/** So few that the write which does it takes a few milliseconds longer: of a busy day there may be a million. */
const purgedAtOnceMax = 200;

/** Stands where a value goes each time the statement runs. */
const value = sql`${null}`;

type Part = Pick<Transaction, 'recall' | 'remember'>;

/** Makes the part of a transaction that remembers answers to requests that may come again. */
export type AnswerMemory = (context: Recording & { readonly touch: () => void }) => Part;

/** One for all transactions of a store. */
export function createAnswerMemory({ compileWrite }: Database): AnswerMemory {
  const find = compileWrite(sql<Remembered & { id: number; time: number }>`select id, time,
    request_hash as "requestHash", answer from answer where key_hash = ${value} and team_id = ${value}`);
  const forget = compileWrite(sql`delete from answer where id = ${value}`);
  const remember = compileWrite(sql`insert into answer (team_id, key_hash, request_hash, answer, time)
    values (${value}, ${value}, ${value}, ${value}, ${value})`);
  // They stand in the order of time: the first are the oldest.
  const purge = compileWrite(sql`delete from answer where id in (
    select id from (select id, time from answer order by id limit ${sql.lit(purgedAtOnceMax)}) first
    where time <= ${value}) returning id`);
  let purgedAtMs = Number.NEGATIVE_INFINITY;
  return ({ connection, actor, now, touch }) => ({
    async recall(keyHash) {
      const [found] = await find(connection, [keyHash, actor.teamId]);
      if (!found || found.time > now() - rememberedMs) return found;
      // A refusal may leave it so: it would not have been given again.
      await forget(connection, [found.id]);
      return undefined;
    },
    async remember(keyHash, { requestHash, answer }) {
      touch();
      const atMs = now();
      await remember(connection, [actor.teamId, keyHash, requestHash, answer, atMs]);
      if (atMs - purgedAtMs <= purgeEveryMs) return;
      const purged = await purge(connection, [atMs - rememberedMs]);
      // Else the next one goes on.
      if (purged.length < purgedAtOnceMax) purgedAtMs = atMs;
    },
  });
}
