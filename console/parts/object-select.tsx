import { Select } from '@mantine/core';
import { useState } from 'react';
import { useNames } from '../api/names.ts';
import { objectName, pluralOf } from './object-name.ts';
import { useObjectSearch } from './object-search.ts';

interface SelectProps {
  readonly label: string;
  readonly placeholder: string;
  /** Keys of the entities whose objects can be chosen. */
  readonly kinds: readonly string[];
  /** As `VastTag:1`; undefined = none. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** One object of some kinds, found by its name. */
export function ObjectSelect({ label, placeholder, kinds, value, onChange }: SelectProps) {
  const [query, setQuery] = useState('');
  const [kind = '', id = ''] = (value ?? '').split(':');
  const { [Number(id)]: name = `ID ${id}` } = useNames(kind, value === undefined ? [] : [Number(id)]);
  // What is chosen stands in the input, and is no search.
  const groups = useObjectSearch(kinds, query === name ? '' : query).map(({ entity, objects }) => ({
    group: pluralOf(entity),
    items: objects.map((object) => ({ value: `${entity.key}:${object.Id}`, label: objectName(object) })),
  }));
  const isFound = groups.some(({ items }) => items.some((item) => item.value === value));
  return (
    <Select
      w={260}
      label={label}
      placeholder={placeholder}
      searchable
      clearable
      filter={({ options }) => options}
      data={[
        ...groups.filter(({ items }) => items.length > 0),
        ...(value === undefined || isFound ? [] : [{ group: 'Chosen', items: [{ value, label: name }] }]),
      ]}
      searchValue={query}
      onSearchChange={setQuery}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
}
