import { Group, SegmentedControl, Select, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ApiCall } from '../api-call/api-call.tsx';
import { entities } from '../field-tables.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { pluralOf } from '../parts/object-name.ts';
import { type HealthRow, healthQuery, healthRequest, shownHealth, stateOptions } from './health.ts';
import type { HealthSearch } from './health-search.ts';
import { HealthTable } from './health-table.tsx';

type Side = 'demand' | 'supply';
const entitiesOf = (wanted: Side) => entities.filter(({ side }) => side === wanted);

function useHealth(side: Side) {
  const shown = entitiesOf(side);
  return useQueries({
    queries: shown.map((entity) => healthQuery(entity)),
    combine: (results) => ({
      error: results.find(({ error }) => error)?.error,
      isPending: results.some(({ isPending }) => isPending),
      known: results.flatMap(({ data = [] }, index): HealthRow[] => {
        const entity = shown[index];
        return entity ? data.map((health) => ({ entity, health })) : [];
      }),
    }),
  });
}

/** How all demand, or all supply, is: the worst first. */
export function HealthScreen() {
  const search = useSearch({ from: '/console/health' });
  const navigate = useNavigate();
  const show = (changed: HealthSearch) =>
    void navigate({ to: '/console/health', search: { ...search, ...changed }, replace: true });
  const side: Side = search.side ?? 'demand';
  const { known, error, isPending } = useHealth(side);
  const found = shownHealth(known, search);
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
        <ApiCall
          calls={Object.fromEntries(
            entitiesOf(side).map((entity) => [`Health of ${pluralOf(entity)}`, healthRequest(entity)]),
          )}
        />
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
        <StateFilter known={known} value={search.state} onChange={(state) => show({ state })} />
      </Group>
      {error && known.length === 0 && <ErrorNote error={error} />}
      {isPending && known.length === 0 && <Skeleton h={320} aria-label="Loading the health" />}
      {!isPending && found.length === 0 && (
        <Text c="dimmed">{known.length === 0 ? `There is no ${side} yet.` : 'There are no matches.'}</Text>
      )}
      {found.length > 0 && (
        <HealthTable side={side} known={found} open={search.open} onOpen={(open) => show({ open })} />
      )}
    </Stack>
  );
}

interface FilterProps {
  readonly known: readonly HealthRow[];
  readonly value: string | undefined;
  readonly onChange: (state: string | undefined) => void;
}

/** Which states are shown, each with how many there are. */
function StateFilter({ known, value, onChange }: FilterProps) {
  return (
    <Select
      w={180}
      aria-label="State"
      placeholder="Any state"
      clearable
      data={stateOptions(known)}
      value={value ?? null}
      onChange={(state) => onChange(state ?? undefined)}
    />
  );
}
