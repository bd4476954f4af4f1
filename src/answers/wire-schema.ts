import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';

const schemaName = Symbol('name of a schema');

/** OpenAPI then has it once among its components. */
export function named<S extends TSchema>(name: string, schema: S): S {
  return { ...schema, [schemaName]: name };
}

export function nameOf(schema: object): string | undefined {
  return (schema as { readonly [schemaName]?: string })[schemaName];
}

export function closedObject<P extends TProperties>(members: P, description?: string): TObject<P> {
  return Type.Object(members, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  });
}

export function oneOf<const Words extends string[]>(words: readonly [...Words], description: string) {
  return Type.Enum(words, { type: 'string', description });
}

/** Each with its meaning. */
export function labelled<Word extends string>(words: Readonly<Record<Word, string>>, description: string) {
  return Type.Enum(Object.keys(words) as Word[], { type: 'string', description, 'x-labels': words });
}

/** Of every successful POST. */
export const okStatus = Type.Literal('Ok', { type: 'string', description: 'The call has succeeded' });

export const succeeded = { Status: 'Ok' } as const;

type ReadonlyDeep<T> = T extends object ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> } : T;

/** Read-only. */
export type ReadonlyStatic<S extends TSchema> = ReadonlyDeep<Static<S>>;
