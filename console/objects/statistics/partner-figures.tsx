import { Alert, Button, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AnswerTo } from '../../api/answers.ts';
import { type ApiRequest, pollHeaders, sendRequest } from '../../api/call.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Moment } from '../../parts/moment.tsx';
import { type DataColumn, DataTable } from '../../parts/table/data-table.tsx';
import { dayAfter, todayIn } from '../../reports/period.ts';
import { analystReason, mayChange } from '../../session/session.ts';
import { useAccount } from '../../session/session-context.ts';
import { announce } from '../../shell/announcements.ts';
import { useShownObject } from '../object-context.ts';

type FetchState = AnswerTo<'api/statistics/partner/get'>;

/** What was said of a day at a time. */
type Version = AnswerTo<'api/statistics/partner/history'>[number];

const measures = [
  'Impressions',
  'PartnerImpressions',
  'Discrepancy',
  'Revenue',
  'PartnerAmount',
  'AmountDiscrepancy',
  'ReportedDays',
  'MissingDays',
] as const;
type DayRow = AnswerTo<'api/statistics/report'>['Rows'][number];

const daysShown = 14;
const pollMs = 15_000;

const stateRequest = (Entity: string, Id: number) =>
  ({
    path: 'api/statistics/partner/get',
    query: { Entity, Id },
  }) satisfies ApiRequest;
const historyRequest = (Entity: string, Id: number) =>
  ({
    path: 'api/statistics/partner/history',
    query: { Entity, Id, From: dayAfter(todayIn('UTC'), -daysShown) },
  }) satisfies ApiRequest;
const fetchRequest = (Entity: string, Id: number) =>
  ({
    path: 'api/statistics/partner/fetch',
    body: { Entity, Id },
  }) satisfies ApiRequest;

function daysRequest(entity: string, id: number) {
  const today = todayIn('UTC');
  const Filters = [{ Field: 'Demand', Operator: 'In', Values: [`${entity}:${id}`] }];
  const days = { From: dayAfter(today, -daysShown), To: dayAfter(today, -1), TimeZone: 'UTC' };
  const body = { ...days, GroupBy: ['Day'], Measures: measures, Filters };
  return { path: 'api/statistics/report', body } satisfies ApiRequest;
}

const stateQuery = (entity: string, id: number) =>
  queryOptions({
    queryKey: ['partner state', entity, id],
    queryFn: async ({ signal }) =>
      (await sendRequest(stateRequest(entity, id), { signal, headers: pollHeaders })).data,
    refetchInterval: pollMs,
  });

const daysQuery = (entity: string, id: number, lastFetch: string) =>
  queryOptions({
    queryKey: ['partner days', entity, id, lastFetch],
    queryFn: async ({ signal }) => (await sendRequest(daysRequest(entity, id), { signal })).data.Rows,
  });

/** By day, what was said before, the newest first. */
const formerQuery = (entity: string, id: number, lastFetch: string) =>
  queryOptions({
    queryKey: ['partner history', entity, id, lastFetch],
    queryFn: async ({ signal }) => {
      const { data } = await sendRequest(historyRequest(entity, id), { signal });
      const byDay = Map.groupBy(data, ({ Day }) => Day);
      return new Map([...byDay].map(([day, versions]) => [day, versions.slice(1)]));
    },
  });

/** What the partner of a demand object reports, beside what we count, and how its last fetch went. */
export function PartnerFigures() {
  const { entity, object } = useShownObject();
  const client = useQueryClient();
  const may = mayChange(useAccount());
  const state = useQuery(stateQuery(entity.key, object.Id));
  const request = fetchRequest(entity.key, object.Id);
  const fetching = useMutation({
    mutationFn: () => sendRequest(request),
    onSuccess() {
      announce('It will be fetched within 15 seconds');
      return client.invalidateQueries({ queryKey: stateQuery(entity.key, object.Id).queryKey });
    },
  });
  const { data, error } = state;
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2}>
          <Title order={2} size="h4">
            What the partner reports
          </Title>
          <Text size="sm" c="dimmed">
            StatsApi is fetched once a day, for the last three days (UTC, or the time zone after #zone= in
            it).
          </Text>
        </Stack>
        <Group gap="xs">
          <Button
            variant="default"
            disabled={!may || object.Status !== 0}
            title={may ? undefined : analystReason}
            loading={fetching.isPending}
            onClick={() => fetching.mutate()}
          >
            Fetch now
          </Button>
          <ApiCall
            calls={{
              'Fetch the state': stateRequest(entity.key, object.Id),
              'Fetch what was said before': historyRequest(entity.key, object.Id),
              'Fetch now': request,
            }}
          />
        </Group>
      </Group>
      {fetching.error && <ErrorNote error={fetching.error} />}
      {error && <ErrorNote error={error} />}
      {!data && !error && <Skeleton h={120} />}
      {data && <LastFetch fetched={data} />}
      {data && data.State !== 'none' && data.State !== 'waiting' && <Days lastFetch={data.LastFetch} />}
    </Stack>
  );
}

