import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { closest, distance } from 'fastest-levenshtein';
import type { TSchema } from 'typebox';
import { type Fault, invalid, pathOf } from '../../fields/fault.ts';
import { type Format, formats, macrosIn } from '../../fields/formats.ts';
import { ownMember } from '../../reference/own-member.ts';
import { boundItems, originalError } from './bounded-items.ts';
import { textFaults } from './text-faults.ts';

// Ajv's meta-schema is off: our `items` would read it, and knows no references.
const ajv = new Ajv({ allErrors: true, strict: true, verbose: true, meta: false, validateSchema: false });
boundItems(ajv);
for (const [name, { test }] of Object.entries(formats)) {
  ajv.addFormat(name, (value: string) => value === '' || test(value));
}
// Only for readers of the document.
ajv.addVocabulary(['x-wants', 'x-labels', 'x-section', 'x-unit', 'x-advanced', 'x-only-if']);
ajv.addKeyword({
  keyword: 'x-macros',
  type: 'string',
  schemaType: 'array',
  validate: (allowed: readonly string[], value: string) =>
    macrosIn(value).every((name) => allowed.includes(name)),
});

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return 'a number that is out of range';
    return Number.isInteger(value) ? 'an integer' : 'a number with a fraction';
  }
  return (
    ownMember({ string: 'a string', boolean: 'a boolean', object: 'an object' }, typeof value as string) ??
    'nothing'
  );
}

const nameOfType: Readonly<Record<string, string>> = {
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

/** Longer unknown names are cut in answers, and not compared. */
const nameShownMax = 64;
/** Objects with more members are refused as a whole. */
const membersMax = 1000;

function shownName(name: string): string {
  return name.length > nameShownMax ? `${name.slice(0, nameShownMax)}…` : name;
}

/** The closest known name, if it is near enough (reference, W5). */
export function suggestion(name: string, known: readonly string[]): string {
  if (name.length > nameShownMax) return '';
  const nearest = known.length === 0 ? undefined : closest(name, [...known]);
  const isNear = nearest !== undefined && distance(name, nearest) <= Math.max(2, name.length / 3);
  if (nearest === undefined) return '';
  return isNear ? `; did you mean \`${nearest}\`?` : `; the closest known one is \`${nearest}\``;
}

function knownNames({ parentSchema }: ErrorObject): string[] {
  return Object.keys((parentSchema?.properties as object | undefined) ?? {});
}

function unknownMacros({ data, params, schema }: ErrorObject): string {
  const allowed = schema as readonly string[];
  const unknown = [...new Set(macrosIn(String(data)))].filter((name) => !allowed.includes(name));
  const known = allowed.length === 0 ? 'this field takes no macros' : `known are {${allowed.join('}, {')}}`;
  return params && `contains the unknown macro {${unknown.join('}, {')}}; ${known}`;
}

type Explain = (error: ErrorObject) => Omit<Fault, 'Path'>;

const explanations: Readonly<Record<string, Explain>> = {
  required: () => ({ Code: 'required', Message: 'is required' }),
  type: ({ params, data }) => ({
    Code: 'type',
    Message: `must be ${ownMember(nameOfType, params.type) ?? params.type}, not ${kindOf(data)}`,
  }),
  additionalProperties: (error) => ({
    Code: 'unknown_field',
    Message: `is not a known field${suggestion(error.params.additionalProperty, knownNames(error))}`,
  }),
  minimum: ({ params }) => ({ Code: 'out_of_range', Message: `must be ${params.limit} or more` }),
  maximum: ({ params }) => ({ Code: 'out_of_range', Message: `must be ${params.limit} or less` }),
  enum: ({ params }) => ({
    Code: 'out_of_range',
    Message: `must be one of ${params.allowedValues.join(', ')}`,
  }),
  minLength: () => ({ Code: 'required', Message: 'must not be empty' }),
  maxLength: ({ params }) => ({
    Code: 'too_long',
    Message: `must be at most ${params.limit} characters long`,
  }),
  maxProperties: ({ params }) => ({
    Code: 'too_long',
    Message: `must have at most ${params.limit} members`,
  }),
  maxItems: ({ params }) => ({ Code: 'too_long', Message: `must have at most ${params.limit} items` }),
  format: ({ params, data }) => {
    const format: Format | undefined = formats[params.format as keyof typeof formats];
    return { Code: 'format', Message: format?.explain?.(String(data)) ?? format?.wants ?? malformed.Message };
  },
  'x-macros': (error) => ({ Code: 'macro', Message: unknownMacros(error) }),
};

const malformed = { Code: 'format', Message: 'is malformed' } as const;

function faultOf(error: ErrorObject, prefix: string): Fault {
  const found = originalError(error);
  const { params, parentSchema, keyword } = found;
  const inside = params.missingProperty ?? params.additionalProperty;
  const parts = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const Path = pathOf(prefix, ...parts, ...(inside === undefined ? [] : [shownName(inside)]));
  const { Code, Message } = ownMember(explanations, keyword)?.(found) ?? malformed;
  const wants: unknown = parentSchema?.['x-wants'];
  const isOwnWord =
    typeof wants === 'string' &&
    !['type', 'required', 'maxLength', 'maxItems', 'minLength'].includes(keyword);
  return { Path, Code, Message: isOwnWord ? wants : Message };
}

/** Paths are below `prefix`; empty if the value is right. */
export type Check = (value: unknown, prefix: string) => readonly Fault[];

/** Per path: a value of the wrong type fails other checks as well. */
function firstOfEach(faults: Iterable<Fault>): Fault[] {
  const byPath = new Map<string, Fault>();
  for (const fault of faults) if (!byPath.has(fault.Path)) byPath.set(fault.Path, fault);
  return [...byPath.values()];
}

function hasTooManyMembers(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > membersMax;
}

/** Compiled at first use, because most schemas are not used for long after a start. */
export function compileCheck(schema: TSchema): Check {
  let validate: ValidateFunction | undefined;
  return (value, prefix) => {
    if (hasTooManyMembers(value)) {
      throw invalid([{ Path: prefix, Code: 'too_long', Message: `must have at most ${membersMax} members` }]);
    }
    validate ??= ajv.compile(schema);
    const texts = textFaults(value, prefix);
    if (validate(value)) return texts;
    const errors = validate.errors ?? [];
    return firstOfEach([...errors.map((error) => faultOf(error, prefix)), ...texts]);
  };
}
