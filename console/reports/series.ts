import type { Series } from '../charts/line-chart.tsx';
import { measures } from '../field-tables.ts';
import { isUndefinedRate } from '../parts/figure-text.ts';
import { titleOf } from '../parts/value-text.ts';
import { type Answer, beforeOf, figureIn, type Row, stepOf } from './question.ts';
import { type CodeNames, rowText, shownValue } from './shown-value.ts';

/** Lines over time, and how many more there are. */
export interface ChartLines {
  readonly series: readonly Series[];
  readonly omitted: number;
}

const linesMax = 6;

/** Keeps a text from turning what stands around it (UAX #9), where no element does. */
const isolated = (text: string) => `\u2068${text}\u2069`;
const nameMax = 40;
const cut = (text: string) => (text.length > nameMax ? `${text.slice(0, nameMax)}…` : text);

type AnsweredQuestion = Pick<Answer, 'question' | 'Rows'>;

interface DrawnFigure {
  /** All steps of time of the period, in their order: also those in which nothing was counted. */
  readonly starts: readonly string[];
  readonly figure: string;
  readonly codes: CodeNames;
  readonly nowMs: number;
}

/** A figure over time: a line for each of the greatest values of the other dimensions, or one with that of before. */
export function linesOf(
  { question, Rows: rows }: AnsweredQuestion,
  { starts, figure, codes, nowMs }: DrawnFigure,
): ChartLines {
  const step = stepOf(question) ?? '';
  const others = question.GroupBy.filter((name) => name !== step);
  // Where nothing was counted, there is no share of it.
  const valueIn = (row: Row) => (isUndefinedRate(figure, row) ? null : figureIn(row, figure));
  const absent = measures[figure]?.per === undefined ? 0 : null;
  // What is still to come is not nothing.
  const past = starts.filter((start) => Date.parse(start) <= nowMs).length;
  if (others.length === 0) {
    const byStart = new Map(rows.map((row) => [String(row[step]), row]));
    const valuesOf = (of: (row: Row) => Row | undefined) =>
      starts.map((start) => {
        const row = byStart.get(start);
        const shown = row && of(row);
        return shown ? valueIn(shown) : absent;
      });
    return {
      omitted: 0,
      series: [
        { name: titleOf(figure), values: valuesOf((row) => row).slice(0, past) },
        ...(rows.some((row) => beforeOf(row) !== undefined)
          ? [{ name: 'Before', values: valuesOf(beforeOf).slice(0, past), isBefore: true }]
          : []),
      ],
    };
  }
  const place = new Map(starts.map((start, index) => [start, index]));
  const groups = Map.groupBy(rows, (row) =>
    JSON.stringify(others.map((name) => shownValue(name, row, codes).value ?? null)),
  );
  const sumOf = (of: readonly Row[]) => of.reduce((sum, row) => sum + figureIn(row, figure), 0);
  const greatest = [...groups.values()]
    .toSorted((one, other) => sumOf(other) - sumOf(one))
    .slice(0, linesMax);
  const series = greatest.map((of) => {
    const values: (number | null)[] = starts.map(() => absent);
    for (const row of of) {
      const index = place.get(String(row[step]));
      // Rows and steps are asked for one after the other: a step may have begun in between.
      if (index !== undefined) values[index] = valueIn(row);
    }
    return { name: isolated(cut(rowText(others, of[0] ?? {}, codes))), values: values.slice(0, past) };
  });
  return { series, omitted: groups.size - series.length };
}
