import { type TObject, type TSchema, Type } from 'typebox';
import type { Entity } from '../entities/entity.ts';
import { idSchema } from '../fields/number.ts';

/** A field's schema with its help, as the OpenAPI document shows it. */
function described(schema: TSchema, help: string): TSchema {
  return { ...schema, description: help };
}

function accepted(entity: Entity, isOptional: (presence: string) => boolean): Record<string, TSchema> {
  const rows = Object.entries(entity.fields)
    .filter(([, { presence }]) => presence !== 'derived')
    .map(([name, { accepts, help, presence }]) => {
      const schema = described(accepts, help);
      return [name, isOptional(presence) ? Type.Optional(schema) : schema];
    });
  return Object.fromEntries(rows);
}

/** What `add` takes below the wrapper. Fields that only answers carry are left out before it is checked. */
export function addSchema(entity: Entity): TObject {
  return Type.Object(
    accepted(entity, (presence) => presence === 'optional'),
    { additionalProperties: false },
  );
}

/** What `update` takes below the wrapper: only `Id` is required. */
export function updateSchema(entity: Entity): TObject {
  const fields = { Id: described(idSchema, 'ID of the object to change'), ...accepted(entity, () => true) };
  return Type.Object(fields, { additionalProperties: false });
}

/** What `activate` and `deactivate` take below the wrapper. */
export const idOnlySchema = Type.Object(
  { Id: idSchema },
  { additionalProperties: false, 'x-wants': 'is not taken here; send only `Id`' },
);

/** The forms of an object in answers: fetched alone, in an array, or after a POST (without list texts). */
export type AnswerForm = 'single' | 'array' | 'posted';

/** Names of the fields that an answer in that form carries, in the order of the wire. */
export function fieldsIn(entity: Entity, form: AnswerForm): string[] {
  return Object.entries(entity.fields)
    .filter(([, field]) => (form === 'single' || !field.onlyInSingle) && (form !== 'array' || field.inArray))
    .map(([name]) => name);
}

/** Schema of an object in an answer. */
export function answerSchema(entity: Entity, form: AnswerForm): TObject {
  const rows = fieldsIn(entity, form).flatMap((name) => {
    const field = entity.fields[name];
    return field ? [[name, described(field.returns, field.help)]] : [];
  });
  return Type.Object(Object.fromEntries(rows), { additionalProperties: false });
}
