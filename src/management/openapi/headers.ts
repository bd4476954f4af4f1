import { type Json, ref } from './published-schema.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const limited = 'If the server limits the requests of a token:';

const headers = {
  'Bourse-Cursor': {
    description: 'For an array in pages: send it as `Cursor` for the next page; absent on the last page',
    schema: text,
  },
  'Bourse-Total': {
    description: 'For an array in pages: the number of objects on all pages',
    schema: count,
  },
  ETag: {
    description: 'Version of the answer; for an object, its revision. For If-Match and If-None-Match',
    schema: text,
  },
  'Idempotent-Replayed': {
    description: 'The answer is the first one given for this Idempotency-Key; nothing was done again',
    schema: { ...text, const: 'true' },
  },
  RateLimit: {
    description: `${limited} the number left in this second, like "token";r=99;t=1`,
    schema: text,
  },
  'RateLimit-Policy': { description: `${limited} the limit, like "token";q=100;w=1`, schema: text },
  'RateLimit-Limit': { description: `${limited} the number allowed per second`, schema: count },
  'RateLimit-Remaining': { description: `${limited} the number left in this second`, schema: count },
  'RateLimit-Reset': { description: `${limited} the seconds until the next one begins`, schema: count },
  'Set-Cookie': {
    description: 'The session of the console: `bourse-session`, or its end',
    schema: text,
  },
  'X-Request-Id': {
    description: 'ID of the request, as in the log: the one that was sent, or a new one',
    schema: text,
  },
} as const;

type HeaderName = keyof typeof headers;

export const headerComponents: Json = headers;

export function headersNamed(...names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
}

/** To every request with a token. */
export const tokenHeaders: Json = headersNamed(
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Id',
);
