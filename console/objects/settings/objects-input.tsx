import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { objectsQuery } from '../../api/objects.ts';
import { entityOf } from '../../field-tables.ts';
import { objectName } from '../../parts/object-name.ts';
import { nameOfUser, usersQuery } from '../../settings/people.ts';
import { ObjectContext } from '../object-context.ts';
import { boxProps, type InputProps } from './input-props.ts';

/** What a field that names objects of an entity, or users, can be set to. */
function useOptions(key: string) {
  const entity = entityOf(key);
  const objects = useQuery({ ...objectsQuery(entity ?? missing), enabled: entity !== undefined });
  const users = useQuery({ ...usersQuery, enabled: key === 'User' });
  return key === 'User'
    ? (users.data ?? []).map((user) => ({ value: String(user.Id), label: nameOfUser(user) }))
    : (objects.data ?? []).map((object) => ({
        value: String(object.Id),
        label: `${objectName(object)} (${object.Id})`,
      }));
}

/** Who looks after the object that is shown: others than administrators are told of no other user. */
function useManager() {
  const object = use(ObjectContext)?.object;
  return { id: String(object?.AccManagerId), name: String(object?.AccManagerName) };
}

/** Chooses other objects by name: an owner, lists, tags, or a user. */
export function ObjectsInput(props: InputProps) {
  const { field, value, onChange } = props;
  const options = useOptions(field.references ?? '');
  const manager = useManager();
  const known = new Set(options.map((option) => option.value));
  const shown = (Array.isArray(value) ? value : [value]).filter(Boolean).map(String);
  // Those that the list does not have (yet) are shown by their IDs.
  const unknown = shown.filter((id) => !known.has(id));
  const labelOf = (id: string) =>
    field.references === 'User' && id === manager.id ? manager.name : `ID ${id}`;
  const all = [...options, ...unknown.map((id) => ({ value: id, label: labelOf(id) }))];
  if (field.form.type === 'array') {
    return (
      <MultiSelect
        {...boxProps(props)}
        data={all}
        searchable
        clearable
        hidePickedOptions
        limit={100}
        value={shown}
        onChange={(ids) => onChange(ids.map(Number))}
      />
    );
  }
  return (
    <Select
      {...boxProps(props)}
      data={all}
      searchable
      clearable={!props.isRequired}
      limit={100}
      value={shown[0] ?? null}
      onChange={(id) => onChange(id === null ? 0 : Number(id))}
    />
  );
}

/** In place of an entity that is not in the registry: nothing can be asked. */
const missing = { key: '', title: '', help: '', wrapper: '', path: '', side: 'label', knownBy: [] } as const;
