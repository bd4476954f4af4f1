import { Type } from 'typebox';
import { closedObject, nameOf, okStatus } from '../../answers/wire-schema.ts';
import type { Entity, Operation } from '../../entities/entity.ts';
import { entityOf } from '../../entities/registry.ts';
import type { Endpoint, ResponseBody, Tag } from '../endpoint/endpoint.ts';
import { answerSchema } from '../schemas.ts';
import { warningsOf } from '../warnings.ts';
import { answerExample } from './examples.ts';

export type EntityOperation = (entity: Entity) => Endpoint;

function tagOf({ title, path, wrapper, owner }: Entity): Tag {
  const belongs = owner ? ` Each belongs to one ${entityOf(owner.entity).title}.` : '';
  return {
    name: title,
    description: `${title}s, under \`/api/${path}\`. Their key in bodies is \`${wrapper}\`.${belongs}`,
  };
}

export function operationOn(entity: Entity, operation: Operation | 'connected' | 'push' | 'adstxt') {
  return {
    path: `/api/${entity.path}/${operation}`,
    tag: tagOf(entity),
    isSpecified: entity.documented.some((name) => name === operation),
  };
}

function warningsMember(entity: Entity) {
  const warned = warningsOf(entity);
  if (!warned) return {};
  const description = `After an add or update: ${warned.help}. Absent if there are none`;
  return { Warnings: Type.Optional(Type.Array(warned.schema, { description })) };
}

/** `Status`, and the object under its wrapper. */
export function storedObject(entity: Entity): ResponseBody {
  const object = answerSchema(entity, 'posted');
  return {
    description: 'The object as it is now stored',
    component: nameOf(object) ?? entity.key,
    schema: closedObject({
      Status: okStatus,
      [entity.wrapper]: object,
      ...warningsMember(entity),
    }),
    example: (links) => ({ Status: 'Ok', [entity.wrapper]: answerExample(entity, 'posted', links) }),
  };
}
