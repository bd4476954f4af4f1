import type { components } from './generated/schema.d.ts';

/** One fault of a refused request: where, which kind, and what would be right. */
export type Fault = NonNullable<components['schemas']['Failure']['Errors']>[number];

/** A call that the exchange refused, or could not serve. */
export class BourseError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** Every fault of the request, where it has such. */
  readonly faults: readonly Fault[];

  constructor(status: number, failure: Partial<components['schemas']['Failure']> | undefined) {
    super(failure?.Error ?? `HTTP status ${status}`);
    this.name = 'BourseError';
    this.status = status;
    this.faults = failure?.Errors ?? [];
  }
}

/** What a call of the client comes to: `data` or `error`, never both. */
type Outcome<T> = { readonly data?: T; readonly error?: unknown; readonly response: Response };

/** The body of a call that succeeds. Rejects with `BourseError` when it fails. */
export async function answerOf<T>(call: Promise<Outcome<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (data !== undefined && data !== null) return data;
  throw new BourseError(response.status, typeof error === 'object' ? (error ?? undefined) : undefined);
}

/** The object of a fetch with `Id`. Rejects with `BourseError` when it fails. */
export async function objectOf<T>(
  call: Promise<Outcome<T>>,
): Promise<Exclude<NonNullable<T>, readonly unknown[]>> {
  const answer = await answerOf(call);
  if (Array.isArray(answer)) throw new TypeError('the answer is an array; fetch with an Id for one object');
  return answer as Exclude<NonNullable<T>, readonly unknown[]>;
}

/** The array of a fetch without `Id`. Rejects with `BourseError` when it fails. */
export async function arrayOf<T>(
  call: Promise<Outcome<T>>,
): Promise<Extract<NonNullable<T>, readonly unknown[]>> {
  const answer = await answerOf(call);
  if (!Array.isArray(answer))
    throw new TypeError('the answer is one object; fetch without an Id for an array');
  return answer as Extract<NonNullable<T>, readonly unknown[]>;
}
