/** A part of the document: JSON of the OpenAPI specification 3.1. */
export type Json = Readonly<Record<string, unknown>>;

/** A reference to a component. */
export function ref(kind: 'schemas' | 'responses' | 'headers', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Content in JSON: its schema, and further members (`example`, `examples`). */
export function jsonContent(schema: unknown, more: Json = {}): Json {
  return { 'application/json': { schema, ...more } };
}

/** Schema of an object that has these members, all required, and no others but those of `optional`. */
export function closedObject(required: Json, optional: Json = {}): Json {
  const properties = { ...required, ...optional };
  return { type: 'object', required: Object.keys(required), properties, additionalProperties: false };
}
