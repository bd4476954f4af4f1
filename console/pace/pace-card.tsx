import { Badge, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { type ApiRequest, pollHeaders, sendRequest } from '../api/call.ts';
import { ApiCall } from '../api-call/api-call.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { type DataColumn, DataTable } from '../parts/table/data-table.tsx';
import { titleOf } from '../parts/value-text.ts';
import { offsetText, zoneName } from '../parts/zone-text.ts';
import {
  momentText,
  type Pace,
  type PaceLine,
  type PaceState,
  paceAmount,
  paceWords,
  partOrder,
  partTitles,
  pointNames,
  stateOf,
  stateTitles,
} from './pace-text.ts';

const LineChart = lazy(async () => ({ default: (await import('../charts/line-chart.tsx')).LineChart }));

const chartHeight = 300;
const pollMs = 60_000;

export const paceRequest = (Entity: string, Id: number) =>
  ({ path: 'api/figures/pace', query: { Entity, Id } }) satisfies ApiRequest;

const paceQuery = (entity: string, id: number) =>
  queryOptions({
    queryKey: ['pace', entity, id],
    queryFn: async ({ signal }) =>
      (await sendRequest(paceRequest(entity, id), { signal, headers: pollHeaders })).data,
    refetchInterval: pollMs,
  });

interface CardProps {
  readonly entity: string;
  readonly id: number;
  /** What is said where nothing has a line. */
  readonly none: ReactNode;
}

/** What is planned, delivered and expected of an object's limits, one at a time. */
export function PaceCard({ entity, id, none }: CardProps) {
  const { data, error } = useQuery(paceQuery(entity, id));
  const [part, setPart] = useState<string>();
  const [unit, setUnit] = useState<string>();
  if (error && !data) return <ErrorNote error={error} />;
  if (!data) return <Skeleton h={chartHeight} aria-label="Loading the pace" />;
  const parts = partOrder.filter((one) => data.Lines.some(({ Part }) => Part === one));
  const shown = parts.find((one) => one === part) ?? parts[0];
  const lines = data.Lines.filter(({ Part }) => Part === shown);
  const line = lines.find(({ Unit }) => Unit === unit) ?? lines[0];
  const call = <ApiCall calls={{ 'Fetch the pace': paceRequest(entity, id) }} />;
  if (!line) {
    return (
      <Group justify="space-between">
        <Text c="dimmed">{none}</Text>
        {call}
      </Group>
    );
  }
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <SegmentedControl
            aria-label="Time"
            data={parts.map((value) => ({ value, label: partTitles[value] }))}
            value={line.Part}
            onChange={setPart}
          />
          {lines.length > 1 && (
            <SegmentedControl
              aria-label="Limit"
              data={lines.map(({ Unit }) => ({ value: Unit, label: titleOf(Unit) }))}
              value={line.Unit}
              onChange={setUnit}
            />
          )}
        </Group>
        {call}
      </Group>
      <Head pace={data} line={line} />
      <PaceChart pace={data} line={line} />
      <PaceTable pace={data} line={line} />
    </Stack>
  );
}

interface LineProps {
  readonly pace: Pace;
  readonly line: PaceLine;
}

const colors: Readonly<Record<PaceState, string>> = {
  waiting: 'gray',
  done: 'gray',
  free: 'gray',
  ahead: 'blue',
  onPlan: 'teal',
  behind: 'orange',
};

function Head({ pace, line }: LineProps) {
  const zone = pace.TimeZone || 'UTC';
  const state = stateOf(line);
  return (
    <Stack gap={4} maw={720}>
      <Group gap="sm" align="center">
        <Badge color={colors[state]} variant="light">
          {stateTitles[state]}
        </Badge>
        <Text size="sm" c="dimmed">
          {momentText(pace, line.From)} to {momentText(pace, line.To)}, {zoneName(zone)}
          {zone !== 'UTC' && ` (${offsetText(zone, Date.parse(pace.Now))})`}
        </Text>
      </Group>
      <Text>{paceWords(pace, line)}</Text>
    </Stack>
  );
}

const members = [
  ['Delivered', 'Delivered'],
  ['Planned', 'Planned'],
  ['Forecast', 'Expected'],
] as const;

function PaceChart({ pace, line }: LineProps) {
  const valuesOf = (member: (typeof members)[number][0]) => line.Points.map((point) => point[member]);
  const planned = line.Spread === 'none' ? [] : [{ name: 'Planned', values: valuesOf('Planned') }];
  return (
    <Suspense fallback={<Skeleton h={chartHeight} />}>
      <LineChart
        label={`${titleOf(line.Unit)}, delivered and planned. ${paceWords(pace, line)}`}
        categories={pointNames(pace, line)}
        format={(value) => paceAmount(line, value)}
        height={chartHeight}
        series={[
          { name: 'Delivered', values: valuesOf('Delivered') },
          ...planned,
          { name: 'Limit', values: line.Points.map(() => line.Limit) },
          { name: 'Expected', values: valuesOf('Forecast'), isBefore: true },
        ]}
      />
    </Suspense>
  );
}

function PaceTable({ pace, line }: LineProps) {
  const names = pointNames(pace, line);
  const rows = line.Points.map((point, place) => ({ ...point, name: names[place] ?? '' }));
  const columns: readonly DataColumn<(typeof rows)[number]>[] = [
    { title: 'By', cell: ({ name }) => name },
    ...members.map(([member, title]) => ({
      title,
      form: 'figure' as const,
      cell: (row: (typeof rows)[number]) => {
        const value = row[member];
        return value === null ? '–' : paceAmount(line, value);
      },
    })),
  ];
  return (
    <details>
      <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
        As a table
      </Text>
      <DataTable
        label={`${titleOf(line.Unit)} by time`}
        columns={columns}
        rows={rows}
        keyOf={({ Time }) => Time}
        maxWidth={560}
        minWidth={360}
      />
    </details>
  );
}
