import type { Recording } from './change-log.ts';
import type { Transaction } from './interface.ts';

const rememberedMs = 24 * 60 * 60 * 1000;

/** The part of a transaction that remembers answers to requests that may come again. */
export function rememberedAnswers(
  context: Recording & { readonly touch: () => void },
): Pick<Transaction, 'recall' | 'remember'> {
  const { connection, actor, now, touch } = context;
  return {
    recall: (keyHash) =>
      connection
        .selectFrom('answer')
        .select(['request_hash as requestHash', 'answer'])
        .where('team_id', '=', actor.teamId)
        .where('key_hash', '=', keyHash)
        .where('time', '>', now() - rememberedMs)
        .executeTakeFirst(),
    async remember(keyHash, { requestHash, answer }) {
      touch();
      await connection
        .deleteFrom('answer')
        .where('time', '<=', now() - rememberedMs)
        .execute();
      await connection
        .insertInto('answer')
        .values({ team_id: actor.teamId, key_hash: keyHash, request_hash: requestHash, answer, time: now() })
        .execute();
    },
  };
}
