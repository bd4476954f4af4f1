import { type Format, type FormatName, formats } from '../../fields/formats.ts';
import { ownMember } from '../../reference/own-member.ts';

/** OpenAPI 3.1. */
export type Json = Readonly<Record<string, unknown>>;

export function ref(kind: 'schemas' | 'responses' | 'headers', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

type Publish = (schema: object) => Json;

const each = (value: unknown, publish: Publish) => (value as readonly object[]).map(publish);
const eachMember = (value: unknown, publish: Publish) =>
  Object.fromEntries(Object.entries(value as object).map(([name, schema]) => [name, publish(schema)]));
const one = (value: unknown, publish: Publish) =>
  typeof value === 'object' && value !== null ? publish(value) : value;

const holders: Readonly<Record<string, (value: unknown, publish: Publish) => unknown>> = {
  properties: eachMember,
  patternProperties: eachMember,
  items: one,
  not: one,
  additionalProperties: one,
  propertyNames: one,
  oneOf: each,
  anyOf: each,
  allOf: each,
};

const internal: readonly string[] = ['x-wants', 'x-macros', 'x-labels'];

function withTitles(schema: Json): Json {
  const { 'x-labels': labels, enum: values, type, ...rest } = schema;
  if (labels === undefined) return schema;
  if (!Array.isArray(values)) return { type, ...rest, 'x-titles': labels };
  // The values say their type.
  return {
    ...rest,
    oneOf: values.map((value) => ({ const: value, title: ownMember(labels as Json, value) })),
  };
}

/** Only the pattern is published: no standard format accepts exactly the same. */
function withPattern(schema: Json): Json {
  const { format, ...rest } = schema;
  if (typeof format !== 'string' || !Object.hasOwn(formats, format)) return schema;
  const { pattern }: Format = formats[format as FormatName];
  return { ...rest, 'x-format': format, ...(pattern === undefined ? {} : { pattern }) };
}

/** `publish` does the same for schemas inside it. */
export function publishedSchema(schema: Json, publish: Publish): Json {
  const rows = Object.entries(withPattern(withTitles(schema))).flatMap(([keyword, value]) => {
    if (internal.includes(keyword)) return [];
    const publishValue = Object.hasOwn(holders, keyword) ? holders[keyword] : undefined;
    return [[keyword, publishValue ? publishValue(value, publish) : value]];
  });
  return Object.fromEntries(rows);
}
