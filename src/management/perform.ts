import { Refusal } from '../fields/fault.ts';
import type { Bearer } from '../store/identity/interface.ts';
import type { Transaction } from '../store/interface.ts';
import type { Answer, Context, Repeatable } from './context.ts';
import type { Call } from './endpoint/endpoint.ts';
import { keyHash, seal, unseal } from './sealed-answer.ts';

/** What a POST is answered with. */
interface Written extends Answer {
  readonly body: string;
  /** Whether it shows a secret of which the database keeps only a hash. */
  readonly isSecret?: boolean;
}

/** What a POST does in its transaction, and the answer that comes of it. After an `add` it writes nothing more. */
export type WriteJob = (transaction: Transaction) => Promise<Written>;

const replayed = { 'idempotent-replayed': 'true' };

/**
 * An answer as it is kept: everything but the body in the first line, then the body. A sealed answer is base64, so it
 * does not begin with a brace.
 */
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
 * Does a job once for each key. The first answer is kept in the transaction of the changes that it reports, and is
 * given again. Refusals are not kept, as they have changed nothing. Refuses the same key with another request, or by
 * another user, with `key_reused`.
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

/**
 * Runs what a POST does: in one transaction, once for each `Idempotency-Key`, and undone at the end with `DryRun=1`.
 */
export function perform(
  { store }: Pick<Context, 'store'>,
  { caller, repeatable, isDryRun: dryRun }: Pick<Call<Bearer>, 'caller' | 'repeatable' | 'isDryRun'>,
  job: WriteJob,
): Promise<Answer> {
  const isRepeatable = repeatable !== undefined && !dryRun;
  const work: WriteJob = isRepeatable ? (transaction) => once(transaction, repeatable, job) : job;
  // A repeatable request does not end with `add`: after it, the answer is stored.
  return store.write(caller, work, { dryRun, endsWithAdd: !isRepeatable });
}
