import { Type } from 'typebox';
import { invalid, Refusal } from '../../fields/fault.ts';
import { errorBody, statusOf } from '../http/errors.ts';
import { tokenHeaders } from './headers.ts';
import { type Json, jsonContent, ref } from './json.ts';

/** A kind of failed answer, by the name of its component. */
export type Failure = keyof typeof failures;

const fault = Type.Object(
  {
    Path: Type.String({
      description: 'Path of the value, as VastTag.Countries[1].CC; "" = the whole request',
    }),
    Code: Type.String({ description: 'Kind of fault, as out_of_range' }),
    Message: Type.String({ description: 'What would be right' }),
  },
  { additionalProperties: false },
);

/** Body of every failed answer (specification 7; decisions W7). */
export const failureSchema = Type.Object(
  {
    Status: Type.Literal('Error', { type: 'string', description: 'The call has failed' }),
    Error: Type.String({ description: 'Why, in one readable text' }),
    Errors: Type.Optional(
      Type.Array(fault, { description: 'Every fault of the request, where it has such' }),
    ),
  },
  { additionalProperties: false, description: 'Body of every failed answer' },
);

const retryAfter = {
  'Retry-After': { description: 'Seconds after which to try again', schema: { type: 'integer', minimum: 1 } },
};
const wwwAuthenticate = {
  'WWW-Authenticate': { description: 'The scheme of the token', schema: { type: 'string', const: 'Bearer' } },
};

function refused(refusal: Refusal, description: string, headers: Json = {}) {
  return { status: statusOf(refusal), description, headers, example: errorBody(refusal) };
}

const outOfRange = { Path: 'VastTag.MaxQps', Code: 'out_of_range', Message: 'must be 0 or more' };

/** Every kind of failed answer, in order of status (specification 7; decisions W8). */
const failures = {
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
      'Your role lets you read only; ask an administrator of your team for the role of a manager',
    ),
    'The role of the user, or the kind of token, does not allow it.',
  ),
  Invalid: refused(
    invalid([outOfRange]),
    'Values are missing or malformed, or an object was not found. Every fault is told at once.',
  ),
  ChangedMeanwhile: refused(
    new Refusal(
      'changed_meanwhile',
      'The object was changed since it was fetched; fetch it again and repeat',
    ),
    'The object is no longer the one that If-Match names.',
  ),
  TooLarge: refused(
    new Refusal('too_large', 'The request body is too large'),
    'The body is larger than 1 MiB, or 64 MiB where it carries a list or a configuration; or holds too much beside its quoted texts.',
  ),
  KeyReused: refused(
    new Refusal(
      'key_reused',
      'The Idempotency-Key was sent before with another request, or by another user of the team; use a new one',
    ),
    'The Idempotency-Key was sent before, with another request or by another user of the team.',
  ),
  TooMany: refused(
    new Refusal('too_many', 'Too many failed logins; try again in 60 seconds', { retryAfterSeconds: 60 }),
    'Too many tries; wait as long as Retry-After says.',
    retryAfter,
  ),
  ServerError: {
    status: 500,
    description: 'A problem on the side of the server; try again later.',
    headers: {},
    example: { Status: 'Error', Error: 'A problem on our side; please try again later' },
  },
  Unavailable: refused(
    new Refusal('unavailable', 'The server is shutting down', { retryAfterSeconds: 2 }),
    'The server is shutting down or overloaded, or has too many large bodies in work; wait as long as Retry-After says.',
    retryAfter,
  ),
} as const;

/** The document's components of failed answers. */
export function failureComponents(): Json {
  const rows = Object.entries(failures).map(([name, { description, headers, example }]) => [
    name,
    {
      description,
      headers: { ...headers, ...tokenHeaders },
      content: jsonContent(ref('schemas', 'Failure'), { example }),
    },
  ]);
  return Object.fromEntries(rows);
}

/** The failed responses that an operation may give, by status. */
export function failureResponses(names: readonly Failure[]): Json {
  return Object.fromEntries(names.map((name) => [failures[name].status, ref('responses', name)]));
}
