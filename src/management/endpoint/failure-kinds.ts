import { type TSchema, Type } from 'typebox';
import { type Fault, invalid, Refusal } from '../../fields/fault.ts';
import { errorBody, statusOf } from '../http/errors.ts';

type OwnHeaders = Readonly<Record<string, { readonly description: string; readonly schema: TSchema }>>;

const retryAfter: OwnHeaders = {
  'Retry-After': {
    description: 'Seconds after which to try again',
    schema: Type.Integer({ minimum: 1 }),
  },
};
const wwwAuthenticate: OwnHeaders = {
  'WWW-Authenticate': {
    description: 'The scheme of the token',
    schema: Type.Literal('Bearer', { type: 'string' }),
  },
};

export interface FailureKind {
  readonly status: number;
  readonly description: string;
  readonly headers: OwnHeaders;
  readonly example: object;
}

function refused(refusal: Refusal, description: string, headers: OwnHeaders = {}): FailureKind {
  return { status: statusOf(refusal), description, headers, example: errorBody(refusal) };
}

const outOfRange: Fault = { Path: 'VastTag.MaxQps', Code: 'out_of_range', Message: 'must be 0 or more' };

/** By status (reference, W8). */
export const failureKinds = {
  NotJson: refused(
    new Refusal('not_json', 'The body is empty; send a JSON object'),
    'The body is empty or not JSON.',
  ),
  Unauthorized: refused(
    new Refusal('unauthorized', 'The access token is invalid, has expired or was ended'),
    'The access token, or the pair of mail and password, is invalid.',
    wwwAuthenticate,
  ),
  Forbidden: refused(
    new Refusal(
      'forbidden',
      'Your role is read-only; ask an administrator of your team for the role of a manager',
    ),
    'The role of the user, or the kind of token, does not allow it.',
  ),
  Invalid: refused(
    invalid([outOfRange]),
    'Values are missing or malformed, or an object was not found. All faults are reported together.',
  ),
  ChangedMeanwhile: refused(
    new Refusal('changed_meanwhile', 'The object has changed since it was fetched; fetch it again and retry'),
    'The object is no longer in the version that If-Match names.',
  ),
  TooLarge: refused(
    new Refusal('too_large', 'The request body is too large'),
    'The body is larger than 1 MiB, or than 64 MiB if it is a list or a configuration; or it contains too much JSON outside quoted texts.',
  ),
  KeyReused: refused(
    new Refusal(
      'key_reused',
      'The Idempotency-Key was already used for another request, or by another user of the team; use a new one',
    ),
    'The Idempotency-Key was already used for another request, or by another user of the team.',
  ),
  TooMany: refused(
    new Refusal('too_many', 'Too many failed logins; try again in 60 seconds', { retryAfterSeconds: 60 }),
    'Too many attempts; wait as long as Retry-After says.',
    retryAfter,
  ),
  ServerError: {
    status: 500,
    description: 'A problem on the server; try again later.',
    headers: {},
    example: { Status: 'Error', Error: 'A problem on the server; please try again later' },
  },
  Unavailable: refused(
    new Refusal('unavailable', 'The server is shutting down', { retryAfterSeconds: 2 }),
    'The server is shutting down or overloaded, or is busy with too many large bodies; wait as long as Retry-After says.',
    retryAfter,
  ),
} satisfies Readonly<Record<string, FailureKind>>;

export type FailureName = keyof typeof failureKinds;
