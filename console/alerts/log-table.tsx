import { Badge, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { alertEndings } from '../../src/reference/alert-conditions.ts';
import type { Stored } from '../api/objects.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { Moment } from '../parts/moment.tsx';
import { objectName } from '../parts/object-name.ts';
import { type DataColumn, DataTable } from '../parts/table/data-table.tsx';
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
    <DataTable
      label="What alerts have found"
      columns={columnsOf(alerts, only === undefined)}
      rows={data}
      keyOf={({ Id }) => Id}
      minWidth={640}
    />
  );
}

function columnsOf(alerts: readonly Stored[], hasName: boolean): readonly DataColumn<Finding>[] {
  const alertOf = ({ AlertId }: Finding) => alerts.find(({ Id }) => Id === AlertId);
  const name: DataColumn<Finding> = {
    title: 'Alert',
    cell: (finding) => <AlertName finding={finding} alert={alertOf(finding)} />,
  };
  return [
    { title: 'Began', cell: ({ Began }) => <Moment time={Began} /> },
    ...(hasName ? [name] : []),
    { title: 'Object', cell: (finding) => <FoundObject finding={finding} /> },
    { title: 'Found', cell: (finding) => <FoundFigure finding={finding} alert={alertOf(finding)} /> },
    { title: 'Ended', cell: (finding) => <End finding={finding} /> },
  ];
}

interface NameProps {
  readonly finding: Finding;
  readonly alert: Stored | undefined;
}

function AlertName({ finding: { AlertId, Rule }, alert }: NameProps) {
  return (
    <span title={Rule}>
      <Link to="/console/$entity/$id" params={{ entity: alertKey, id: String(AlertId) }}>
        {alert ? objectName(alert) : `Alert ${AlertId}`}
      </Link>
    </span>
  );
}

function End({ finding: { Ended, Ending } }: { readonly finding: Finding }) {
  if (Ended === '')
    return (
      <Badge color="red" variant="light">
        fires
      </Badge>
    );
  return (
    <>
      <Moment time={Ended} />
      {Ending !== '' && Ending !== 'over' && (
        <Text size="xs" c="dimmed">
          {alertEndings[Ending]}
        </Text>
      )}
    </>
  );
}
