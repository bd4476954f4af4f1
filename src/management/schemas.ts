import { type TObject, type TSchema, Type } from 'typebox';
import { closedObject, named } from '../answers/wire-schema.ts';
import type { Entity } from '../entities/entity.ts';
import { type Field, helpOf, type Labels } from '../fields/field.ts';
import { idSchema } from '../fields/number.ts';
import { ownMember } from '../reference/own-member.ts';
import { titleOf } from '../reference/titles.ts';
import { figureMembers } from './listed-figures.ts';

function withLabels(schema: TSchema, labels: Labels): TSchema {
  if (!('items' in schema)) return { ...schema, 'x-labels': labels };
  return { ...schema, items: { ...(schema.items as TSchema), 'x-labels': labels } };
}

/** With all that people and programs need to know (reference, "OpenAPI"). */
export function described(schema: TSchema, name: string, field: Field): TSchema {
  const { section, unit, isAdvanced, labels, onlyIf } = field;
  return {
    ...(labels ? withLabels(schema, labels) : schema),
    title: titleOf(name),
    description: helpOf(field),
    'x-section': section,
    ...(unit ? { 'x-unit': unit } : {}),
    ...(isAdvanced ? { 'x-advanced': true } : {}),
    ...(onlyIf ? { 'x-only-if': onlyIf } : {}),
  };
}

function accepted(entity: Entity, isOptional: (presence: string) => boolean): Record<string, TSchema> {
  const rows = Object.entries(entity.fields)
    .filter(([, { presence }]) => presence !== 'derived')
    .map(([name, field]) => {
      const schema = described(field.accepts, name, field);
      return [name, isOptional(field.presence) ? Type.Optional(schema) : schema];
    });
  return Object.fromEntries(rows);
}

/** Below the wrapper; fields of answers only are left out before the check. */
export function addSchema(entity: Entity): TObject {
  const fields = accepted(entity, (presence) => presence === 'optional');
  return named(`New${entity.key}`, closedObject(fields, `${entity.title} to add`));
}

/** Only `Id` is required. */
export function updateSchema(entity: Entity): TObject {
  const Id = { ...idSchema, description: 'ID of the object to change' };
  const fields = { Id, ...accepted(entity, () => true) };
  return named(`${entity.key}Update`, closedObject(fields, `Changes to one ${entity.title}`));
}

/** For `activate` and `deactivate`. */
export const idOnlySchema = named('ObjectId', {
  ...closedObject({ Id: idSchema }, 'The object'),
  'x-wants': 'is not accepted here; send only `Id`',
});

/** Alone, in an array, or after a POST (without list texts). */
export type AnswerForm = 'single' | 'array' | 'posted';

/** In the order of the wire. */
export function fieldsIn(entity: Entity, form: AnswerForm): readonly string[] {
  return Object.entries(entity.fields)
    .filter(
      ([, field]) =>
        !field.isWriteOnly &&
        (form === 'single' || !field.onlyInSingle) &&
        (form !== 'array' || field.inArray),
    )
    .map(([name]) => name);
}

/** The object after a POST has its own schema if it has fewer members. */
function answerTitle(entity: Entity, form: AnswerForm): readonly [name: string, description: string] {
  const { key, title } = entity;
  if (form === 'array') return [`${key}InArray`, `${title} in an array: without lists and targeting`];
  const isWhole = fieldsIn(entity, form).length === fieldsIn(entity, 'single').length;
  return isWhole ? [key, `${title}, in full`] : [`${key}WithoutText`, `${title} without its text`];
}

/** For chosen fields and figures: any that arrays can show. */
export function chosenSchema(entity: Entity): TObject {
  const rows = fieldsIn(entity, 'posted').flatMap((name) => {
    const field = ownMember(entity.fields, name);
    return field ? [[name, Type.Optional(described(field.returns, name, field))]] : [];
  });
  const description = `${entity.title} in an array: the requested fields`;
  const members = { ...Object.fromEntries(rows), ...figureMembers(entity) };
  return named(`${entity.key}Fields`, closedObject(members, description));
}

export function answerSchema(entity: Entity, form: AnswerForm): TObject {
  const rows = fieldsIn(entity, form).flatMap((name) => {
    const field = ownMember(entity.fields, name);
    return field ? [[name, described(field.returns, name, field)]] : [];
  });
  const [name, description] = answerTitle(entity, form);
  return named(name, closedObject(Object.fromEntries(rows), description));
}
