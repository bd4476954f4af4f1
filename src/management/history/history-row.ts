import { Type } from 'typebox';
import { closedObject, named, type ReadonlyStatic } from '../../answers/wire-schema.ts';
import type { Entity } from '../../entities/entity.ts';
import { accountKindNames } from '../../entities/kinds.ts';
import { entities } from '../../entities/registry.ts';
import { teamSettings } from '../../entities/team-settings.ts';
import type { Field } from '../../fields/field.ts';
import { ownMember } from '../../reference/own-member.ts';
import {
  type BatchPart,
  type ChangeRecord,
  type LinkChange,
  type PeopleKind,
  peopleKinds,
  type Values,
} from '../../store/interface.ts';

/** Keys of entities, users, API keys and the team. */
export const entityKeys: readonly string[] = [...entities.map(({ key }) => key), ...peopleKinds];

const ids = (description: string) => Type.Optional(Type.Array(Type.Integer(), { description }));
const value = (description: string) => Type.Optional(Type.Unknown({ description }));

const fieldSchema = closedObject(
  {
    Field: Type.String({ description: 'Name of the field' }),
    Old: value('Its old value, as answers show it; absent if the object was added'),
    New: value('Its new value'),
    Added: ids('If another object connected this one: the IDs that were added, at the end of the array'),
    Removed: ids('If another object disconnected this one: the IDs that were removed'),
    Written: Type.Optional(
      Type.Integer({
        enum: [1],
        description:
          "1 = something that is not shown was written: the list's text, the credential, the password or a link that sets it; or sessions were ended",
      }),
    ),
  },
  'What a change did to one field',
);

const partSchema = closedObject({
  Entity: Type.String({ enum: [...entityKeys], description: 'Kind of the objects' }),
  Operation: Type.String({ description: 'What was done' }),
  Objects: Type.Integer({ description: 'How many objects' }),
  IsSame: Type.Integer({
    enum: [0, 1],
    description: '1 = the same fields of all of them changed from the same values to the same',
  }),
});

export const changeSchema = named(
  'Change',
  closedObject(
    {
      Revision: Type.Integer({ description: 'Number of the change, ascending' }),
      Time: Type.String({ description: 'When it was made, for example 2027-01-31T12:00:00.000Z' }),
      UserId: Type.Integer({ description: 'ID of the user who made it; 0 = the program itself' }),
      UserName: Type.String({ description: "The user's name, or the mail address if there is no name" }),
      Entity: Type.String({ enum: [...entityKeys], description: 'Kind of the object' }),
      Id: Type.Integer({ description: 'ID of the object' }),
      Operation: Type.String({
        enum: ['add', 'update', 'activate', 'deactivate', 'rotate', 'connect', 'revoke'],
        description:
          'What was done; rotate = a credential was replaced; connect = another object that names this one was changed; revoke = an API key was ended',
      }),
      Changes: Type.Array(fieldSchema, { description: 'The fields that changed' }),
      BatchId: Type.Optional(Type.String({ description: 'ID of the bulk change it belongs to, if any' })),
      Batch: Type.Optional(
        Type.Array(partSchema, {
          description: 'With `OncePerBatch=1`: what the whole bulk change did, by kind and operation',
        }),
      ),
    },
    'A change of one object',
  ),
);

export type FieldChange = ReadonlyStatic<typeof fieldSchema>;

export type HistoryRow = ReadonlyStatic<typeof changeSchema>;

type HistoryPart = ReadonlyStatic<typeof partSchema>;

type Show = (change: ChangeRecord) => FieldChange;

const withoutValue = (Field: string): Show => {
  const shown = { Field, Written: 1 } as const;
  return () => shown;
};

function values(Field: string, { present, omitted }: Pick<Field, 'present' | 'omitted'>): Show {
  const shown = (stored: unknown) => (present ? present(stored ?? omitted) : (stored ?? omitted));
  return ({ before, after }) => ({
    Field,
    ...(before === null ? {} : { Old: shown(ownMember(before, Field)) }),
    New: shown(ownMember(after, Field)),
  });
}

function compile({ fields }: Pick<Entity, 'fields'>): ReadonlyMap<string, Show> {
  const rows = Object.entries(fields).flatMap(([name, field]): [string, Show][] => {
    const { kind } = field.place;
    // The log only says that credentials were replaced; even otherwise they would not be shown.
    const isHidden = kind === 'secret' || kind === 'listText';
    return [[name, isHidden ? withoutValue(name) : values(name, field)]];
  });
  return new Map(rows);
}

const plain = (...names: readonly string[]) =>
  names.map((name) => [name, values(name, { omitted: '' })] as const);

const partnerNames = accountKindNames.map((kind) => `${kind}Id`);

const people: readonly (readonly [kind: PeopleKind, shows: ReadonlyMap<string, Show>])[] = [
  [
    'User',
    new Map([
      ...plain('Mail', 'FirstName', 'LastName', 'Role', 'Status'),
      ...partnerNames.map((name) => [name, values(name, { omitted: 0 })] as const),
      ['SecondFactor', values('SecondFactor', { omitted: 0 })],
      ...['Password', 'PasswordLink', 'Sessions'].map((name) => [name, withoutValue(name)] as const),
    ]),
  ],
  ['Team', compile({ fields: teamSettings })],
  ['ApiKey', new Map(plain('Label', 'UserId', 'ExpiresAt'))],
];

const fieldsByEntity: ReadonlyMap<string, ReadonlyMap<string, Show>> = new Map([
  ...entities.map((entity) => [entity.key, compile(entity)] as const),
  ...people,
]);

export const fieldNames: readonly string[] = [
  ...new Set([...fieldsByEntity.values()].flatMap((shows) => [...shows.keys()])),
];

function linkedFields(links: Readonly<Record<string, LinkChange>>): FieldChange[] {
  return Object.entries(links).map(([Field, { Added, Removed }]) => ({
    Field,
    Added,
    Removed: Removed.map(({ Id }) => Id),
  }));
}

function changedFields(change: ChangeRecord): FieldChange[] {
  const { entity, before, after } = change;
  const shows = fieldsByEntity.get(entity);
  const names: Values = { ...before, ...after };
  return Object.keys(names).flatMap((name) => shows?.get(name)?.(change) ?? []);
}

export const historyPart = ({ entity, operation, objects, isSame }: BatchPart): HistoryPart => ({
  Entity: entity,
  Operation: operation,
  Objects: objects,
  IsSame: isSame ? 1 : 0,
});

export function historyRow(
  change: ChangeRecord,
  UserName: string,
  parts?: readonly HistoryPart[],
): HistoryRow {
  const { revision, timeMs, userId, entity, id, operation, links, batchId } = change;
  return {
    Revision: revision,
    Time: new Date(timeMs).toJSON(),
    UserId: userId,
    UserName,
    Entity: entity,
    Id: id,
    Operation: operation,
    Changes: [...changedFields(change), ...linkedFields(links)],
    ...(batchId === undefined ? {} : { BatchId: batchId }),
    ...(parts === undefined ? {} : { Batch: parts }),
  };
}
