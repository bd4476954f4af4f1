import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { objectsQuery } from '../../api/objects.ts';
import { entityOf } from '../../field-tables.ts';
import { nameOf } from '../../parts/object-name.ts';
import { commonProps, type InputProps } from './input-props.ts';

/** Chooses other objects by name: an owner, lists, tags. */
export function ObjectsInput(props: InputProps) {
  const { field, value, onChange } = props;
  const entity = entityOf(field.references ?? '');
  const { data = [] } = useQuery({ ...objectsQuery(entity ?? missing), enabled: entity !== undefined });
  const options = data.map((object) => ({
    value: String(object.Id),
    label: `${nameOf(object)} (${object.Id})`,
  }));
  const known = new Set(options.map((option) => option.value));
  const shown = (Array.isArray(value) ? value : [value]).filter(Boolean).map(String);
  // Those that the list does not have (yet) are shown by their IDs.
  const data_ = [
    ...options,
    ...shown.filter((id) => !known.has(id)).map((id) => ({ value: id, label: `ID ${id}` })),
  ];
  if (field.form.type === 'array') {
    return (
      <MultiSelect
        {...commonProps(props)}
        data={data_}
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
      {...commonProps(props)}
      maw={420}
      data={data_}
      searchable
      clearable={!props.isRequired}
      limit={100}
      value={shown[0] ?? null}
      onChange={(id) => onChange(id === null ? 0 : Number(id))}
    />
  );
}

/** In place of an entity that is not in the registry, such as users: nothing can be asked. */
const missing = { key: '', title: '', help: '', wrapper: '', path: '', side: 'label', fields: [] } as const;
