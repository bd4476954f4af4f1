import { Box, Button, Group, Select, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, Search, Table2 } from 'lucide-react';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import {
  objectCountQuery,
  objectPagesQuery,
  objectsQuery,
  objectsRequest,
  type Stored,
} from '../api/objects.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { entityOf, type ShownEntity } from '../field-tables.ts';
import { sentenceOf } from '../fields.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { objectName, pluralOf } from '../parts/object-name.ts';
import { countText } from '../parts/value-text.ts';
import { analystReason, mayChange } from '../session/session.ts';
import { useAccount } from '../session/session-context.ts';
import { ExportMenu } from '../sheets/export-menu.tsx';
import { ImportButton } from '../sheets/import-button.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { columnsOf, healthColumn, useColumnNames } from './columns.ts';
import { Conditions } from './conditions.tsx';
import { ListRows } from './list-rows.tsx';
import { askedOf, type ListSearch } from './list-search.ts';
import { Views } from './views.tsx';

interface ListProps {
  readonly entity: ShownEntity;
  readonly search: ListSearch;
}

/** All objects of an entity: found, sorted, switched on and off, and opened. The address says what is shown. */
export function ListScreen({ entity, search }: ListProps) {
  const client = useQueryClient();
  const [wanted, setNames] = useColumnNames(entity);
  const columns = useMemo(() => columnsOf(entity, wanted), [entity, wanted]);
  const fields = useMemo(() => columns.flatMap(sentenceOf), [columns]);
  const names = useMemo(() => fields.map(({ name }) => name), [fields]);
  const asked = useDeferredValue(search);
  const listed = useMemo(() => ({ fields: names, ...askedOf(entity, asked) }), [entity, asked, names]);
  // Rows in sight ask for their health by themselves: that of all objects would keep the first page waiting.
  const paged = useMemo(
    () => ({ ...listed, fields: names.filter((name) => name !== healthColumn) }),
    [listed, names],
  );
  const { data: all } = useQuery(objectCountQuery(entity));
  const { data, error, isPending, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    ...objectPagesQuery(entity, paged),
    placeholderData: keepPreviousData,
  });
  const shown = useMemo(() => data?.pages.flatMap(({ objects }) => objects) ?? [], [data]);
  const total = data?.pages[0]?.total ?? 0;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const [selected, setSelected] = useState<ReadonlyMap<number, Stored>>(new Map());
  const chosen = useMemo(() => [...selected.values()], [selected]);
  const selecting = useMutation({
    mutationFn: async () => {
      const found = hasNextPage
        ? await client.fetchQuery({ ...objectsQuery(entity, paged), staleTime: 0 })
        : shown;
      setSelected(new Map(found.map((object) => [object.Id, object])));
    },
  });
  const [exportError, setExportError] = useState<Error>();
  const fault = error ?? selecting.error ?? exportError;
  const navigate = useNavigate();
  const show = (changed: ListSearch) =>
    void navigate({ to: '.', search: { ...search, ...changed }, replace: true });
  return (
    <Stack gap="md" h="calc(100dvh - 52px - 2 * var(--mantine-spacing-lg))">
      <ListHead entity={entity} all={all} shown={data && total}>
        {entity.side === 'floor' && (
          <Button
            variant="default"
            leftSection={<Table2 size={16} />}
            renderRoot={(props) => (
              <Link
                to="/console/$entity"
                params={{ entity: entity.key }}
                search={{ table: 'team' }}
                {...props}
              />
            )}
          >
            Table
          </Button>
        )}
        <ExportMenu
          entity={entity}
          columns={fields}
          asked={askedOf(entity, search)}
          total={total}
          onError={setExportError}
        />
        <ImportButton entity={entity} />
        <AsCall entity={entity} search={search} names={names} />
        <Views entity={entity} search={search} columns={names} onColumns={setNames} />
        <ColumnChooser entity={entity} names={columns.map(({ name }) => name)} onChange={setNames} />
      </ListHead>
      {fault && <ErrorNote error={fault} />}
      {all !== 0 && <ListFilters entity={entity} search={search} onChange={show} />}
      {chosen.length > 0 && (
        <BulkBar entity={entity} objects={chosen} onDone={() => setSelected(new Map())} />
      )}
      {isPending && <Skeleton h={260} />}
      {all === 0 && <NothingYet entity={entity} />}
      {all !== undefined && all > 0 && data && total === 0 && (
        <Text c="dimmed">
          None of the {countText(all)} fits.{' '}
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
          total={total}
          onMore={hasNextPage && !isFetching ? more : undefined}
          sort={search.sort}
          onSort={(sort) => show({ sort })}
          selected={selected}
          onSelect={setSelected}
          onSelectAll={() => selecting.mutate()}
        />
      )}
    </Stack>
  );
}

/** The list as a program would ask for it. */
function AsCall({ entity, search, names }: ListProps & { readonly names: readonly string[] }) {
  const request = objectsRequest(entity, { fields: names, ...askedOf(entity, search) });
  return (
    <Box visibleFrom="sm">
      <ApiCall calls={{ 'Fetch this list': request }} />
    </Box>
  );
}

interface HeadProps {
  readonly entity: ShownEntity;
  readonly all: number | undefined;
  readonly shown: number | undefined;
  readonly children: React.ReactNode;
}

/** As `412 of 20,000`. */
function totalText(shown: number | undefined, all: number | undefined): string {
  if (all === undefined) return '';
  return shown === undefined || shown === all ? countText(all) : `${countText(shown)} of ${countText(all)}`;
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
          {totalText(shown, all)}
        </Text>
      </Group>
      <Group gap="xs" justify="flex-end">
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
  readonly search: ListSearch;
  readonly onChange: (changed: ListSearch) => void;
}

function ListFilters({ entity, search, onChange }: FilterProps) {
  const owner = entityOf(entity.owner?.entity ?? '');
  const { data: accounts = [] } = useQuery({
    ...objectsQuery(owner ?? entity, { sort: 'Name' }),
    enabled: owner !== undefined,
  });
  const owners = useMemo(() => [...new Set(accounts.map(objectName))], [accounts]);
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
