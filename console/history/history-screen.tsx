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
import { batchText, isMany, isUniform } from './batch-text.ts';
import { HistoryFilters } from './history-filters.tsx';
import type { HistorySearch } from './history-search.ts';
import { useNamesOf } from './names-of.ts';
import { RevertBatch } from './revert-batch.tsx';
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
      {search.batch && (
        <Group gap="sm">
          <Text size="sm">Every change of one bulk change.</Text>
          <RevertBatch id={search.batch} />
          <Button variant="subtle" size="compact-xs" onClick={() => show({ batch: undefined })}>
            Show the whole history
          </Button>
        </Group>
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
      {changes.map((change) => {
        const key = `${change.Revision}${change.Entity}${change.Id}`;
        if (isMany(change.Batch)) return <BatchRow key={key} change={change} parts={change.Batch ?? []} />;
        const name = names.get(`${change.Entity} ${change.Id}`);
        return <ChangeRow key={key} change={change} about={<About change={change} name={name} />} />;
      })}
    </div>
  );
}

interface BatchProps {
  readonly change: Change;
  readonly parts: NonNullable<Change['Batch']>;
}

/** A bulk change as one entry. */
function BatchRow({ change, parts }: BatchProps) {
  const { BatchId = '', Changes } = change;
  const isSame = isUniform(parts);
  const fields = Changes.map(({ Field }) => titleOf(Field)).join(', ');
  const differs = !isSame && parts.length === 1 && change.Operation === 'update';
  return (
    <ChangeRow
      change={isSame ? change : { ...change, Changes: [] }}
      about={
        <Text size="sm" fw={600}>
          {batchText(parts)}
          {differs && `: ${fields}, different for each`}
        </Text>
      }
    >
      <Group gap={4} wrap="nowrap">
        <Button
          variant="subtle"
          size="compact-xs"
          renderRoot={(props) => <Link to="/console/history" search={{ batch: BatchId }} {...props} />}
        >
          Each change
        </Button>
        <RevertBatch id={BatchId} />
      </Group>
    </ChangeRow>
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
