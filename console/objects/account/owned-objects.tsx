import { Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { healthStateNames } from '../../../src/reference/health-states.ts';
import type { Stored } from '../../api/objects.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { measures, type ShownEntity } from '../../field-tables.ts';
import { StateBadge } from '../../health/state-badge.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { figureText } from '../../parts/figure-text.ts';
import { objectName, pluralOf } from '../../parts/object-name.ts';
import { type DataColumn, DataTable } from '../../parts/table/data-table.tsx';
import { titleOf } from '../../parts/value-text.ts';
import { analystReason, mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { useShownObject } from '../object-context.ts';
import { ownedQuery, ownedRequest, rowFigures, shownMax, sideOf } from './owned.ts';

/** What the account has of one kind, with today's figures. */
export function OwnedObjects({ owned }: { readonly owned: ShownEntity }) {
  const { entity, object } = useShownObject();
  const may = mayChange(useAccount());
  const side = sideOf(entity);
  const { data, error } = useQuery(ownedQuery(owned, side, object.Id));
  const plural = pluralOf(owned);
  return (
    <section aria-label={plural}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h4">
          {plural}{' '}
          <Text component="span" c="dimmed" size="sm">
            {data?.total === 0 ? 'none' : data?.total}
          </Text>
        </Title>
        <Group gap="xs">
          <ApiCall calls={{ [`Fetch its ${plural}`]: ownedRequest(owned, side, object.Id) }} />
          <Button
            size="xs"
            variant="default"
            leftSection={<Plus size={14} />}
            disabled={!may}
            title={may ? undefined : analystReason}
            renderRoot={(props) => (
              <Link
                to="/console/$entity/new"
                params={{ entity: owned.key }}
                search={{ owner: object.Id }}
                {...props}
              />
            )}
          >
            New {owned.title}
          </Button>
        </Group>
      </Group>
      {error && !data && <ErrorNote error={error} />}
      {!data && !error && <Skeleton h={60} />}
      {data && data.total > 0 && <OwnedTable owned={owned} objects={data.objects} />}
      {data && data.total > shownMax && (
        <Text size="sm" mt="xs">
          The {shownMax} that earn most today.{' '}
          <Link to="/console/$entity" params={{ entity: owned.key }} search={{ owner: objectName(object) }}>
            All {data.total}
          </Link>
        </Text>
      )}
    </section>
  );
}

interface TableProps {
  readonly owned: ShownEntity;
  readonly objects: readonly Stored[];
}

function OwnedTable({ owned, objects }: TableProps) {
  const { entity } = useShownObject();
  const columns: readonly DataColumn<Stored>[] = [
    {
      title: 'Name',
      width: '34%',
      cell: (object) => (
        <>
          <Link to="/console/$entity/$id" params={{ entity: owned.key, id: String(object.Id) }}>
            {objectName(object)}
          </Link>{' '}
          <Text component="span" size="xs" c="dimmed">
            {object.Id}
          </Text>
        </>
      ),
    },
    { title: 'Health', cell: (object) => <Health object={object} /> },
    ...rowFigures[sideOf(entity)].map(
      (name): DataColumn<Stored> => ({
        title: titleOf(name),
        help: measures[name]?.help,
        form: 'figure',
        cell: (object) => figureText(name, todayOf(object)),
      }),
    ),
  ];
  return (
    <DataTable
      label={`${pluralOf(owned)} with today's figures`}
      columns={columns}
      rows={objects}
      keyOf={({ Id }) => Id}
      minWidth={640}
    />
  );
}

/** The figures of today that an answer names with the day. */
const todayOf = (object: Stored) =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) =>
      name.startsWith('Today.') ? [[name.slice('Today.'.length), value]] : [],
    ),
  );

function Health({ object }: { readonly object: Stored }) {
  const state = healthStateNames.find((name) => name === object['Health.State']);
  return state ? <StateBadge state={state} /> : null;
}
