import { Group, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { entities, entityOf } from '../field-tables.ts';
import { fieldsOf } from '../fields.ts';
import type { Change } from '../objects/history/history.ts';
import { titleOf } from '../parts/value-text.ts';
import { useAccount } from '../session/session-context.ts';
import { nameOfUser, usersQuery } from '../settings/people.ts';
import type { HistorySearch } from './team-history.ts';

const administrator = 0;

/** Kinds of what is no object; only administrators are told of them. */
const security = [
  { value: 'User', label: 'Users' },
  { value: 'ApiKey', label: 'API keys' },
  { value: 'Team', label: 'The team' },
];
const securityFields = [
  'Mail',
  'FirstName',
  'LastName',
  'Role',
  'PublisherId',
  'AdvertiserId',
  'Status',
  'Password',
  'PasswordLink',
  'SecondFactor',
  'Sessions',
  'Label',
  'UserId',
  'ExpiresAt',
];

/** Fields that changes can name: those of the kind, or of all. */
function fieldNames(key: string | undefined): readonly string[] {
  const shown = key === undefined ? entities : [entityOf(key)].filter((entity) => entity !== undefined);
  const fields = shown.flatMap(fieldsOf);
  const names = fields
    .filter(({ place }) => place !== 'statistic' && place !== 'url')
    .map(({ name }) => name);
  return [...new Set(shown.length > 0 ? names : securityFields)].sort();
}

/** Whoever can be chosen: all users for administrators, for others those whose changes are shown. */
function useUserOptions(changes: readonly Change[]) {
  const { data = [] } = useQuery(usersQuery);
  const names = new Map(changes.filter(({ UserId }) => UserId > 0).map((one) => [one.UserId, one.UserName]));
  for (const user of data) names.set(user.Id, nameOfUser(user));
  return [...names].map(([id, name]) => ({ value: String(id), label: name }));
}

interface FilterProps {
  readonly search: HistorySearch;
  readonly changes: readonly Change[];
  readonly onChange: (changed: HistorySearch) => void;
}

/** Which changes are shown: of when, by whom, of what. */
export function HistoryFilters({ search, changes, onChange }: FilterProps) {
  const { from, to, user, entity, field } = search;
  const isAdministrator = useAccount().Role === administrator;
  const users = useUserOptions(changes);
  const kinds = [
    { group: 'Objects', items: entities.map(({ key, title }) => ({ value: key, label: title })) },
    ...(isAdministrator ? [{ group: 'Security', items: security }] : []),
  ];
  return (
    <Group gap="sm" align="flex-end">
      <Select
        w={{ base: '100%', xs: 170 }}
        label="Kind"
        placeholder="Everything"
        clearable
        searchable
        data={kinds}
        value={entity ?? null}
        onChange={(key) => onChange({ entity: key ?? undefined, field: undefined })}
      />
      <Select
        w={{ base: '100%', xs: 190 }}
        label="Field"
        placeholder="Any field"
        clearable
        searchable
        limit={200}
        data={fieldNames(entity).map((name) => ({ value: name, label: titleOf(name) }))}
        value={field ?? null}
        onChange={(name) => onChange({ field: name ?? undefined })}
      />
      <Select
        w={{ base: '100%', xs: 190 }}
        label="User"
        placeholder="Anybody"
        clearable
        searchable
        data={users}
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
