import { Type } from 'typebox';
import { closedObject, named, oneOf, type ReadonlyStatic } from '../../answers/wire-schema.ts';
import { entities } from '../../entities/registry.ts';

const changeSchema = closedObject({
  Field: Type.String({ description: 'Member of the object, by its name in the document' }),
  Old: Type.Unknown({
    description:
      'The current value, in the form of the document; for a list, the number of lines; for credentials, whether there are any',
  }),
  New: Type.Unknown({ description: 'The new value' }),
});

export const planEntrySchema = named(
  'PlanEntry',
  closedObject(
    {
      Operation: oneOf(
        ['add', 'update', 'activate', 'deactivate', 'unmanaged'],
        'What is to be done, or was done; "unmanaged" objects are not in the document and are left alone',
      ),
      Entity: Type.String({ enum: entities.map(({ key }) => key), description: 'Kind of the object' }),
      Key: Type.String({ description: 'Key of the object' }),
      Id: Type.Integer({ description: 'ID of the object; 0 if it is still to be added' }),
      Changes: Type.Array(changeSchema, { description: 'What an update changes; otherwise empty' }),
    },
    'One operation on one object',
  ),
);

export type PlanEntry = ReadonlyStatic<typeof planEntrySchema>;

/** As it is and is to be, both as in the document. */
export type Change = ReadonlyStatic<typeof changeSchema>;
