import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';

const schemaName = Symbol('name of a schema');

/** The same schema under a name: the OpenAPI document has it once, among its components, and refers to it. */
export function named<S extends TSchema>(name: string, schema: S): S {
  return { ...schema, [schemaName]: name };
}

/** The name that a schema was given, if any. */
export function nameOf(schema: object): string | undefined {
  return (schema as { readonly [schemaName]?: string })[schemaName];
}

/** Schema of an object that has these members and no others. */
export function closedObject<P extends TProperties>(members: P, description?: string): TObject<P> {
  return Type.Object(members, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  });
}

export function oneOf<const Words extends string[]>(words: readonly [...Words], description: string) {
  return Type.Enum(words, { type: 'string', description });
}

/** One of a few words, each with what it means. */
export function labelled<Word extends string>(words: Readonly<Record<Word, string>>, description: string) {
  return Type.Enum(Object.keys(words) as Word[], { type: 'string', description, 'x-labels': words });
}

/** `Status` of every answer to a POST that succeeds. */
export const okStatus = Type.Literal('Ok', { type: 'string', description: 'The call has succeeded' });

export const succeeded = { Status: 'Ok' } as const;

type ReadonlyDeep<T> = T extends object ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> } : T;

/** The values that a schema admits, which nobody changes. */
export type ReadonlyStatic<S extends TSchema> = ReadonlyDeep<Static<S>>;
