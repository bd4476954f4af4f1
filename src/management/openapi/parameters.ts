import { dryRun, type Endpoint, idempotencyOf } from '../endpoint/endpoint.ts';
import type { Parameter } from '../endpoint/parameter.ts';
import type { Json } from './published-schema.ts';

function queryParameter(name: string, { help, schema, example, isRequired }: Parameter): Json {
  return {
    name,
    in: 'query',
    description: help,
    ...(isRequired ? { required: true } : {}),
    schema,
    ...(example === undefined ? {} : { example }),
  };
}

function header(name: string, description: string, schema: Json, example: string): Json {
  return { name, in: 'header', description, schema: { type: 'string', ...schema }, example };
}

const idempotencyKey = (description: string) =>
  header(
    'Idempotency-Key',
    description,
    { minLength: 1, maxLength: 255 },
    'b7e3c9f0-6d6e-4f5a-9d6f-3b1c0f0a7e55',
  );

/** By what an `Idempotency-Key` does there. */
const idempotencyParameters: Readonly<Record<ReturnType<typeof idempotencyOf>, readonly Json[]>> = {
  once: [
    queryParameter('DryRun', dryRun),
    idempotencyKey(
      'A key that you choose, for example a UUID: the same request with the same key is done only once in 24 hours, and returns the first answer again',
    ),
  ],
  accepted: [
    queryParameter('DryRun', {
      ...dryRun,
      help: 'Accepted as in other operations, but without effect: nothing is changed anyway',
    }),
    idempotencyKey('Accepted as in other operations, but without effect: the answer is always a new one'),
  ],
  refused: [],
};

const conditions: Readonly<Record<NonNullable<Endpoint['etag']>, readonly Json[]>> = {
  answered: [],
  'If-Match': [
    header(
      'If-Match',
      'ETag of the object as you know it: 412 if somebody else has changed it since',
      { minLength: 1 },
      '"17"',
    ),
  ],
  'If-None-Match': [
    header(
      'If-None-Match',
      'ETag of the answer that you have: 304 if it is still the same',
      { minLength: 1 },
      '"17-kX3v0aQ1Zb7c"',
    ),
  ],
};

const fromConsole = {
  ...header(
    'Bourse-Console',
    'Confirms that the caller sent the cookie on purpose',
    { enum: ['1', 'poll'] },
    '1',
  ),
  required: true,
};

export function parametersOf(endpoint: Endpoint): readonly Json[] {
  const { parameters, etag, access } = endpoint;
  const own = parameters === 'ignored' ? {} : parameters;
  return [
    ...Object.entries(own).map(([name, parameter]) => queryParameter(name, parameter)),
    ...idempotencyParameters[idempotencyOf(endpoint)],
    ...(etag === undefined ? [] : conditions[etag]),
    ...(access.isForConsole ? [fromConsole] : []),
  ];
}
