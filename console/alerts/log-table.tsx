import { Badge, Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { alertEndings } from '../../src/reference/alert-conditions.ts';
import type { Stored } from '../api/objects.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { Moment } from '../parts/moment.tsx';
import { objectName } from '../parts/object-name.ts';
import { alertKey } from './alert-key.ts';
import { type Finding, logQuery } from './alerts.ts';
import { FoundFigure, FoundObject } from './finding-text.tsx';

interface LogProps {
  /** The alerts, to name them and the units of their figures. */
  readonly alerts: readonly Stored[];
  readonly only?: number;
}

/** What alerts have found, the newest first. */
export function LogTable({ alerts, only }: LogProps) {
  const { data, error } = useQuery(logQuery(only === undefined ? {} : { Id: only }));
  if (error && !data) return <ErrorNote error={error} />;
  if (!data) return <Skeleton h={160} />;
  if (data.length === 0) return <Text c="dimmed">Nothing has been found yet.</Text>;
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table verticalSpacing={6} aria-label="What alerts have found">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Began</Table.Th>
            {only === undefined && <Table.Th>Alert</Table.Th>}
            <Table.Th>Object</Table.Th>
            <Table.Th>Found</Table.Th>
            <Table.Th>Ended</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map((finding) => (
            <LogRow
              key={finding.Id}
              finding={finding}
              alert={alerts.find(({ Id }) => Id === finding.AlertId)}
              hasName={only === undefined}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface RowProps {
  readonly finding: Finding;
  readonly alert: Stored | undefined;
  readonly hasName: boolean;
}

function LogRow({ finding, alert, hasName }: RowProps) {
  const { Began, Ended, Ending, AlertId, Rule } = finding;
  return (
    <Table.Tr>
      <Table.Td>
        <Moment time={Began} />
      </Table.Td>
      {hasName && (
        <Table.Td title={Rule} style={{ overflowWrap: 'anywhere' }}>
          <Link to="/console/$entity/$id" params={{ entity: alertKey, id: String(AlertId) }}>
            {alert ? objectName(alert) : `Alert ${AlertId}`}
          </Link>
        </Table.Td>
      )}
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <FoundObject finding={finding} />
      </Table.Td>
      <Table.Td>
        <FoundFigure finding={finding} alert={alert} />
      </Table.Td>
      <Table.Td>
        {Ended === '' ? (
          <Badge color="red" variant="light">
            fires
          </Badge>
        ) : (
          <>
            <Moment time={Ended} />
            {Ending !== '' && Ending !== 'over' && (
              <Text size="xs" c="dimmed">
                {alertEndings[Ending]}
              </Text>
            )}
          </>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
