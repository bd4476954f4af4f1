import fc from 'fast-check';
import type { Json } from '../openapi/document.ts';
import { formatValues } from './format-values.ts';

/** What schemas are made into values with. */
export interface Making {
  /** The schema that a `$ref` names. */
  readonly resolve: (reference: string) => Json;
  /** Values of a member of that name, where more is known of them than their schema says. */
  readonly named: (name: string, schema: Json) => fc.Arbitrary<unknown> | undefined;
}

const itemsMade = 3;
const charactersMade = 24;
const anything = fc.jsonValue({ maxDepth: 2 });

const schemasIn = (value: unknown) => (Array.isArray(value) ? value : []) as Json[];
const numberIn = (value: unknown, standard: number) => (typeof value === 'number' ? value : standard);

function stringValues(schema: Json): fc.Arbitrary<string> {
  const minLength = numberIn(schema.minLength, 0);
  const maxLength = Math.min(numberIn(schema.maxLength, charactersMade), charactersMade);
  const format = schema['x-format'] ?? schema.format;
  const ofFormat = typeof format === 'string' ? formatValues(format) : undefined;
  if (ofFormat)
    return minLength > 0 ? ofFormat : fc.oneof({ weight: 6, arbitrary: ofFormat }, fc.constant(''));
  if (typeof schema.pattern === 'string') {
    const longest = numberIn(schema.maxLength, Number.POSITIVE_INFINITY);
    return fc
      .stringMatching(new RegExp(schema.pattern, 'u'))
      .filter(({ length }) => length >= minLength && length <= longest);
  }
  const text = fc.string({ unit: 'grapheme', minLength, maxLength });
  return text.map((made) => made.toWellFormed().replaceAll('\0', '0'));
}

function integerValues(schema: Json): fc.Arbitrary<number> {
  const min = Math.max(
    numberIn(schema.minimum, Number.MIN_SAFE_INTEGER),
    numberIn(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY) + 1,
  );
  const max = Math.min(
    numberIn(schema.maximum, Number.MAX_SAFE_INTEGER),
    numberIn(schema.exclusiveMaximum, Number.POSITIVE_INFINITY) - 1,
  );
  return fc.oneof(fc.integer({ min, max: Math.min(max, min + 20) }), fc.integer({ min, max }));
}

function numberValues(schema: Json): fc.Arbitrary<number> {
  const range = { min: numberIn(schema.minimum, -1e9), max: numberIn(schema.maximum, 1e9) };
  // No value below what decimals of money and percentages keep: JSON would write them with an exponent.
  const decimal = fc.double({ ...range, noNaN: true }).map((value) => Math.round(value * 1e4) / 1e4);
  return fc.oneof(decimal, fc.constantFrom(range.min, range.max), fc.double({ ...range, noNaN: true }));
}

function arrayValues(schema: Json, making: Making): fc.Arbitrary<unknown[]> {
  const minLength = numberIn(schema.minItems, 0);
  const maxLength = Math.max(minLength, Math.min(numberIn(schema.maxItems, itemsMade), itemsMade));
  return fc.array(schemaValues((schema.items ?? {}) as Json, making), { minLength, maxLength });
}

/** Members whose names a pattern tells. */
function patternMembers(schema: Json, making: Making): fc.Arbitrary<object>[] {
  const named = Object.entries((schema.patternProperties ?? {}) as Record<string, Json>);
  return named.map(([pattern, value]) => {
    const names = fc.stringMatching(new RegExp(pattern, 'u'), { size: 'xsmall' });
    return fc.dictionary(names, schemaValues(value, making), { maxKeys: itemsMade });
  });
}

function objectValues(schema: Json, making: Making): fc.Arbitrary<object> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const requiredKeys = (Array.isArray(schema.required) ? schema.required : []) as string[];
  const members = properties.map(([name, value]) => [
    name,
    making.named(name, value) ?? schemaValues(value, making),
  ]);
  const named = fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: requiredKeys.filter((name) => properties.some(([known]) => known === name)),
    noNullPrototype: true,
  });
  const others = patternMembers(schema, making);
  return fc.tuple(named, ...others).map((parts) => Object.assign({}, ...parts.toReversed()));
}

const makers: Readonly<Record<string, (schema: Json, making: Making) => fc.Arbitrary<unknown>>> = {
  string: stringValues,
  integer: integerValues,
  number: numberValues,
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: arrayValues,
  object: objectValues,
};

/** Values that a JSON Schema admits, nearly always: what it forbids by `not`, and what it has no word for, may come. */
export function schemaValues(schema: Json, making: Making): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') return schemaValues(making.resolve(schema.$ref), making);
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const choices = [...schemasIn(schema.oneOf), ...schemasIn(schema.anyOf)];
  if (choices.length > 0) return fc.oneof(...choices.map((choice) => schemaValues(choice, making)));
  const parts = schemasIn(schema.allOf);
  if (parts.length > 0) return schemaValues(Object.assign({}, schema, { allOf: [] }, ...parts), making);
  const types = [schema.type].flat().map((type) => makers[String(type)]?.(schema, making) ?? anything);
  return fc.oneof(...types);
}
