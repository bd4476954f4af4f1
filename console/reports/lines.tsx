import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MarkedChart } from '../changes/marked-chart.tsx';
import { lineColors } from '../charts/line-colors.ts';
import { measures } from '../field-tables.ts';
import { amountText, countText, titleOf } from '../parts/value-text.ts';
import classes from './lines.module.css';
import { answerQuery, type Question, stepOf } from './question.ts';
import { linesOf } from './series.ts';
import { type CodeNames, stepValue } from './shown-value.ts';

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
  const step = stepOf(question) ?? '';
  // By time alone, steps without anything have rows, too.
  const { CompareTo: ___, ...now } = whole;
  const { data: steps } = useQuery(answerQuery({ ...now, GroupBy: [step], Measures: [figure] }));
  const starts = (steps?.Rows ?? []).map((row) => String(row[step]));
  const categories = (steps?.Rows ?? []).map((row) => stepValue(step, row).text);
  if (!data || !steps) return <Skeleton h={280} />;
  const { series, omitted } = linesOf(data, { starts, figure, codes, nowMs: Date.now() });
  const isSingle = question.GroupBy.length === 1;
  const by = titleOf(step).toLowerCase();
  const { unit } = measures[figure] ?? {};
  return (
    <div>
      <MarkedChart
        label={`${titleOf(figure)} by ${by}`}
        starts={starts}
        filters={question.Filters}
        categories={categories}
        format={(value) => amountText(value, unit)}
        series={series}
        height={280}
        hasNoLegend={!isSingle}
      />
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
      {omitted > 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          The lines with the largest {titleOf(figure)}; {countText(omitted)} more are only in the table.
        </Text>
      )}
    </div>
  );
}
