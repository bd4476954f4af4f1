import { Type } from 'typebox';
import { closedObject, named, type ReadonlyStatic } from '../endpoint/wire-schema.ts';
import { entityKeys } from './parameters.ts';

const ids = (description: string) => Type.Optional(Type.Array(Type.Integer(), { description }));
const value = (description: string) => Type.Optional(Type.Unknown({ description }));

const fieldSchema = closedObject(
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
  'What a change did to one field',
);

/** Schema of one row of the history. */
export const changeSchema = named(
  'Change',
  closedObject(
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
      Changes: Type.Array(fieldSchema, { description: 'The fields that changed' }),
    },
    'A change of one object',
  ),
);

/** What a change did to one field. */
export type FieldChange = ReadonlyStatic<typeof fieldSchema>;

/** One row of the history. */
export type HistoryRow = ReadonlyStatic<typeof changeSchema>;
