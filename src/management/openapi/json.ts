/** A part of the document: JSON of OpenAPI 3.1. */
export type Json = Readonly<Record<string, unknown>>;

/** A reference to a component. */
export function ref(kind: 'schemas' | 'responses' | 'headers', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}
