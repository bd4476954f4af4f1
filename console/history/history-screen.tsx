import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { entityOf } from '../field-tables.ts';
import { ChangeRow } from '../objects/history/change-row.tsx';
import type { Change } from '../objects/history/history.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { useTimeZone } from '../parts/time-zone.ts';
import { titleOf } from '../parts/value-text.ts';
import { HistoryFilters } from './history-filters.tsx';
import type { HistorySearch } from './history-search.ts';
import { useNamesOf } from './names-of.ts';
import { teamHistoryQuery } from './team-history.ts';

/** Who of the team changed what, the newest first. */
export function HistoryScreen() {
  const search = useSearch({ from: '/console/history' });
  const navigate = useNavigate();
  const [zone] = useTimeZone();
  const show = (changed: HistorySearch) =>
    void navigate({ to: '.', search: { ...search, ...changed }, replace: true });
  const history = useInfiniteQuery(teamHistoryQuery(search, zone));
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = history;
  const changes = useMemo(() => data?.pages.flatMap((page) => page.changes) ?? [], [data]);
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <Stack gap="md" maw={960}>
      <Title order={1} size="h3">
        History
      </Title>
      <HistoryFilters search={search} changes={changes} onChange={show} />
      {error && <ErrorNote error={error} />}
      {isPending && <Skeleton h={260} aria-label="Loading the history" />}
      {data && changes.length === 0 && (
        <Text c="dimmed">
          No changes match.{' '}
          {isFiltered && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => void navigate({ to: '.', search: {}, replace: true })}
            >
              Show all
            </Button>
          )}
        </Text>
      )}
      <Changes changes={changes} />
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older changes
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const names = useNamesOf(changes);
  return (
    <div>
      {changes.map((change) => (
        <ChangeRow
          key={`${change.Revision}${change.Entity}${change.Id}`}
          change={change}
          about={<About change={change} name={names.get(`${change.Entity} ${change.Id}`)} />}
        />
      ))}
    </div>
  );
}

function About({ change, name }: { readonly change: Change; readonly name: string | undefined }) {
  const { Entity, Id } = change;
  const entity = entityOf(Entity);
  const kind = entity?.title ?? titleOf(Entity);
  if (!entity) {
    return (
      <Text size="sm">
        {kind} {Id}
      </Text>
    );
  }
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {kind}{' '}
      <Link to="/console/$entity/$id/history" params={{ entity: Entity, id: String(Id) }}>
        {name ?? Id}
      </Link>
    </Text>
  );
}
