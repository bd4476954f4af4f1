import { Refusal } from '../fields/fault.ts';
import type { Transaction } from '../store/interface.ts';
import type { Answer, Call, Context, Repeatable } from './context.ts';
import { type QueryParameter, readNumbers } from './query.ts';
import { keyHash, seal, unseal } from './sealed-answer.ts';

/** What a POST is answered with. */
interface Written extends Answer {
  readonly body: string;
  /** Whether it shows a secret of which the database keeps only a hash. */
  readonly isSecret?: boolean;
}

/** What a POST does in its transaction, and the answer that comes of it. After an `add` it writes nothing more. */
export type WriteJob = (transaction: Transaction) => Promise<Written>;

/** The query parameters of a POST. */
export const writeParameters: readonly QueryParameter[] = [
  {
    name: 'DryRun',
    help: '1 = check everything and answer what would be stored, but change nothing',
    max: 1,
  },
];

const replayed = { 'idempotent-replayed': 'true' };

/** An answer as it is kept: all but the body in the first line. What is sealed is base64, without a brace. */
function keep(key: string, { body, isSecret, ...rest }: Written): string {
  const text = `${JSON.stringify(rest)}\n${body}`;
  return isSecret ? seal(key, text) : text;
}

function kept(key: string, stored: string): Written {
  const text = stored.startsWith('{') ? stored : unseal(key, stored);
  const end = text.indexOf('\n');
  return { ...JSON.parse(text.slice(0, end)), body: text.slice(end + 1) };
}

/**
 * Does a job once for each key: the first answer is kept with what it tells of, in the same transaction, and given
 * again. Refusals are not kept: they have changed nothing. The same key with another request, or by
 * another user, is `key_reused`.
 */
async function once(transaction: Transaction, { key, requestHash }: Repeatable, job: WriteJob) {
  const name = keyHash(key);
  const known = await transaction.recall(name);
  if (!known) {
    const answer = await job(transaction);
    await transaction.remember(name, { requestHash, answer: keep(key, answer) });
    return answer;
  }
  if (known.requestHash !== requestHash) {
    throw new Refusal(
      'key_reused',
      'The Idempotency-Key was sent before with another request, or by another user of the team; use a new one',
    );
  }
  const answer = kept(key, known.answer);
  return { ...answer, headers: { ...answer.headers, ...replayed } };
}

/** Runs what a POST does: in one transaction, once for each `Idempotency-Key`, and with `DryRun=1` for show. */
export function perform({ store }: Pick<Context, 'store'>, call: Call, job: WriteJob): Promise<Answer> {
  const { bearer, query, repeatable } = call;
  const dryRun = readNumbers(writeParameters, query).DryRun === 1;
  const isRepeatable = repeatable !== undefined && !dryRun;
  const work: WriteJob = isRepeatable ? (transaction) => once(transaction, repeatable, job) : job;
  // The answer that is kept is written after an addition.
  return store.write(bearer, work, { dryRun, endsWithAdd: !isRepeatable });
}
