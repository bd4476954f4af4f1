import { Group, SegmentedControl, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiCall } from '../api-call/api-call.tsx';
import { measures } from '../field-tables.ts';
import { Change } from '../parts/change.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { amountText, countText, titleOf } from '../parts/value-text.ts';
import { useCodeNames } from '../reports/code-names.ts';
import { DriverRow } from './driver-row.tsx';
import classes from './drivers.module.css';
import {
  type Drivers,
  type DriversQuestion,
  driversQuery,
  driversRequest,
  type Explained,
  explained,
  type Split,
} from './drivers.ts';

interface CardProps {
  readonly question: DriversQuestion;
  readonly measure: Explained;
  readonly onMeasure: (measure: Explained) => void;
  /** What the period is compared with, as it stands behind a change: `yesterday`. */
  readonly since?: string;
}

const splitLabels: Readonly<Record<Split['By'], string>> = {
  Demand: 'Demand',
  Supply: 'Supply',
  Pair: 'Pairs',
  Country: 'Countries',
};
const order = Object.keys(splitLabels) as Split['By'][];

/** What moved a measure from one period to the other, with what may have caused it. */
export function DriversCard({ question, measure, onMeasure, since = 'before' }: CardProps) {
  const [by, setBy] = useState<Split['By']>('Demand');
  const { data, error } = useQuery({
    ...driversQuery(question, measure),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-label="What moved">
      <Group justify="space-between" mb="xs" gap="xs">
        <Group gap="xs" align="baseline">
          <Title order={2} size="h5">
            What moved
          </Title>
          {data && <Whole drivers={data} since={since} />}
        </Group>
        <Group gap="xs">
          <Select
            size="xs"
            w={130}
            aria-label="Measure to explain"
            allowDeselect={false}
            data={explained.map((value) => ({ value, label: titleOf(value) }))}
            value={measure}
            onChange={(value) => onMeasure(explained.find((one) => one === value) ?? measure)}
          />
          <SegmentedControl
            size="xs"
            aria-label="Split by"
            data={order.map((value) => ({ value, label: splitLabels[value] }))}
            value={by}
            onChange={(value) => setBy(order.find((one) => one === value) ?? by)}
          />
          <ApiCall calls={{ 'What moved': driversRequest(question, measure) }} />
        </Group>
      </Group>
      {error && !data && <ErrorNote error={error} />}
      {!data && !error && <Skeleton h={160} aria-label="Loading what moved" />}
      {data && <Rows drivers={data} split={data.Splits.find(({ By }) => By === by)} />}
    </section>
  );
}

interface WholeProps {
  readonly drivers: Drivers;
  readonly since: string;
}

function Whole({ drivers: { Measure, Now, Before }, since }: WholeProps) {
  return (
    <Group gap={6} align="baseline">
      <Text size="sm">
        {titleOf(Measure)} {amountText(Now, measures[Measure]?.unit)}
      </Text>
      <Change now={Now} before={Before} since={since} isFalling={measures[Measure]?.isBurden === true} />
    </Group>
  );
}

interface RowsProps {
  readonly drivers: Drivers;
  readonly split: Split | undefined;
}

function Rows({ drivers: { Measure }, split }: RowsProps) {
  const { Country = {} } = useCodeNames(['Country']);
  if (!split) return null;
  const { Rows: rows, Others, Refusal } = split;
  if (Refusal !== '')
    return (
      <Text size="sm" c="dimmed">
        This split is not available for {titleOf(Measure)} in this period: it {Refusal}.
      </Text>
    );
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing has changed.
      </Text>
    );
  const unit = measures[Measure]?.unit;
  const change = Others.Now - Others.Before;
  return (
    <Stack gap={4}>
      <ul className={classes.rows}>
        {rows.map((driver) => (
          <DriverRow
            key={`${driver.Country}${driver.Objects.map(({ Entity, Id }) => `${Entity}:${Id}`).join()}`}
            driver={driver}
            measure={Measure}
            countries={Country}
          />
        ))}
      </ul>
      {Others.Count > 0 && (
        <Text size="sm" c="dimmed">
          {countText(Others.Count)} {Others.Count === 1 ? 'other' : 'others'}: {change > 0 ? '+' : '−'}
          {amountText(Math.abs(change), unit)} together
        </Text>
      )}
    </Stack>
  );
}
