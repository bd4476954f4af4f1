import type { TObject } from 'typebox';
import type { Entity } from '../../entities/entity.ts';
import { listTextOf } from '../../entities/list-text-of.ts';
import { entities } from '../../entities/registry.ts';
import type { EntityOperation } from '../context.ts';
import { fetchParameters } from '../input/query.ts';
import { entityOperations } from '../operations/list.ts';
import type { Links } from '../present.ts';
import { addSchema, updateSchema } from '../schemas.ts';
import { addExample, answerExample, updateExample } from './entity-examples.ts';
import { schemaNames } from './entity-schemas.ts';
import type { Failure } from './failures.ts';
import { headersNamed } from './headers.ts';
import { closedObject, type Json, jsonContent, ref } from './json.ts';
import type { DocumentedOperation } from './operation.ts';
import { addingParameters, changingParameters, ifNoneMatch, queryParameter } from './parameters.ts';

/** The part of an operation's documentation that is its own. */
type Told = Pick<
  DocumentedOperation,
  | 'operationId'
  | 'summary'
  | 'description'
  | 'parameters'
  | 'requestBody'
  | 'answer'
  | 'otherAnswers'
  | 'failures'
>;

const readFailures: readonly Failure[] = ['Unauthorized', 'Invalid', 'ServerError', 'Unavailable'];
const addFailures: readonly Failure[] = [
  ...(['NotJson', 'Unauthorized', 'Forbidden', 'Invalid', 'TooLarge', 'KeyReused'] as const),
  ...(['ServerError', 'Unavailable'] as const),
];
const writeFailures: readonly Failure[] = [...addFailures, 'ChangedMeanwhile'];

/** A list as a form: its lines as a file, its other fields as form fields (decisions, "Lists"). */
function uploadContent(entity: Entity, { properties }: TObject, required: readonly string[]): Json {
  const textName = listTextOf(entity)?.name;
  const values = Object.entries(properties).filter(([name]) => name !== textName);
  const File = { type: 'string', format: 'binary', description: 'The lines, as UTF-8 text' };
  const schema = {
    type: 'object',
    required: [...required, 'File'],
    properties: { ...Object.fromEntries(values), File },
    additionalProperties: false,
  };
  return { 'multipart/form-data': { schema } };
}

function wrappedBody(entity: Entity, schemaName: string, inner: Json, more: Json = {}): Json {
  const { wrapper } = entity;
  const schema = closedObject({ [wrapper]: ref('schemas', schemaName) });
  return { required: true, content: { ...jsonContent(schema, { example: { [wrapper]: inner } }), ...more } };
}

function posted(entity: Entity): Json {
  return ref('responses', schemaNames(entity).stored);
}

const listHint = ' A list may be sent as a form with one `File` instead, whose lines become its text.';

const add: Describe = (entity) => {
  const { create } = schemaNames(entity);
  const isList = listTextOf(entity) !== undefined;
  return {
    operationId: `add${entity.key}`,
    summary: `Add ${entity.title}`,
    description: `Adds an object, which is active at once. Members that only answers have are ignored.${isList ? listHint : ''}`,
    parameters: addingParameters,
    requestBody: wrappedBody(
      entity,
      create,
      addExample(entity),
      isList ? uploadContent(entity, addSchema(entity), []) : {},
    ),
    answer: posted(entity),
    failures: addFailures,
  };
};

const update: Describe = (entity) => {
  const { change } = schemaNames(entity);
  const isList = listTextOf(entity) !== undefined;
  return {
    operationId: `update${entity.key}`,
    summary: `Update ${entity.title}`,
    description: `Changes the fields that are sent; the others keep their value. \`[]\` and \`""\` clear. Members that only answers have are ignored.${isList ? listHint : ''}`,
    parameters: changingParameters,
    requestBody: wrappedBody(
      entity,
      change,
      updateExample(entity),
      isList ? uploadContent(entity, updateSchema(entity), ['Id']) : {},
    ),
    answer: posted(entity),
    failures: writeFailures,
  };
};

/** `activate` and `deactivate`. */
function statusChange(word: 'Activate' | 'Deactivate'): Describe {
  const state = word === 'Activate' ? 'active' : 'inactive';
  return (entity) => ({
    operationId: `${word.toLowerCase()}${entity.key}`,
    summary: `${word} ${entity.title}`,
    description: `Makes the object ${state}; one that is ${state} already stays so.`,
    parameters: changingParameters,
    requestBody: wrappedBody(entity, 'ObjectId', { Id: 1 }),
    answer: posted(entity),
    failures: writeFailures,
  });
}

const get: Describe = (entity, links) => {
  const { single, inArray } = schemaNames(entity);
  const schema = {
    oneOf: [ref('schemas', single), { type: 'array', items: ref('schemas', inArray) }],
  };
  const examples = {
    one: { summary: 'With Id', value: answerExample(entity, 'single', links) },
    many: { summary: 'Without Id', value: [answerExample(entity, 'array', links)] },
  };
  return {
    operationId: `get${entity.key}s`,
    summary: `Fetch ${entity.title}s`,
    description:
      'With `Id`: that object, whole. Without: an array of all objects that the other parameters leave, in order of ID and in a shorter form. Parameters count together; 0 is the same as absent. With `Id` and `AsOf`: the object as it was at that time.',
    parameters: [...fetchParameters(entity).map(queryParameter), ifNoneMatch],
    answer: {
      description: 'The object, or the array',
      headers: headersNamed('ETag'),
      content: jsonContent(schema, { examples }),
    },
    otherAnswers: {
      304: { description: 'The object is the one that If-None-Match names', headers: headersNamed('ETag') },
    },
    failures: readFailures,
  };
};

type Describe = (entity: Entity, links: Links) => Told;

const describe: Readonly<Record<EntityOperation['name'], Describe>> = {
  add,
  update,
  activate: statusChange('Activate'),
  deactivate: statusChange('Deactivate'),
  get,
};

/** Every operation of every entity. */
export function entityDocumentation(links: Links): DocumentedOperation[] {
  return entities.flatMap((entity) =>
    entityOperations.map(({ name, method }) => ({
      ...describe[name](entity, links),
      method,
      path: `/api/${entity.path}/${name}`,
      tag: entity.title,
      documented: entity.documented.includes(name),
    })),
  );
}
