import { Box, Button, Group, Select, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { objectsQuery, objectsRequest, type Stored } from '../api/objects.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import type { ShownEntity } from '../field-tables.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { isActive, objectName, ownerNameOf, pluralOf } from '../parts/object-name.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { BulkBar } from './bulk-bar.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { columnsOf, useColumnNames } from './columns.ts';
import { Conditions } from './conditions.tsx';
import { downloadCsv } from './csv.ts';
import { ListRows } from './list-rows.tsx';
import { conditionsOf, type ListSearch } from './list-search.ts';
import { sorted } from './sorting.ts';
import { Views } from './views.tsx';

function found(entity: ShownEntity, objects: readonly Stored[], { q = '', status, owner }: ListSearch) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return objects.filter((object) => {
    if (status !== undefined && isActive(object) !== (status === 'active')) return false;
    if (owner !== undefined && ownerNameOf(entity, object) !== owner) return false;
    const text = `${object.Id} ${objectName(object)} ${ownerNameOf(entity, object)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

interface ListProps {
  readonly entity: ShownEntity;
  readonly search: ListSearch;
}

/** All objects of an entity: found, sorted, switched on and off, and opened. The address says what is shown. */
export function ListScreen({ entity, search }: ListProps) {
  const [wanted, setNames] = useColumnNames(entity);
  const columns = useMemo(() => columnsOf(entity, wanted), [entity, wanted]);
  const names = columns.map(({ name }) => name);
  const { data, error, isPending } = useQuery({
    ...objectsQuery(entity, { fields: names, filter: search.filter ?? [] }),
    placeholderData: keepPreviousData,
  });
  const asked = useDeferredValue(search);
  const shown = useMemo(() => sorted(found(entity, data ?? [], asked), asked.sort), [entity, data, asked]);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const chosen = useMemo(() => data?.filter(({ Id }) => selected.has(Id)) ?? [], [data, selected]);
  const navigate = useNavigate();
  const show = (changed: ListSearch) =>
    void navigate({ to: '.', search: { ...search, ...changed }, replace: true });
  return (
    <Stack gap="md" h="calc(100dvh - 52px - 2 * var(--mantine-spacing-lg))">
      <ListHead entity={entity} all={data?.length} shown={shown.length}>
        <Button
          variant="default"
          visibleFrom="sm"
          disabled={shown.length === 0}
          onClick={() => downloadCsv(entity, columns, shown)}
        >
          CSV
        </Button>
        <AsCall entity={entity} search={search} names={names} />
        <Views entity={entity} search={search} columns={names} onColumns={setNames} />
        <ColumnChooser entity={entity} names={names} onChange={setNames} />
      </ListHead>
      {error && <ErrorNote error={error} />}
      {(data?.length !== 0 || search.filter) && (
        <ListFilters entity={entity} objects={data ?? []} search={search} onChange={show} />
      )}
      {chosen.length > 0 && (
        <BulkBar entity={entity} objects={chosen} onDone={() => setSelected(new Set())} />
      )}
      {isPending && <Skeleton h={260} />}
      {data?.length === 0 && !search.filter && <NothingYet entity={entity} />}
      {data && data.length > 0 && shown.length === 0 && (
        <Text c="dimmed">
          None of the {data.length} fits.{' '}
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => void navigate({ to: '.', search: {}, replace: true })}
          >
            Show all
          </Button>
        </Text>
      )}
      {shown.length > 0 && (
        <ListRows
          entity={entity}
          columns={columns}
          objects={shown}
          sort={search.sort}
          onSort={(sort) => show({ sort })}
          selected={selected}
          onSelect={setSelected}
        />
      )}
    </Stack>
  );
}

/** The list as a program would ask for it. */
function AsCall({ entity, search, names }: ListProps & { readonly names: readonly string[] }) {
  const filter = conditionsOf(entity, search);
  const request = objectsRequest(entity, { fields: names, filter, sort: search.sort });
  return (
    <Box visibleFrom="sm">
      <ApiCall calls={{ 'Fetch this list': request }} />
    </Box>
  );
}

interface HeadProps {
  readonly entity: ShownEntity;
  readonly all: number | undefined;
  readonly shown: number;
  readonly children: React.ReactNode;
}

function ListHead({ entity, all, shown, children }: HeadProps) {
  const may = mayChange(useAccount());
  return (
    <Group justify="space-between" wrap="nowrap">
      <Group gap="sm" align="baseline" wrap="nowrap">
        <Title order={1} size="h3">
          {pluralOf(entity)}
        </Title>
        <Text c="dimmed" aria-live="polite">
          {shown === all || all === undefined ? all : `${shown} of ${all}`}
        </Text>
      </Group>
      <Group gap="xs" wrap="nowrap">
        {children}
        <Button
          leftSection={<Plus size={16} />}
          disabled={!may}
          title={may ? undefined : analystReason}
          renderRoot={(props) => (
            <Link to="/console/$entity/new" params={{ entity: entity.key }} {...props} />
          )}
        >
          New<span className="visually-hidden"> {entity.title}</span>
        </Button>
      </Group>
    </Group>
  );
}

interface FilterProps {
  readonly entity: ShownEntity;
  readonly objects: readonly Stored[];
  readonly search: ListSearch;
  readonly onChange: (changed: ListSearch) => void;
}

function ListFilters({ entity, objects, search, onChange }: FilterProps) {
  const owners = useMemo(
    () => [...new Set(objects.map((object) => ownerNameOf(entity, object)))].filter(Boolean).sort(),
    [entity, objects],
  );
  return (
    <Group gap="sm">
      <TextInput
        w={{ base: '100%', sm: 320 }}
        aria-label={`Search ${pluralOf(entity)}`}
        placeholder="Name, ID or owner"
        leftSection={<Search size={16} />}
        value={search.q ?? ''}
        onChange={({ currentTarget }) => onChange({ q: currentTarget.value || undefined })}
      />
      <Select
        w={140}
        aria-label="Status"
        placeholder="Any status"
        clearable
        data={['active', 'inactive']}
        value={search.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
      />
      {entity.owner && (
        <Select
          w={200}
          aria-label={entity.owner.entity}
          placeholder={`Any ${entity.owner.entity.toLowerCase()}`}
          clearable
          searchable
          limit={100}
          data={owners}
          value={search.owner ?? null}
          onChange={(owner) => onChange({ owner: owner ?? undefined })}
        />
      )}
      <Conditions
        entity={entity}
        conditions={search.filter ?? []}
        onChange={(filter) => onChange({ filter: filter.length > 0 ? filter : undefined })}
      />
    </Group>
  );
}

function NothingYet({ entity }: { readonly entity: ShownEntity }) {
  return (
    <Stack align="flex-start" gap="xs" maw={560}>
      <Text fw={600}>There is no {entity.title} yet</Text>
      <Text c="dimmed">It is {entity.help}.</Text>
    </Stack>
  );
}
