import type { QueryParameter, TextParameter } from '../input/query.ts';
import { writeParameters } from '../perform.ts';
import type { Json } from './json.ts';

/** A parameter of the query, as the document tells of it. */
export function queryParameter(parameter: QueryParameter | TextParameter): Json {
  const { name, help: description } = parameter;
  if ('schema' in parameter) {
    const { schema, example } = parameter;
    return { name, in: 'query', description, schema, example };
  }
  return { name, in: 'query', description, schema: { type: 'integer', minimum: 0, maximum: parameter.max } };
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
const ifMatch = header(
  'If-Match',
  'ETag of the object as you know it: 412 when somebody else has changed it since',
  { minLength: 1 },
  '"17"',
);

/** `If-None-Match` of a fetch of one object. */
export const ifNoneMatch = header(
  'If-None-Match',
  'ETag of the answer that you have: 304 when it is still the same',
  { minLength: 1 },
  '"17-kX3v0aQ1Zb7c"',
);

/** What a POST that adds takes beside its body. */
export const addingParameters: readonly Json[] = [
  ...writeParameters.map(queryParameter),
  idempotencyKey(
    'A key of your own, as a UUID: the same request under the same key is done once in 24 hours, and gives the first answer again',
  ),
];

/** What a POST that changes nothing takes beside its body: the same, without effect. */
export const askingParameters: readonly Json[] = [
  ...writeParameters.map((parameter) => ({
    ...queryParameter(parameter),
    description: 'Taken as by other operations, and without effect: nothing is changed anyway',
  })),
  idempotencyKey('Taken as by other operations, and without effect: the answer is always a new one'),
];

/** What a POST that changes an object takes beside its body. */
export const changingParameters: readonly Json[] = [...addingParameters, ifMatch];
