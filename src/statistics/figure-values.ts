import { noCounts, type ShownCounts } from '../reference/counters.ts';
import { type MeasureName, type MeasureValues, measureRows, type measures } from '../reference/measures.ts';

type FigureName = {
  [Name in MeasureName]: (typeof measures)[Name] extends { readonly isFigure: true } ? Name : never;
}[MeasureName];
export type FigureValues = Required<Pick<MeasureValues, FigureName>>;

export const figures = measureRows.filter(([, measure]) => measure.isFigure);
const summed = Object.keys(noCounts) as (keyof ShownCounts)[];

export function figureValues(counts: ShownCounts): FigureValues {
  const all = { ...noCounts, ...counts };
  return Object.fromEntries(figures.map(([name, { of }]) => [name, of(all)])) as unknown as FigureValues;
}

export interface Sum {
  add(counts: ShownCounts, share?: number): void;
  counts(): ShownCounts;
}

export function createSum(): Sum {
  const sum: Record<string, number> = { ...noCounts };
  return {
    add(counts, share = 1) {
      for (const name of summed) sum[name] = (sum[name] ?? 0) + share * (counts[name] ?? 0);
    },
    counts: () => sum as unknown as ShownCounts,
  };
}
