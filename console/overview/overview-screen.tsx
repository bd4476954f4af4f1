import { Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { FiringNotice } from '../alerts/firing-notice.tsx';
import { type Overview, overviewQuery } from '../api/figures.ts';
import { MarkedChart } from '../changes/marked-chart.tsx';
import { explainedOr } from '../drivers/drivers.ts';
import { measures } from '../field-tables.ts';
import { Change } from '../parts/change.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { figureText } from '../parts/figure-text.ts';
import { amountText, titleOf } from '../parts/value-text.ts';
import { timeText } from '../parts/zone-text.ts';
import { FailedNotice } from '../reports/failed-notice.tsx';
import { dayAfter, todayIn } from '../reports/period.ts';
import classes from './overview-screen.module.css';
import { hasSupplyQuery } from './supply.ts';

const DriversCard = lazy(async () => ({
  default: (await import('../drivers/drivers-card.tsx')).DriversCard,
}));
const Attention = lazy(async () => ({ default: (await import('./attention.tsx')).Attention }));
const RecentChanges = lazy(async () => ({
  default: (await import('./recent-changes.tsx')).RecentChanges,
}));
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));

/** The figures of the first row, in their order. */
const shown = ['Revenue', 'Cost', 'Profit', 'Requests', 'FillRate', 'Impressions'] as const;
const drawn = ['Revenue', 'Profit', 'Cost', 'Requests', 'Impressions', 'FillRate'] as const;
type DrawnFigure = (typeof drawn)[number];
/** Changes of the whole team are marked. */
const noFilters = [] as const;

/** What happens today; for a team without supply, how to begin. */
export function OverviewScreen() {
  const { data: hasSupply, isFetching } = useQuery(hasSupplyQuery);
  if (hasSupply !== false) return <DayOverview />;
  // It may have got some since it was last asked.
  if (isFetching) return <Skeleton h={420} />;
  return (
    <Suspense fallback={<Skeleton h={420} />}>
      <FirstSteps />
    </Suspense>
  );
}

/** The day that the address names; undefined for today. */
function useDay() {
  const { from } = useSearch({ strict: false });
  const today = todayIn('UTC');
  return { today, day: from !== undefined && from < today ? from : undefined };
}

/** What the figures are of, and what they are compared with. */
function spanText({ Day, ComparedUntil }: Overview, isToday: boolean): string {
  if (!isToday)
    return `${timeText(Date.parse(Day), 'UTC', 'day')}, compared with the day before and a week before.`;
  const until = timeText(Date.parse(ComparedUntil), 'UTC', 'time').slice(0, 5);
  return `Today so far, compared with yesterday and a week ago until ${until}.`;
}

/** What happens on a day, beside the same part of other days; renewed by itself. */
function DayOverview() {
  const { day } = useDay();
  const { data, error } = useQuery({ ...overviewQuery(day), placeholderData: keepPreviousData });
  return (
    <Stack gap="xl" maw={1200}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={1} size="h3">
            Overview
          </Title>
          <Text size="sm" c="dimmed">
            {data ? spanText(data, day === undefined) : 'Today so far.'} Days are UTC.{' '}
            <Link to="/console/help/$page" params={{ page: 'glossary' }} hash="figures">
              What the figures mean
            </Link>
          </Text>
        </div>
        <DayInput />
      </Group>
      <FiringNotice />
      <FailedNotice />
      {error && !data && <ErrorNote error={error} />}
      {!data && !error && <Skeleton h={420} />}
      {data && <Figures overview={data} />}
    </Stack>
  );
}

/** Today, yesterday or any other day, kept in the address. */
function DayInput() {
  const { today, day = today } = useDay();
  const navigate = useNavigate();
  const show = (next: string) =>
    void navigate({ to: '/', search: { from: next !== '' && next < today ? next : undefined } });
  const yesterday = dayAfter(today, -1);
  return (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        aria-label="Day"
        data={[
          { value: today, label: 'Today' },
          { value: yesterday, label: 'Yesterday' },
        ]}
        value={day}
        onChange={show}
      />
      <TextInput
        size="xs"
        type="date"
        aria-label="Other day"
        max={today}
        value={day}
        onChange={({ currentTarget: { value } }) => show(value)}
      />
    </Group>
  );
}

