import { Refusal } from '../fields/fault.ts';
import type { Bearer } from '../store/identity/interface.ts';
import type { Transaction } from '../store/interface.ts';
import type { Answer, Context, IdempotencyKey } from './context.ts';
import type { Call } from './endpoint/endpoint.ts';
import { keyHash, seal, unseal } from './sealed-answer.ts';

interface WriteAnswer extends Answer {
  readonly body: string;
  /** Whether it shows a secret of which the database keeps only a hash. */
  readonly isSecret?: boolean;
}

/** In its transaction. After an `add` it writes nothing more. */
export type WriteJob = (transaction: Transaction) => Promise<WriteAnswer>;

const replayed = { 'idempotent-replayed': 'true' };

/** One line without the body, then the body. A sealed one is base64, so without a brace. */
function serialized(key: string, { body, isSecret, ...rest }: WriteAnswer): string {
  const text = `${JSON.stringify(rest)}\n${body}`;
  return isSecret ? seal(key, text) : text;
}

function deserialized(key: string, stored: string): WriteAnswer {
  const text = stored.startsWith('{') ? stored : unseal(key, stored);
  const end = text.indexOf('\n');
  return { ...JSON.parse(text.slice(0, end)), body: text.slice(end + 1) };
}

/** Once per key; repeats its first answer (reference, "Safe repeats"). */
async function runOnce(transaction: Transaction, { key, requestHash }: IdempotencyKey, job: WriteJob) {
  const name = keyHash(key);
  const known = await transaction.recall(name);
  if (!known) {
    const answer = await job(transaction);
    await transaction.remember(name, { requestHash, answer: serialized(key, answer) });
    return answer;
  }
  if (known.requestHash !== requestHash) {
    throw new Refusal(
      'key_reused',
      'The Idempotency-Key was already used for another request, or by another user of the team; use a new one',
    );
  }
  const answer = deserialized(key, known.answer);
  return { ...answer, headers: { ...answer.headers, ...replayed } };
}

/** One transaction: once per `Idempotency-Key`, undone with `DryRun=1`. A job of many goes on after an `add`. */
export function perform(
  { store }: Pick<Context, 'store'>,
  { caller, idempotencyKey, isDryRun: dryRun }: Pick<Call<Bearer>, 'caller' | 'idempotencyKey' | 'isDryRun'>,
  job: WriteJob,
  { isOfMany = false, batchId }: { readonly isOfMany?: boolean; readonly batchId?: string } = {},
): Promise<Answer> {
  const isRepeatable = idempotencyKey !== undefined && !dryRun;
  const work: WriteJob = isRepeatable ? (transaction) => runOnce(transaction, idempotencyKey, job) : job;
  // A repeatable request does not end with `add`: its answer is stored after it.
  const actor = { ...caller, batchId };
  return store.write(actor, work, { dryRun, endsWithAdd: !isRepeatable && !isOfMany });
}
