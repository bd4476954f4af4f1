import { type Json, ref } from './published-schema.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const limited = 'Where the server limits the requests of a token:';

const headers = {
  'Bourse-Cursor': {
    description: 'Of an array by page: send it as `Cursor` for the next page; absent on the last one',
    schema: text,
  },
  'Bourse-Total': {
    description: 'Of an array by page: how many there are on all pages',
    schema: count,
  },
  ETag: {
    description: 'Version of the answer, of an object its revision; for If-Match and If-None-Match',
    schema: text,
  },
  'Idempotent-Replayed': {
    description: 'The answer is the one that was given first to this Idempotency-Key; nothing was done again',
    schema: { ...text, const: 'true' },
  },
  RateLimit: {
    description: `${limited} how many are left in this second, as "token";r=99;t=1`,
    schema: text,
  },
  'RateLimit-Policy': { description: `${limited} the limit, as "token";q=100;w=1`, schema: text },
  'RateLimit-Limit': { description: `${limited} how many it may make in a second`, schema: count },
  'RateLimit-Remaining': { description: `${limited} how many are left in this second`, schema: count },
  'RateLimit-Reset': { description: `${limited} seconds until the next second begins`, schema: count },
  'Set-Cookie': {
    description: 'The session of the console: `bourse-session`, or its end',
    schema: text,
  },
  'X-Request-Id': {
    description: 'ID of the request, as the log has it: the one that was sent, or a new one',
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
