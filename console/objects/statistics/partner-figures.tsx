import { Alert, Button, Code, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { AnswerTo } from '../../api/answers.ts';
import { type ApiRequest, pollHeaders, sendRequest } from '../../api/call.ts';
import { ApiCall } from '../../api-call/api-call.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Moment } from '../../parts/moment.tsx';
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
    <Table.ScrollContainer minWidth={640}>
      <Table verticalSpacing={4} aria-label="Figures by day, ours and the partner's">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day</Table.Th>
            {['Impressions', 'Revenue'].map((ours) => (
              <Fragment key={ours}>
                <Table.Th ta="right">{ours}</Table.Th>
                <Table.Th ta="right">the partner’s</Table.Th>
                <Table.Th ta="right">difference</Table.Th>
              </Fragment>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.toReversed().map((row) => (
            <DayCells
              key={String(row.Day)}
              row={row}
              former={former?.get(String(row.Day).slice(0, 10)) ?? []}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const formerText = ({ State, Impressions, Amount }: Version) => {
  if (State === 'withdrawn') return 'not reported';
  return State === 'missing' ? 'left out' : `${count(Impressions)} for ${usd(Amount)}`;
};

function DayCells({ row, former }: { readonly row: DayRow; readonly former: readonly Version[] }) {
  const isReported = row.ReportedDays !== 0;
  const isMissing = row.MissingDays !== 0;
  return (
    <Table.Tr>
      <Table.Td>
        {String(row.Day).slice(0, 10)}
        {former.map((version) => (
          <Text key={version.Fetched} size="xs" c="dimmed">
            changed since: was {formerText(version)}{' '}
            {version.Fetched !== '' && (
              <>
                on <Moment time={version.Fetched} />
              </>
            )}
          </Text>
        ))}
      </Table.Td>
      <Table.Td ta="right">{count(row.Impressions)}</Table.Td>
      <Table.Td ta="right">{isReported ? count(row.PartnerImpressions) : ''}</Table.Td>
      <Table.Td ta="right" c={isReported ? undefined : 'dimmed'}>
        {isReported ? percent(row.Discrepancy) : 'not reported'}
        {isMissing && (
          <Text size="xs" c="dimmed">
            left out: counts as 0
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{usd(row.Revenue)}</Table.Td>
      <Table.Td ta="right">{isReported ? usd(row.PartnerAmount) : ''}</Table.Td>
      <Table.Td ta="right">{isReported ? percent(row.AmountDiscrepancy) : ''}</Table.Td>
    </Table.Tr>
  );
}
