import type { Entity } from '../../entities/entity.ts';
import { entities } from '../../entities/registry.ts';
import { hasPairs } from '../exchange/pair-warnings.ts';
import type { Links } from '../present.ts';
import {
  type AnswerForm,
  addSchema,
  answerSchema,
  fieldsIn,
  idOnlySchema,
  updateSchema,
} from '../schemas.ts';
import { answerExample } from './entity-examples.ts';
import { headersNamed, tokenHeaders } from './headers.ts';
import { closedObject, type Json, jsonContent, ref } from './json.ts';

/** Names of an entity's components. */
export interface SchemaNames {
  readonly single: string;
  readonly inArray: string;
  /** The object after a POST, and the answer that holds it. */
  readonly stored: string;
  readonly create: string;
  readonly change: string;
}

function isWholeAfterPost(entity: Entity): boolean {
  return fieldsIn(entity, 'posted').length === fieldsIn(entity, 'single').length;
}

/** Names of an entity's schemas; `stored` is one of its own only where a POST answers less than a fetch. */
export function schemaNames(entity: Entity): SchemaNames {
  const { key } = entity;
  return {
    single: key,
    inArray: `${key}InArray`,
    stored: isWholeAfterPost(entity) ? key : `${key}WithoutText`,
    create: `New${key}`,
    change: `${key}Update`,
  };
}

function titled(schema: object, description: string): Json {
  return { ...schema, description };
}

/** The schemas of one entity's objects, by name. */
function schemasOf(entity: Entity): Json {
  const { title } = entity;
  const { single, inArray, stored, create, change } = schemaNames(entity);
  const answer = (form: AnswerForm, description: string) => titled(answerSchema(entity, form), description);
  return {
    ...(stored === single ? {} : { [stored]: answer('posted', `${title} without its text`) }),
    [single]: answer('single', `${title}, whole`),
    [inArray]: answer('array', `${title} in an array: without lists and targeting`),
    [create]: titled(addSchema(entity), `${title} to add`),
    [change]: titled(updateSchema(entity), `Changes to one ${title}`),
  };
}

/** The document's schemas of entities. */
export function entitySchemas(): Json {
  const id = titled(idOnlySchema, 'The object meant');
  return { ObjectId: id, ...Object.assign({}, ...entities.map(schemasOf)) };
}

const warnings: Json = {
  type: 'array',
  items: ref('schemas', 'PairWarning'),
  description:
    'After an add or update: connected objects that this one can never meet in an auction. Absent where there are none',
};

/** The document's answers to POSTs, one for each entity: `Status`, and the object under its wrapper. */
export function storedAnswers(links: Links): Json {
  const rows = entities.map((entity) => {
    const { stored } = schemaNames(entity);
    const schema = closedObject(
      {
        Status: { type: 'string', const: 'Ok', description: 'The call has succeeded' },
        [entity.wrapper]: ref('schemas', stored),
      },
      hasPairs(entity) ? { Warnings: warnings } : {},
    );
    const example = { Status: 'Ok', [entity.wrapper]: answerExample(entity, 'posted', links) };
    return [
      stored,
      {
        description: 'The object as it is stored now',
        headers: { ...headersNamed('ETag', 'Idempotent-Replayed'), ...tokenHeaders },
        content: jsonContent(schema, { example }),
      },
    ];
  });
  return Object.fromEntries(rows);
}
