import { isDeepStrictEqual } from 'node:util';
import { nameOf } from '../../answers/wire-schema.ts';
import { type Json, publishedSchema, ref } from './published-schema.ts';

/** Collects what the document has once and refers to by name. */
export interface Components {
  /** Named schemas go to the components. */
  schema(schema: object): Json;
  /** A reference to a named response among the components. */
  response(name: string, response: Json): Json;
  collected(): { readonly schemas: Json; readonly responses: Json };
}

function inOrder(parts: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries([...parts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Throws if another has its name, which is a mistake in a declaration. */
function keep(parts: Map<string, Json>, name: string, part: Json): void {
  const known = parts.get(name);
  if (known && !isDeepStrictEqual(known, part)) throw new Error(`two components have the name ${name}`);
  parts.set(name, part);
}

export function collectComponents(): Components {
  const schemas = new Map<string, Json>();
  const responses = new Map<string, Json>();
  const written = new Map<object, Json>();
  const schema = (one: object): Json => {
    const known = written.get(one);
    if (known) return known;
    const name = nameOf(one);
    const whole = publishedSchema(one as Json, schema);
    if (name !== undefined) keep(schemas, name, whole);
    const shown = name === undefined ? whole : ref('schemas', name);
    written.set(one, shown);
    return shown;
  };
  return {
    schema,
    response(name, response) {
      keep(responses, name, response);
      return ref('responses', name);
    },
    collected: () => ({ schemas: inOrder(schemas), responses: inOrder(responses) }),
  };
}
