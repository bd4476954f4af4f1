import { Group, SegmentedControl, Select, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ApiCall } from '../api-call/api-call.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { type HealthSide, healthListRequest, healthPagesQuery, stateOptions } from './health.ts';
import { type HealthSearch, type ShownState, shownStates } from './health-search.ts';
import { HealthTable } from './health-table.tsx';

const searchedAfterMs = 200;

/** What is known of the objects that are searched for, each once. */
function useHealth(side: HealthSide, { q, state }: HealthSearch) {
  const [searched] = useDebouncedValue(q, searchedAfterMs);
  const { data, error, isPending, hasNextPage, fetchNextPage } = useInfiniteQuery(
    healthPagesQuery(side, { q: searched, state }),
  );
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  const [first] = data?.pages ?? [];
  return {
    // While a page was read, objects may have moved on to the next one.
    rows: [...new Map(rows.map((row) => [`${row.entity.key} ${row.health.Id}`, row])).values()],
    counts: first?.counts ?? [],
    total: first?.total ?? 0,
    error,
    isPending,
    onMore: hasNextPage ? () => void fetchNextPage() : undefined,
  };
}

/** How all demand, or all supply, is: the worst first. */
export function HealthScreen() {
  const search = useSearch({ from: '/console/health' });
  const navigate = useNavigate();
  const show = (changed: HealthSearch) =>
    void navigate({ to: '/console/health', search: { ...search, ...changed }, replace: true });
  const side = search.side ?? 'demand';
  const { rows, counts, total, error, isPending, onMore } = useHealth(side, search);
  const isNone = search.q === undefined && counts.every(({ Objects }) => Objects === 0);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Title order={1} size="h3">
            Health
          </Title>
          <Text size="sm" c="dimmed" maw={720}>
            The last hour of each object, worst first, updated automatically. Pauses and faulty answers are
            those that this server has seen since its start.{' '}
            <Link to="/console/help/$page" params={{ page: 'funnel-and-health' }} hash="health">
              What the states mean
            </Link>
          </Text>
        </div>
        <ApiCall calls={{ [`Health of ${side}`]: healthListRequest(side, search) }} />
      </Group>
      <Group gap="sm">
        <SegmentedControl
          aria-label="Side"
          data={[
            { value: 'demand', label: 'Demand' },
            { value: 'supply', label: 'Supply' },
          ]}
          value={side}
          onChange={(value) => show({ side: value === 'supply' ? value : undefined, open: undefined })}
        />
        <TextInput
          aria-label="Find by name"
          placeholder="Find by name"
          value={search.q ?? ''}
          onChange={({ currentTarget: { value } }) => show({ q: value === '' ? undefined : value })}
        />
        <StateFilter counts={counts} value={search.state} onChange={(state) => show({ state })} />
      </Group>
      {error && rows.length === 0 && <ErrorNote error={error} />}
      {isPending && <Skeleton h={320} aria-label="Loading the health" />}
      {!isPending && !error && rows.length === 0 && (
        <Text c="dimmed">{isNone ? `There is no ${side} yet.` : 'There are no matches.'}</Text>
      )}
      {rows.length > 0 && (
        <HealthTable
          side={side}
          known={rows}
          total={total}
          onMore={onMore}
          open={search.open}
          onOpen={(open) => show({ open })}
        />
      )}
    </Stack>
  );
}

interface FilterProps {
  readonly counts: Parameters<typeof stateOptions>[0];
  readonly value: ShownState | undefined;
  readonly onChange: (state: ShownState | undefined) => void;
}

/** Which states are shown, each with how many there are. */
function StateFilter({ counts, value, onChange }: FilterProps) {
  return (
    <Select
      w={180}
      aria-label="State"
      placeholder="Any state"
      clearable
      data={[{ value: 'attention', label: 'needs attention' }, ...stateOptions(counts)]}
      value={value ?? null}
      onChange={(state) => onChange(shownStates.find((name) => name === state))}
    />
  );
}
