import { type TObject, type TSchema, Type } from 'typebox';
import { closedObject, named } from '../../answers/wire-schema.ts';
import type { Entity } from '../../entities/entity.ts';
import { entities } from '../../entities/registry.ts';
import { keySchema, memberKind } from './member-kinds.ts';
import { membersOf } from './members.ts';

export const documentVersion = 1;

export const objectsMax = 100_000;

const stateWords = ['Active', 'Inactive'] as const;

export function objectSchema(entity: Entity): TObject {
  const members = membersOf(entity).map((member) => {
    const schema = memberKind(member).schema(member);
    return [member.name, member.field.presence === 'optional' ? Type.Optional(schema) : schema] as const;
  });
  const Key = Type.Optional(
    keySchema('Key of the object, if it is not its Name: <Name>~2 is the second object with that name'),
  );
  const Status = Type.Optional(
    Type.String({
      enum: [...stateWords],
      'x-wants': 'must be "Active" or "Inactive"',
      description: 'Left out = "Active"',
    }),
  );
  return named(
    `${entity.key}InConfig`,
    closedObject({ Key, Status, ...Object.fromEntries(members) }, `${entity.title} in a configuration`),
  );
}

/** `objects`: the schema of an entity's objects. */
export function documentSchema(objects: (entity: Entity) => TSchema): TObject {
  const sections = entities.map((entity) => {
    const section = Type.Array(objects(entity), {
      maxItems: objectsMax,
      description: `The ${entity.title}s`,
    });
    return [entity.key, Type.Optional(section)] as const;
  });
  const Version = Type.Integer({
    enum: [documentVersion],
    'x-wants': `must be ${documentVersion}, the version of the document format`,
    description: 'Version of the document format',
  });
  return closedObject({ Version, ...Object.fromEntries(sections) });
}

export const configSchema = named('Config', {
  ...documentSchema(objectSchema),
  description: 'Configuration of a team, without IDs and secrets',
});
