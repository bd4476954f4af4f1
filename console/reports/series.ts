import type { Series } from '../charts/line-chart.tsx';
import { measures } from '../field-tables.ts';
import { isOfNothing } from '../parts/figure-text.ts';
import { titleOf } from '../parts/value-text.ts';
import { beforeOf, figureIn, type Question, type Row, stepOf } from './question.ts';
import { type CodeNames, rowText, shownValue, stepText } from './shown-value.ts';

/** Lines over time, and how many more there are. */
export interface Lines {
  readonly categories: readonly string[];
  /** When each category begins. */
  readonly starts: readonly string[];
  readonly series: readonly Series[];
  readonly left: number;
}

const linesMax = 6;

/** Keeps a text from turning what stands around it (UAX #9), where no element does. */
const isolated = (text: string) => `\u2068${text}\u2069`;
const nameMax = 40;
const cut = (text: string) => (text.length > nameMax ? `${text.slice(0, nameMax)}…` : text);

/** A figure over time: a line for each of the greatest values of the other dimensions, or one with that of before. */
export function linesOf(question: Question, rows: readonly Row[], figure: string, codes: CodeNames): Lines {
  const step = stepOf(question) ?? '';
  const others = question.GroupBy.filter((name) => name !== step);
  const starts = [...new Set(rows.map((row) => String(row[step])))].sort(
    (one, other) => Date.parse(one) - Date.parse(other),
  );
  const categories = starts.map((start) => stepText(step, start));
  // Where nothing was counted, there is no share of it.
  const valueIn = (row: Row) => (isOfNothing(figure, row) ? null : figureIn(row, figure));
  const absent = measures[figure]?.per === undefined ? 0 : null;
  if (others.length === 0) {
    const byStart = new Map(rows.map((row) => [String(row[step]), row]));
    const valuesOf = (of: (row: Row) => Row | undefined) =>
      starts.map((start) => {
        const row = of(byStart.get(start) ?? {});
        return row ? valueIn(row) : absent;
      });
    return {
      ...{ categories, starts, left: 0 },
      series: [
        { name: titleOf(figure), values: valuesOf((row) => row) },
        ...(question.CompareTo ? [{ name: 'Before', values: valuesOf(beforeOf), isBefore: true }] : []),
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
    for (const row of of) values[place.get(String(row[step])) ?? 0] = valueIn(row);
    return { name: isolated(cut(rowText(others, of[0] ?? {}, codes))), values };
  });
  return { categories, starts, series, left: groups.size - series.length };
}
