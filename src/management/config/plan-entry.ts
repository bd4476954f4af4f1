import { Type } from 'typebox';
import { closedObject, named, oneOf, type ReadonlyStatic } from '../../answers/wire-schema.ts';
import { entities } from '../../entities/registry.ts';

const changeSchema = closedObject({
  Field: Type.String({ description: 'Member of the object, as the document names it' }),
  Old: Type.Unknown({
    description:
      'The value as it is, in the form of the document; of a list, how many lines; of credentials, whether there are any',
  }),
  New: Type.Unknown({ description: 'The value as it is to be' }),
});

export const planEntrySchema = named(
  'PlanEntry',
  closedObject(
    {
      Operation: oneOf(
        ['add', 'update', 'activate', 'deactivate', 'unmanaged'],
        'What is to be done, or was; "unmanaged" objects are not in the document and left alone',
      ),
      Entity: Type.String({ enum: entities.map(({ key }) => key), description: 'Kind of the object' }),
      Key: Type.String({ description: 'Key of the object' }),
      Id: Type.Integer({ description: 'ID of the object; 0 where it is still to be added' }),
      Changes: Type.Array(changeSchema, { description: 'What an update changes; else empty' }),
    },
    'One thing to do with one object',
  ),
);

export type PlanEntry = ReadonlyStatic<typeof planEntrySchema>;

/** As it is and is to be, both as in the document. */
export type Change = ReadonlyStatic<typeof changeSchema>;
