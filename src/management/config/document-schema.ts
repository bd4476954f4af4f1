import { type TObject, type TSchema, Type } from 'typebox';
import type { Entity } from '../../entities/entity.ts';
import { entities, entityOf } from '../../entities/registry.ts';
import { isKept, type Member, membersOf } from './members.ts';

/** Version of the document's form, which each document names. */
export const documentVersion = 1;

const closed = { additionalProperties: false };
/** Most objects of one entity in a document. */
export const objectsMax = 100_000;
const keysMax = 100_000;
/** Room for a name of 1,024 characters and its number. */
const keyCharactersMax = 1040;

const stateWords = ['Active', 'Inactive'] as const;

function key(description: string): TSchema {
  return Type.String({ minLength: 1, maxLength: keyCharactersMax, description });
}

function schemaOf(member: Member): TSchema {
  const { field } = member;
  switch (member.kind) {
    case 'reference':
      return key(`Its ${entityOf(member.to).title}, by key`);
    case 'connection': {
      const { title } = entityOf(member.place.to);
      return Type.Array(key(`Key of one ${title}`), { maxItems: keysMax, description: `${title}s, by key` });
    }
    case 'manager':
      return Type.String({
        format: 'mail',
        maxLength: 320,
        description:
          'Mail address of the user who manages the account; "" = nobody; left out = an existing one stays, and a new object has who applies; the export leaves out who exports',
      });
    default: {
      const kept = isKept(member) ? '; not exported; left out = as it is' : '';
      return { ...field.accepts, description: field.help + kept };
    }
  }
}

/** Schema of an object in the document. */
export function objectSchema(entity: Entity): TObject {
  const members = membersOf(entity).map((member) => {
    const schema = schemaOf(member);
    return [member.name, member.field.presence === 'optional' ? Type.Optional(schema) : schema] as const;
  });
  const Key = Type.Optional(
    key('Key of the object, where it is not its Name: <Name>~2 is the second of that name'),
  );
  const Status = Type.Optional(
    Type.String({
      enum: [...stateWords],
      'x-wants': 'must be "Active" or "Inactive"',
      description: 'Left out = "Active"',
    }),
  );
  return Type.Object({ Key, Status, ...Object.fromEntries(members) }, closed);
}

/** Schema of a document, made of one for each entity's objects. */
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
    'x-wants': `must be ${documentVersion}, the version of the document's form`,
    description: "Version of the document's form",
  });
  return Type.Object({ Version, ...Object.fromEntries(sections) }, closed);
}
