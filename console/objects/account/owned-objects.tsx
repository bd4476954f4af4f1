import { Button, Group, Skeleton, Table, Text, Title } from '@mantine/core';
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
import { titleOf } from '../../parts/value-text.ts';
import { analystReason, mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { useShownObject } from '../object-context.ts';
import classes from './account.module.css';
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
  const names = rowFigures[sideOf(entity)];
  return (
    <div className={classes.box}>
      <Table className={classes.table} aria-label={`${pluralOf(owned)} with today's figures`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Name</Table.Th>
            <Table.Th scope="col">Health</Table.Th>
            {names.map((name) => (
              <Table.Th key={name} scope="col" className={classes.number} title={measures[name]?.help}>
                {titleOf(name)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {objects.map((object) => (
            <Table.Tr key={object.Id}>
              <Table.Th scope="row" className={classes.name}>
                <Link to="/console/$entity/$id" params={{ entity: owned.key, id: String(object.Id) }}>
                  {objectName(object)}
                </Link>{' '}
                <Text component="span" size="xs" c="dimmed">
                  {object.Id}
                </Text>
              </Table.Th>
              <Table.Td>
                <Health object={object} />
              </Table.Td>
              {names.map((name) => (
                <Table.Td key={name} className={classes.number}>
                  {figureText(name, todayOf(object))}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
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
