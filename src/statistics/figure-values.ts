import { noCounts, type ShownCounts } from '../reference/counters.ts';
import { type MeasureName, type MeasureValues, measureRows, type measures } from '../reference/measures.ts';

type FigureName = {
  [Name in MeasureName]: (typeof measures)[Name] extends { readonly isFigure: true } ? Name : never;
}[MeasureName];
export type FigureValues = Required<Pick<MeasureValues, FigureName>>;

export const figures = measureRows.filter(([, measure]) => measure.isFigure);

export function figureValues(counts: ShownCounts): FigureValues {
  const all = { ...noCounts, ...counts };
  return Object.fromEntries(figures.map(([name, { of }]) => [name, of(all)])) as unknown as FigureValues;
}
