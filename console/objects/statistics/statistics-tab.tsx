import { Anchor, Group, Select, Skeleton, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { figuresQuery } from '../../api/figures.ts';
import { measures } from '../../field-tables.ts';
import { Change } from '../../parts/change.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { figureText } from '../../parts/figure-text.ts';
import { amountText, titleOf } from '../../parts/value-text.ts';
import { historyQuery } from '../history/history.ts';
import { useShownObject } from '../object-context.ts';
import {
  dayBefore,
  daysBetween,
  figuresOf,
  reportQuery,
  reportUrls,
  totalOf,
  totalsOf,
  urlOfDays,
} from './report.ts';

const LineChart = lazy(async () => ({ default: (await import('../../charts/line-chart.tsx')).LineChart }));

const standardDays = 13;
const comparisons = [
  { value: '', label: 'No comparison' },
  { value: 'period', label: 'The days before' },
  { value: 'year', label: 'A year before' },
];
const yearDays = 364;
const units: Readonly<Record<string, 'USD' | '%'>> = { Spent: 'USD', Revenue: 'USD', FillRate: '%' };
const textOf = (name: string, row: Rows[number]) => figureText(name, row, units[name]);

/** What the object's days counted, beside other days, and when its configuration was changed. */
export function StatisticsTab() {
  const { entity, object } = useShownObject();
  const urls = reportUrls(entity, object);
  if (!urls)
    return (
      <Text c="dimmed">There is no report of {entity.title}s by day yet; their owner's has their sum.</Text>
    );
  return <Days urls={urls} />;
}

function useDays() {
  const search = useSearch({ from: '/console/$entity/$id/statistics' });
  const today = new Date().toJSON().slice(0, 10);
  const to = search.to ?? today;
  const from = search.from ?? dayBefore(to, standardDays);
  return { from, to, compare: search.compare ?? 'period', figure: search.figure };
}

function Days({ urls }: { readonly urls: NonNullable<ReturnType<typeof reportUrls>> }) {
  const { from, to, compare, figure } = useDays();
  const navigate = useNavigate();
  const show = (changed: object) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...changed }), replace: true });
  const days = daysBetween(from, to);
  const back = compare === 'year' ? yearDays : days.length;
  const { data, error, isPending } = useQuery(reportQuery(urls.json, from, to));
  const before = useQuery({
    ...reportQuery(urls.json, dayBefore(from, back), dayBefore(to, back)),
    enabled: compare !== '',
  });
  const names = figuresOf(data ?? []);
  const name = figure && names.includes(figure) ? figure : (names.at(-1) ?? '');
  return (
    <Stack gap="lg">
      <Group align="flex-end" gap="sm">
        <TextInput
          label="From"
          type="date"
          value={from}
          max={to}
          onChange={({ currentTarget: { value } }) => value && show({ from: value })}
        />
        <TextInput
          label="To"
          type="date"
          value={to}
          min={from}
          onChange={({ currentTarget: { value } }) => value && show({ to: value })}
        />
        <Select
          label="Compared with"
          allowDeselect={false}
          data={comparisons}
          value={compare}
          onChange={(value) => show({ compare: value ?? '' })}
        />
        <Select
          label="Figure"
          allowDeselect={false}
          data={names.map((value) => ({ value, label: titleOf(value) }))}
          value={name}
          onChange={(value) => show({ figure: value })}
        />
        <Anchor href={urlOfDays(urls.csv, from, to)} download={`${from}-${to}.csv`} pb={8}>
          CSV
        </Anchor>
      </Group>
      {error && <ErrorNote error={error} />}
      {isPending && <Skeleton h={260} />}
      {data && name && (
        <Figure name={name} days={days} rows={data} before={compare === '' ? undefined : before.data} />
      )}
    </Stack>
  );
}

type Rows = readonly Readonly<Record<string, string | number>>[];

interface FigureProps {
  readonly name: string;
  readonly days: readonly string[];
  readonly rows: Rows;
  readonly before: Rows | undefined;
}

function Figure({ name, days, rows, before }: FigureProps) {
  const { entity, object } = useShownObject();
  const { data: changes = [] } = useQuery(historyQuery({ Entity: entity.key, Id: object.Id }));
  const changedOn = new Set(
    changes.filter(({ Operation }) => Operation !== 'add').map(({ Time }) => Time.slice(0, 10)),
  );
  const marks = days.filter((day) => changedOn.has(day)).map((category) => ({ category, text: 'changed' }));
  const format = (value: number) => amountText(value, units[name]);
  const valuesOf = (all: Rows) => all.map((row) => Number(row[name] ?? 0));
  return (
    <>
      <div>
        <Text size="sm" c="dimmed" title={measures[name]?.help}>
          {titleOf(name)}, {days.length} days
        </Text>
        <Text size="xl" fw={600}>
          {textOf(name, totalsOf(rows))}
        </Text>
        {before && (
          <Change
            now={totalOf(rows, name)}
            before={totalOf(before, name)}
            since="the days before"
            isFalling={name === 'Spent'}
          />
        )}
      </div>
      <Suspense fallback={<Skeleton h={260} />}>
        <LineChart
          label={`${titleOf(name)} by day`}
          categories={days}
          format={format}
          marks={marks}
          series={[
            { name: titleOf(name), values: valuesOf(rows) },
            ...(before ? [{ name: 'Before', values: valuesOf(before), isBefore: true }] : []),
          ]}
        />
      </Suspense>
      <DayTable rows={rows} />
      <LastHours />
    </>
  );
}

const hourMs = 3_600_000;
const hoursShown = 24;

/** Requests of the last 24 hours, the last of which has only begun. */
function LastHours() {
  const { entity, object } = useShownObject();
  const { data } = useQuery(figuresQuery(entity.key, [object.Id]));
  const values = data?.get(object.Id)?.Trend;
  if (!values) return null;
  const now = Math.floor(Date.now() / hourMs);
  const hours = values.map((_, index) =>
    new Date((now - hoursShown + 1 + index) * hourMs).toJSON().slice(11, 16),
  );
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        Requests by the hour
      </Title>
      <Suspense fallback={<Skeleton h={200} />}>
        <LineChart
          label="Requests of the last 24 hours (UTC)"
          categories={hours}
          format={String}
          height={200}
          series={[{ name: 'Requests', values }]}
        />
      </Suspense>
      <Text className="visually-hidden">
        {hours.map((hour, index) => `${hour}: ${values[index]}`).join(', ')}
      </Text>
    </section>
  );
}

function DayTable({ rows }: { readonly rows: Rows }) {
  const names = figuresOf(rows);
  const totals = totalsOf(rows);
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table striped={false} highlightOnHover verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day (UTC)</Table.Th>
            {names.map((name) => (
              <Table.Th key={name} ta="right">
                {titleOf(name)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.toReversed().map((row) => (
            <Table.Tr key={String(row.DateStats)}>
              <Table.Th scope="row" fw={400}>
                {row.DateStats}
              </Table.Th>
              {names.map((name) => (
                <Table.Td key={name} ta="right">
                  {textOf(name, row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th>All</Table.Th>
            {names.map((name) => (
              <Table.Th key={name} ta="right">
                {textOf(name, totals)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  );
}
