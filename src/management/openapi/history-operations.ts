import { Type } from 'typebox';
import { entityKeys, historyParameters } from '../history/parameters.ts';
import type { ShownChange } from '../history/show-change.ts';
import { jsonContent, ref } from './json.ts';
import type { DocumentedOperation } from './operation.ts';
import { queryParameter } from './parameters.ts';

const closed = { additionalProperties: false };
const ids = (description: string) => Type.Optional(Type.Array(Type.Integer(), { description }));
const value = (description: string) => Type.Optional(Type.Unknown({ description }));

const changedField = Type.Object(
  {
    Field: Type.String({ description: 'Name of the field' }),
    Old: value('Its value before, as answers show it; absent where the object was added'),
    New: value('Its value after'),
    Added: ids('Where another object connected this one: the IDs that came, last in the array'),
    Removed: ids('Where another object disconnected this one: the IDs that went'),
    Written: Type.Optional(
      Type.Integer({
        enum: [1],
        description: "1 = the list's text, or the password, was written; it is not shown",
      }),
    ),
  },
  { ...closed, description: 'What a change did to one field' },
);

/** Schema of one row of the history. */
export const changeSchema = Type.Object(
  {
    Revision: Type.Integer({ description: 'Number of the change; they count up' }),
    Time: Type.String({ description: 'When it was made, as 2027-01-31T12:00:00.000Z' }),
    UserId: Type.Integer({ description: 'ID of the user who made it; 0 = the program itself' }),
    UserName: Type.String({ description: "The user's name, or mail address where there is none" }),
    Entity: Type.String({ enum: [...entityKeys], description: 'Kind of the object' }),
    Id: Type.Integer({ description: 'ID of the object' }),
    Operation: Type.String({
      enum: ['add', 'update', 'activate', 'deactivate', 'connect', 'revoke'],
      description:
        'What was done; connect = another object was changed that names this one; revoke = an API key was ended',
    }),
    Changes: Type.Array(changedField, { description: 'The fields that changed' }),
  },
  { ...closed, description: 'A change of one object' },
);

const row = {
  Time: '2027-01-31T12:00:00.000Z',
  UserId: 1,
  UserName: 'Ada Byron',
} as const;
const example: readonly ShownChange[] = [
  {
    ...{ Revision: 17, ...row, Entity: 'VastTag', Id: 3, Operation: 'update' },
    Changes: [
      { Field: 'Bidfloor', Old: 1.25, New: 1.5 },
      { Field: 'Countries', Old: [], New: [{ CC: 'DE', Country: 'Germany' }] },
      { Field: 'DspVastTags', Old: [4], New: [4, 9] },
    ],
  },
  {
    ...{ Revision: 18, ...row, Entity: 'DspVastTag', Id: 9, Operation: 'connect' },
    Changes: [{ Field: 'VastTags', Added: [3], Removed: [] }],
  },
  {
    ...{ Revision: 19, ...row, Entity: 'DomainList', Id: 2, Operation: 'update' },
    Changes: [
      { Field: 'DomainCount', Old: 10, New: 12 },
      { Field: 'ListText', Written: 1 },
    ],
  },
];

/** What was changed, when and by whom. */
export const historyDocumentation: readonly DocumentedOperation[] = [
  {
    method: 'GET',
    path: '/api/history/get',
    operationId: 'getHistory',
    tag: 'History',
    summary: 'Fetch changes',
    description:
      "The team's changes that the parameters leave, in order of revision, one page at a time: go on with `AfterRevision`. A change that connects objects has a row for each of them. Changes of users and API keys are shown to administrators. Credentials are not in it.",
    documented: false,
    parameters: historyParameters.map(queryParameter),
    answer: {
      description: 'The changes',
      content: jsonContent({ type: 'array', items: ref('schemas', 'Change') }, { example }),
    },
    failures: ['Unauthorized', 'Invalid', 'ServerError', 'Unavailable'],
  },
];