function LastFetch({ fetched }: { readonly fetched: FetchState }) {
  const { State, IsUnderWay, LastFetch: last, NextFetch, Rows, Error: reason, Sample } = fetched;
  if (State === 'none' || State === 'waiting') {
    return (
      <Text c="dimmed">
        {State === 'none'
          ? 'It has not been fetched yet; new URLs are noticed within ten minutes.'
          : 'It will be fetched soon.'}
      </Text>
    );
  }
  return (
    <>
      <Text size="sm">
        {State === 'read' ? `Read ${Rows === 1 ? '1 row' : `${Rows} rows`}` : 'Nothing was read'}{' '}
        <Moment time={last} />;{' '}
        {IsUnderWay === 1 ? (
          'it is being fetched now.'
        ) : (
          <>
            next <Moment time={NextFetch} />.
          </>
        )}
      </Text>
      {reason !== '' && (
        <Alert
          color="red"
          title={State === 'failed' ? 'It cannot be fetched' : 'It cannot be read, and nothing in it counts'}
        >
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{reason}</bdi>
          </Text>
          {Sample !== '' && (
            <>
              <Text size="sm" mt="xs">
                It begins:
              </Text>
              <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {Sample}
              </Code>
            </>
          )}
        </Alert>
      )}
    </>
  );
}

const percent = (value: unknown) => `${Number(value) > 0 ? '+' : ''}${Number(value).toFixed(1)} %`;
const usd = (value: unknown) =>
  Number(value).toLocaleString('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 2 });
const count = (value: unknown) => Number(value).toLocaleString('en-US');

function Days({ lastFetch }: { readonly lastFetch: string }) {
  const { entity, object } = useShownObject();
  const { data, error } = useQuery(daysQuery(entity.key, object.Id, lastFetch));
  const { data: former } = useQuery(formerQuery(entity.key, object.Id, lastFetch));
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton h={200} />;
  return (
    <DataTable
      label="Figures by day, ours and the partner's"
      columns={dayColumns(former)}
      rows={data.toReversed()}
      keyOf={({ Day }) => String(Day)}
      minWidth={640}
    />
  );
}

const formerText = ({ State, Impressions, Amount }: Version) => {
  if (State === 'withdrawn') return 'not reported';
  return State === 'missing' ? 'left out' : `${count(Impressions)} for ${usd(Amount)}`;
};

const isReported = ({ ReportedDays }: DayRow) => ReportedDays !== 0;

/** Columns of the partner's figures, which a day that it has not reported does not have. */
const reported = (title: string, head: string, cell: (row: DayRow) => ReactNode): DataColumn<DayRow> => ({
  title,
  head,
  form: 'figure',
  cell: (row) => (isReported(row) ? cell(row) : ''),
});

const dayColumns = (
  former: ReadonlyMap<string, readonly Version[]> | undefined,
): readonly DataColumn<DayRow>[] => [
  { title: 'Day', cell: ({ Day }) => <DayText day={String(Day).slice(0, 10)} former={former} /> },
  { title: 'Impressions', form: 'figure', cell: ({ Impressions }) => count(Impressions) },
  reported('The partner’s impressions', 'the partner’s', ({ PartnerImpressions }) =>
    count(PartnerImpressions),
  ),
  {
    title: 'Difference of impressions',
    head: 'difference',
    form: 'figure',
    cell: (row) => <Discrepancy row={row} />,
  },
  { title: 'Revenue', form: 'figure', cell: ({ Revenue }) => usd(Revenue) },
  reported('The partner’s amount', 'the partner’s', ({ PartnerAmount }) => usd(PartnerAmount)),
  reported('Difference of amounts', 'difference', ({ AmountDiscrepancy }) => percent(AmountDiscrepancy)),
];

interface DayProps {
  readonly day: string;
  readonly former: ReadonlyMap<string, readonly Version[]> | undefined;
}

function DayText({ day, former }: DayProps) {
  return (
    <>
      {day}
      {former?.get(day)?.map((version) => (
        <Text key={version.Fetched} size="xs" c="dimmed">
          changed since: was {formerText(version)}{' '}
          {version.Fetched !== '' && (
            <>
              on <Moment time={version.Fetched} />
            </>
          )}
        </Text>
      ))}
    </>
  );
}

function Discrepancy({ row }: { readonly row: DayRow }) {
  return (
    <>
      {isReported(row) ? (
        percent(row.Discrepancy)
      ) : (
        <Text span inherit c="dimmed">
          not reported
        </Text>
      )}
      {row.MissingDays !== 0 && (
        <Text size="xs" c="dimmed">
          left out: counts as 0
        </Text>
      )}
    </>
  );
}
