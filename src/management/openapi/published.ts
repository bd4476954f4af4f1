import type { Json } from './json.ts';

type Publish = (schema: object) => Json;

const each = (value: unknown, publish: Publish) => (value as readonly object[]).map(publish);
const eachMember = (value: unknown, publish: Publish) =>
  Object.fromEntries(Object.entries(value as object).map(([name, schema]) => [name, publish(schema)]));
const one = (value: unknown, publish: Publish) =>
  typeof value === 'object' && value !== null ? publish(value) : value;

/** Keywords of JSON Schema that hold schemas. */
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

/** A schema as the document shows it; `publish` does the same for those inside it. */
export function published(schema: Json, publish: Publish): Json {
  const rows = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    Object.hasOwn(holders, keyword) ? holders[keyword]?.(value, publish) : value,
  ]);
  return Object.fromEntries(rows);
}
