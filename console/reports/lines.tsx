import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { lineColors } from '../charts/line-colors.ts';
import { measures } from '../field-tables.ts';
import { historyQuery } from '../objects/history/history.ts';
import { amountText, countText, titleOf } from '../parts/value-text.ts';
import classes from './lines.module.css';
import { answerQuery, type Question, stepOf } from './question.ts';
import { linesOf } from './series.ts';
import type { CodeNames } from './shown-value.ts';
import { subjectOf } from './subject.ts';

const LineChart = lazy(async () => ({ default: (await import('../charts/line-chart.tsx')).LineChart }));

/** The steps of time in which the configuration of the one object was changed that a question is about. */
function useMarks(question: Question, starts: readonly string[]) {
  const subject = subjectOf(question.Filters);
  const filter = { Entity: subject?.entity, Id: subject?.id };
  const { data = [] } = useQuery({ ...historyQuery(filter), enabled: subject !== undefined });
  const times = data.filter(({ Operation }) => Operation !== 'add').map(({ Time }) => Date.parse(Time));
  return starts.flatMap((start, index) => {
    const [from, next = start] = [Date.parse(start), starts[index + 1]];
    const untilMs = next === start ? Number.POSITIVE_INFINITY : Date.parse(next);
    return times.some((time) => time >= from && time < untilMs) ? [index] : [];
  });
}

interface LinesProps {
  readonly question: Question;
  readonly figure: string;
  readonly codes: CodeNames;
}

/** A figure over time: of all, or of each of the greatest values of the other dimensions. */
export function Lines({ question, figure, codes }: LinesProps) {
  // A limit is of the table's rows: of those that are cut off no line is to be broken.
  const { Limit: _, OrderBy: __, ...whole } = question;
  const { data } = useQuery(answerQuery(question.Limit === undefined ? question : whole));
  const lines = linesOf(question, data?.Rows ?? [], figure, codes);
  const marks = useMarks(question, lines.starts);
  if (!data) return <Skeleton h={280} />;
  const { categories, series, left } = lines;
  const isSingle = question.GroupBy.length === 1;
  const by = titleOf(stepOf(question) ?? '').toLowerCase();
  const { unit } = measures[figure] ?? {};
  return (
    <div>
      <Suspense fallback={<Skeleton h={280} />}>
        <LineChart
          label={`${titleOf(figure)} by ${by}`}
          categories={categories}
          format={(value) => amountText(value, unit)}
          marks={marks.map((index) => ({ category: categories[index] ?? '', text: 'changed' }))}
          series={series}
          height={280}
          hasNoLegend={!isSingle}
        />
      </Suspense>
      {!isSingle && (
        <ul className={classes.legend} aria-label="Lines">
          {series.map(({ name }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name
            <li key={index}>
              <span style={{ background: lineColors[index] }} />
              <bdi title={name}>{name}</bdi>
            </li>
          ))}
        </ul>
      )}
      {left > 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          Those with the greatest {titleOf(figure)}; {countText(left)} more stand in the table alone.
        </Text>
      )}
    </div>
  );
}
