import type { Entity } from '../../entities/entity.ts';
import { entities } from '../../entities/registry.ts';
import type { Field } from '../../fields/field.ts';
import type { ChangeRecord, Links, PeopleKind, Values } from '../../store/interface.ts';
import type { ShownChange, ShownField } from './shown-change.ts';

type Show = (change: ChangeRecord) => ShownField;

const written = (Field: string): Show => {
  const shown = { Field, Written: 1 } as const;
  return () => shown;
};

/** Old and new value as answers show them. */
function values(Field: string, { present, omitted }: Pick<Field, 'present' | 'omitted'>): Show {
  const shown = (stored: unknown) => (present ? present(stored ?? omitted) : (stored ?? omitted));
  return ({ before, after }) => ({
    Field,
    ...(before === null ? {} : { Old: shown(before[Field]) }),
    New: shown(after[Field]),
  });
}

function compile({ fields }: Entity): ReadonlyMap<string, Show> {
  const rows = Object.entries(fields).flatMap(([name, field]): [string, Show][] => {
    const { kind } = field.place;
    // The log keeps no credentials; if it ever did, they would still not be shown.
    if (kind === 'secret') return [];
    return [[name, kind === 'listText' ? written(name) : values(name, field)]];
  });
  return new Map(rows);
}

const plain = (...names: readonly string[]) =>
  names.map((name) => [name, values(name, { omitted: '' })] as const);

/** What the log has of users and API keys. */
const people: readonly (readonly [kind: PeopleKind, shows: ReadonlyMap<string, Show>])[] = [
  [
    'User',
    new Map([...plain('Mail', 'FirstName', 'LastName', 'Role', 'Status'), ['Password', written('Password')]]),
  ],
  ['ApiKey', new Map(plain('Label', 'UserId', 'ExpiresAt'))],
];

const fieldsByEntity: ReadonlyMap<string, ReadonlyMap<string, Show>> = new Map([
  ...entities.map((entity) => [entity.key, compile(entity)] as const),
  ...people,
]);

function linkedFields(links: Readonly<Record<string, Links>>): ShownField[] {
  return Object.entries(links).map(([Field, { Added, Removed }]) => ({
    Field,
    Added,
    Removed: Removed.map(({ Id }) => Id),
  }));
}

/** The changed fields; those that no field table has any more are left out. */
function changedFields(change: ChangeRecord): ShownField[] {
  const { entity, before, after } = change;
  const shows = fieldsByEntity.get(entity);
  const names: Values = { ...before, ...after };
  return Object.keys(names).flatMap((name) => shows?.get(name)?.(change) ?? []);
}

/** A change as the history shows it. */
export function showChange(change: ChangeRecord, UserName: string): ShownChange {
  const { revision, timeMs, userId, entity, id, operation, links } = change;
  return {
    Revision: revision,
    Time: new Date(timeMs).toJSON(),
    UserId: userId,
    UserName,
    Entity: entity,
    Id: id,
    Operation: operation,
    Changes: [...changedFields(change), ...linkedFields(links)],
  };
}
