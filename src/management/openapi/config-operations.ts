import { type TSchema, Type } from 'typebox';
import type { Entity } from '../../entities/entity.ts';
import { entities } from '../../entities/registry.ts';
import { documentSchema, objectSchema } from '../config/document-schema.ts';
import { configParameters, configWrapper } from '../operations/config.ts';
import { closedObject, type Json, jsonContent, ref } from './json.ts';
import type { DocumentedOperation } from './operation.ts';
import { addingParameters, askingParameters, queryParameter } from './parameters.ts';

const closed = { additionalProperties: false };
const anything = (description: string) => Type.Unknown({ description });

const changeSchema = Type.Object(
  {
    Field: Type.String({ description: 'Member of the object, as the document names it' }),
    Old: anything(
      'The value as it is, in the form of the document; of a list, how many lines; of credentials, whether there are any',
    ),
    New: anything('The value as it is to be'),
  },
  closed,
);

const entrySchema = Type.Object(
  {
    Operation: Type.String({
      enum: ['add', 'update', 'activate', 'deactivate', 'unmanaged'],
      description: 'What is to be done, or was; "unmanaged" objects are not in the document and left alone',
    }),
    Entity: Type.String({ enum: entities.map(({ key }) => key), description: 'Kind of the object' }),
    Key: Type.String({ description: 'Key of the object' }),
    Id: Type.Integer({ description: 'ID of the object; 0 where it is still to be added' }),
    Changes: Type.Array(changeSchema, { description: 'What an update changes; else empty' }),
  },
  { ...closed, description: 'One thing to do with one object' },
);

const nameOf = ({ key }: Entity) => `${key}InConfig`;

/** The document's schemas of configurations. */
export function configSchemas(): Json {
  const objects = entities.map((entity) => [
    nameOf(entity),
    { ...objectSchema(entity), description: `${entity.title} in a configuration` },
  ]);
  const document = documentSchema((entity) => ref('schemas', nameOf(entity)) as unknown as TSchema);
  return {
    Config: { ...document, description: 'Configuration of a team, without IDs and secrets' },
    PlanEntry: entrySchema,
    ...Object.fromEntries(objects),
  };
}

const configExample = {
  Version: 1,
  Publisher: [
    { Name: 'Example Weekly', Mail: 'desk@weekly.example', Country: 'DE', Username: 'example-weekly' },
  ],
  VastTag: [{ Name: 'Weekly pre-roll', Publisher: 'Example Weekly', Bidfloor: 1.5, Tags: ['Weekly'] }],
  Tag: [{ Name: 'Weekly', Color: '#2a7' }],
};

const planExample = {
  Status: 'Ok',
  Plan: [
    {
      Operation: 'update',
      Entity: 'VastTag',
      Key: 'Weekly pre-roll',
      Id: 1,
      Changes: [{ Field: 'Bidfloor', Old: 1.2, New: 1.5 }],
    },
    { Operation: 'add', Entity: 'Tag', Key: 'Weekly', Id: 0, Changes: [] },
  ],
};

const shape =
  'Objects stand under their kind, each under its `Name`; the second of a name has the `Key` `<Name>~2`. They name each other by key. What is left out has the value that an add without it stores. A connection stands on the side of the supply, and on the other side only where the order there is another one; a side that leaves it out keeps its connections with objects that are not in the document.';

function posted(step: 'plan' | 'apply', texts: Pick<DocumentedOperation, 'summary' | 'description'>) {
  const schema = closedObject({
    Status: { type: 'string', const: 'Ok', description: 'The call has succeeded' },
    Plan: { type: 'array', items: ref('schemas', 'PlanEntry'), description: 'What is to be done, or was' },
  });
  const body = closedObject({ [configWrapper]: ref('schemas', 'Config') });
  return {
    ...texts,
    method: 'POST',
    path: `/api/config/${step}`,
    operationId: `${step}Config`,
    tag: 'Configuration as code',
    documented: false,
    parameters: [
      ...configParameters.map(queryParameter),
      ...(step === 'plan' ? askingParameters : addingParameters),
    ],
    requestBody: {
      required: true,
      content: jsonContent(body, { example: { [configWrapper]: configExample } }),
    },
    answer: { description: 'The plan', content: jsonContent(schema, { example: planExample }) },
    failures: [
      ...(['NotJson', 'Unauthorized', 'Invalid', 'TooLarge'] as const),
      ...(step === 'plan' ? [] : (['Forbidden', 'KeyReused'] as const)),
      ...(['ServerError', 'Unavailable'] as const),
    ],
  } satisfies DocumentedOperation;
}

/** Every operation under `/api/config/`. */
export const configDocumentation: readonly DocumentedOperation[] = [
  {
    method: 'GET',
    path: '/api/config/export',
    operationId: 'exportConfig',
    tag: 'Configuration as code',
    summary: 'Export the configuration',
    description: `The whole configuration of the team, as plan and apply take it, in an order of its own: the same configuration gives the same document. ${shape}`,
    documented: false,
    answer: {
      description: 'The configuration',
      content: jsonContent(ref('schemas', 'Config'), { example: configExample }),
    },
    failures: ['Unauthorized', 'Invalid', 'ServerError', 'Unavailable'],
  },
  posted('plan', {
    summary: 'Plan a configuration',
    description: `Tells what apply would do, and changes nothing, so every role may ask. ${shape}`,
  }),
  posted('apply', {
    summary: 'Apply a configuration',
    description:
      'Brings the team to what the document says, whole or not at all. Objects that it does not name are left alone. Applied again it changes nothing.',
  }),
];
