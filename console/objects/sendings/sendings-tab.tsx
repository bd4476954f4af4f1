import { Badge, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { alertKey } from '../../alerts/alert-key.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Moment } from '../../parts/moment.tsx';
import { type DataColumn, DataTable } from '../../parts/table/data-table.tsx';
import { reportKey } from '../../reports/report-key.ts';
import { dealKey } from '../deal/deal-key.ts';
import { useShownObject } from '../object-context.ts';
import { type Sending, sendingsQuery } from './sendings-query.ts';

const colors = { waiting: 'gray', sent: 'teal', failed: 'red' } as const;

/** Why nothing was sent yet, by what sends. */
const untilThen: Readonly<Record<string, string>> = {
  [reportKey]: 'It is sent on a schedule: choose one in the settings, with addresses or a webhook.',
  [alertKey]:
    'It sends a message when it begins to fire and when it ends: set addresses or a webhook in the settings.',
  [dealKey]: 'Each time that it is sent stands here, with what went wrong.',
};

/** When a saved report, an alert or a deal was sent to whom, and what has failed. */
export function SendingsTab() {
  const { entity, object } = useShownObject();
  const { data, error } = useQuery(sendingsQuery(`api/${entity.path}/sendings`, object.Id));
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton h={200} />;
  if (data.length === 0) {
    return (
      <Stack gap={4} maw={560}>
        <Text fw={600}>It has not been sent yet</Text>
        <Text c="dimmed">{untilThen[entity.key]}</Text>
      </Stack>
    );
  }
  return <DataTable label="Sendings" columns={columns} rows={data} keyOf={({ Id }) => Id} minWidth={640} />;
}

const columns: readonly DataColumn<Sending>[] = [
  { title: 'Due', cell: ({ Due }) => <Moment time={Due} /> },
  {
    title: 'To',
    cell: ({ To, Channel }) => (
      <>
        <bdi>{To}</bdi>{' '}
        <Text span size="xs" c="dimmed">
          {Channel}
        </Text>
      </>
    ),
  },
  {
    title: 'State',
    cell: ({ State, Error: reason }) => (
      <>
        <Badge color={colors[State]} variant="light">
          {State}
        </Badge>
        {reason && (
          <Text size="xs">
            <bdi>{reason}</bdi>
          </Text>
        )}
      </>
    ),
  },
  {
    title: 'Attempts',
    cell: ({ Attempts, LastAttempt, NextAttempt }) => (
      <>
        {Attempts}
        {LastAttempt && (
          <Text size="xs" c="dimmed">
            last <Moment time={LastAttempt} />
          </Text>
        )}
        {NextAttempt && (
          <Text size="xs" c="dimmed">
            next <Moment time={NextAttempt} />
          </Text>
        )}
      </>
    ),
  },
];
