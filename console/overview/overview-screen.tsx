import { Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { FiringNotice } from '../alerts/firing-notice.tsx';
import { type Overview, overviewQuery } from '../api/figures.ts';
import { MarkedChart } from '../changes/marked-chart.tsx';
import { measures } from '../field-tables.ts';
import { Change } from '../parts/change.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { figureText } from '../parts/figure-text.ts';
import { amountText, titleOf } from '../parts/value-text.ts';
import { FailedNotice } from '../reports/failed-notice.tsx';
import { Attention } from './attention.tsx';
import { Moves } from './moves.tsx';
import classes from './overview-screen.module.css';
import { RecentChanges } from './recent-changes.tsx';
import { hasSupplyQuery } from './supply.ts';

const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));

/** The figures of the first row, in their order. */
const shown = ['Revenue', 'Cost', 'Profit', 'Requests', 'FillRate', 'Impressions'] as const;
const drawn = ['Revenue', 'Profit', 'Requests', 'Impressions', 'FillRate'] as const;
type DrawnFigure = (typeof drawn)[number];
/** Changes of the whole team are marked. */
const noFilters = [] as const;

/** What happens today; for a team without supply, how to begin. */
export function OverviewScreen() {
  const { data: hasSupply, isFetching } = useQuery(hasSupplyQuery);
  if (hasSupply !== false) return <Today />;
  // It may have got some since it was last asked.
  if (isFetching) return <Skeleton h={420} />;
  return (
    <Suspense fallback={<Skeleton h={420} />}>
      <FirstSteps />
    </Suspense>
  );
}

/** What happens today, beside the same hours of other days; renewed by itself. */
function Today() {
  const { data, error } = useQuery(overviewQuery);
  return (
    <Stack gap="xl" maw={1200}>
      <div>
        <Title order={1} size="h3">
          Overview
        </Title>
        <Text size="sm" c="dimmed">
          Today so far, compared with the same hours of yesterday and of a week ago. Days are UTC.{' '}
          <Link to="/console/help/$page" params={{ page: 'glossary' }} hash="figures">
            What the figures mean
          </Link>
        </Text>
      </div>
      <FiringNotice />
      <FailedNotice />
      {error && !data && <ErrorNote error={error} />}
      {!data && !error && <Skeleton h={420} />}
      {data && <Figures overview={data} />}
    </Stack>
  );
}

function Figures({ overview }: { readonly overview: Overview }) {
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
                since="yesterday"
                isFalling={measures[name]?.isBurden === true}
              />
              <Change
                now={overview.Today[name]}
                before={overview.SameHoursWeekAgo[name]}
                since="last week"
                isFalling={measures[name]?.isBurden === true}
              />
            </dd>
          </div>
        ))}
      </SimpleGrid>
      <Hours overview={overview} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Moves title="Largest increases" moves={overview.Up} />
        <Moves title="Largest decreases" moves={overview.Down} />
      </SimpleGrid>
      <Attention />
      <RecentChanges />
    </>
  );
}

function Hours({ overview: { Hours: hours } }: { readonly overview: Overview }) {
  const [name, setName] = useState<DrawnFigure>('Revenue');
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
          onChange={(value) => setName(value as DrawnFigure)}
        />
        <Text size="sm">
          <Link
            to="/console/reports"
            search={{ period: 'Today', zone: 'UTC', by: 'Hour', compare: 'Period', figure: name }}
          >
            Ask more in reports
          </Link>
        </Text>
      </Group>
      <MarkedChart
        label={`${titleOf(name)} by hour, today and yesterday`}
        starts={hours.map(({ Hour }) => Hour)}
        filters={noFilters}
        categories={categories}
        format={format}
        series={[
          { name: 'Today', values: hours.map((hour) => hour[name]) },
          { name: 'Yesterday', values: hours.map(({ Before }) => Before[name]), isBefore: true },
        ]}
      />
      <table className="visually-hidden">
        <caption>{titleOf(name)} by hour (UTC)</caption>
        <thead>
          <tr>
            <th scope="col">Hour</th>
            <th scope="col">Today</th>
            <th scope="col">Yesterday</th>
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
