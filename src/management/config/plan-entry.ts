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

const planEntrySchema = named(
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

const planWarningSchema = named(
  'PlanWarning',
  closedObject(
    {
      Entity: Type.String({ enum: entities.map(({ key }) => key), description: 'Kind of the object' }),
      Key: Type.String({ description: 'Key of the object' }),
      Field: Type.String({ description: 'Its field that the warning is about' }),
      Message: Type.String({ description: 'The problem, and what would solve it' }),
    },
    'A setting that does not have the effect that it seems to have',
  ),
);

export const planSchema = {
  Plan: Type.Array(planEntrySchema, { description: 'What is to be done, or was done' }),
  Warnings: Type.Optional(
    Type.Array(planWarningSchema, { description: 'Of the objects in the document, at most 100' }),
  ),
};

/** What a document does, and what it warns of. */
export interface ConfigPlan {
  readonly entries: readonly PlanEntry[];
  readonly warnings: readonly PlanWarning[];
}

export type PlanWarning = ReadonlyStatic<typeof planWarningSchema>;

export type PlanEntry = ReadonlyStatic<typeof planEntrySchema>;

/** As it is and is to be, both as in the document. */
export type Change = ReadonlyStatic<typeof changeSchema>;
