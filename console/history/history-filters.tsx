import { Group, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { entities, entityOf } from '../field-tables.ts';
import { fieldsOf } from '../fields.ts';
import type { Change } from '../objects/history/history.ts';
import { byLabelOrName } from '../parts/by-label-or-name.ts';
import { ObjectSelect } from '../parts/object-select.tsx';
import { titleOf } from '../parts/value-text.ts';
import { mayManageUsers } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { usersQuery } from '../settings/people.ts';
import { fieldNames, kindOptions, userOptions } from './history-options.ts';
import type { HistorySearch } from './history-search.ts';

/** Fields of the kind, or of all. */
function shownFields(key: string | undefined) {
  const shown = key === undefined ? entities : [entityOf(key)].filter((entity) => entity !== undefined);
  return shown.flatMap(fieldsOf);
}

/** From `VastTag:1`; no object leaves the kind. */
function objectOf(chosen: string | undefined): HistorySearch {
  const [entity, id] = chosen?.split(':') ?? [];
  return entity === undefined ? { id: undefined } : { entity, id: Number(id), field: undefined };
}

interface FilterProps {
  readonly search: HistorySearch;
  readonly changes: readonly Change[];
  readonly onChange: (changed: HistorySearch) => void;
}

/** Which changes are shown: of when, by whom, of what. */
export function HistoryFilters({ search, changes, onChange }: FilterProps) {
  const { from, to, user, entity, field, id } = search;
  const isAdministrator = mayManageUsers(useAccount());
  const { data: users = [] } = useQuery(usersQuery);
  return (
    <Group gap="sm" align="flex-end">
      <Select
        w={{ base: '100%', xs: 170 }}
        label="Kind"
        placeholder="Everything"
        clearable
        searchable
        data={kindOptions(entities, isAdministrator)}
        value={entity ?? null}
        onChange={(key) => onChange({ entity: key ?? undefined, field: undefined, id: undefined })}
      />
      <ObjectSelect
        label="Object"
        placeholder={entity === undefined ? 'Choose a kind first' : 'Any object'}
        kinds={entity === undefined ? [] : [entity]}
        value={entity === undefined || id === undefined ? undefined : `${entity}:${id}`}
        onChange={(chosen) => onChange(objectOf(chosen))}
      />
      <Select
        w={{ base: '100%', xs: 190 }}
        label="Field"
        filter={byLabelOrName}
        placeholder="Any field"
        clearable
        searchable
        limit={200}
        data={fieldNames(shownFields(entity)).map((name) => ({ value: name, label: titleOf(name) }))}
        value={field ?? null}
        onChange={(name) => onChange({ field: name ?? undefined })}
      />
      <Select
        w={{ base: '100%', xs: 190 }}
        label="User"
        placeholder="Anybody"
        clearable
        searchable
        data={userOptions(changes, users)}
        value={user === undefined ? null : String(user)}
        onChange={(id) => onChange({ user: id === null ? undefined : Number(id) })}
      />
      <TextInput
        type="date"
        label="From"
        max={to}
        value={from ?? ''}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label="To"
        min={from}
        value={to ?? ''}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value || undefined })}
      />
    </Group>
  );
}