function Figures({ overview }: { readonly overview: Overview }) {
  const { day } = useDay();
  const [figure, setFigure] = useState<DrawnFigure>('Revenue');
  const [before, weekBefore] =
    day === undefined ? ['yesterday', 'last week'] : ['the day before', 'the week before'];
  const time = day === undefined ? { Period: 'Today' } : { From: day, To: day };
  return (
    <>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 6 }} m={0} spacing="xl">
        {shown.map((name) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed" title={measures[name]?.help}>
              {titleOf(name)}
            </Text>
            <dd className={classes.figure}>{figureText(name, overview.Today)}</dd>
            <dd className={classes.change}>
              <Change
                now={overview.Today[name]}
                before={overview.SameHoursYesterday[name]}
                since={before}
                isFalling={measures[name]?.isBurden === true}
              />
              <Change
                now={overview.Today[name]}
                before={overview.SameHoursWeekAgo[name]}
                since={weekBefore}
                isFalling={measures[name]?.isBurden === true}
              />
            </dd>
          </div>
        ))}
      </SimpleGrid>
      <Hours overview={overview} name={figure} onName={setFigure} />
      <Suspense fallback={<Skeleton h={260} />}>
        <DriversCard
          question={{ ...time, TimeZone: 'UTC', CompareTo: 'Period' }}
          measure={explainedOr(figure)}
          onMeasure={setFigure}
          since={before}
        />
      </Suspense>
      {day === undefined && (
        <Suspense fallback={<Skeleton h={120} />}>
          <Attention />
        </Suspense>
      )}
      <Suspense fallback={<Skeleton h={200} />}>
        <RecentChanges />
      </Suspense>
    </>
  );
}

interface HoursProps {
  readonly overview: Overview;
  readonly name: DrawnFigure;
  readonly onName: (name: DrawnFigure) => void;
}

function Hours({ overview: { Day, Hours: hours }, name, onName }: HoursProps) {
  const { day } = useDay();
  const [now, before] =
    day === undefined
      ? ['Today', 'Yesterday']
      : [Day, dayAfter(Day, -1)].map((one) => timeText(Date.parse(one), 'UTC', 'day'));
  const unit = measures[name]?.unit;
  const format = (value: number) => amountText(value, unit);
  const categories = hours.map(({ Hour }) => Hour.slice(11, 16));
  return (
    <section aria-label="By hour">
      <Group justify="space-between" mb="sm" gap="xs">
        <SegmentedControl
          size="xs"
          data={drawn.map((value) => ({ value, label: titleOf(value) }))}
          value={name}
          onChange={(value) => onName(value as DrawnFigure)}
        />
        <Text size="sm">
          <Link
            to="/console/reports"
            search={{
              ...(day === undefined ? { period: 'Today' } : { from: day, to: day }),
              ...{ zone: 'UTC', by: 'Hour', compare: 'Period', figure: name },
            }}
          >
            Ask more in reports
          </Link>
        </Text>
      </Group>
      <MarkedChart
        label={`${titleOf(name)} by hour, ${now} and ${before}`}
        starts={hours.map(({ Hour }) => Hour)}
        filters={noFilters}
        categories={categories}
        format={format}
        series={[
          { name: now ?? '', values: hours.map((hour) => hour[name]) },
          { name: before ?? '', values: hours.map(({ Before }) => Before[name]), isBefore: true },
        ]}
      />
      <table className="visually-hidden">
        <caption>{titleOf(name)} by hour (UTC)</caption>
        <thead>
          <tr>
            <th scope="col">Hour</th>
            <th scope="col">{now}</th>
            <th scope="col">{before}</th>
          </tr>
        </thead>
        <tbody>
          {hours.map((hour) => (
            <tr key={hour.Hour}>
              <th scope="row">{hour.Hour.slice(11, 16)}</th>
              <td>{figureText(name, hour)}</td>
              <td>{figureText(name, hour.Before)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
