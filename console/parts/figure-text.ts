import type { Unit } from '../../src/reference/units.ts';
import { measures } from '../field-tables.ts';
import { amountText, placesFor } from './value-text.ts';

type Figures = Readonly<Record<string, unknown>>;

/** Whether a figure says nothing: a fill rate where there were no requests. */
export function isUndefinedRate(name: string, figures: Figures): boolean {
  const per = measures[name]?.per;
  return figures[name] === null || (per !== undefined && figures[per] === 0);
}

interface FigureForm {
  readonly unit?: Unit | undefined;
  /** See `placesOf`. */
  readonly places?: number | undefined;
}

/** One of several figures that belong together; "–" for one that says nothing. */
export const figureText = (
  name: string,
  figures: Figures,
  { unit = measures[name]?.unit, places }: FigureForm = {},
) => (isUndefinedRate(name, figures) ? '–' : amountText(Number(figures[name] ?? 0), unit, places));

/** The decimal places with which a figure of all these rows stands in one column. */
export const placesOf = (name: string, rows: readonly Figures[]): number | undefined =>
  placesFor(
    rows.map((row) => Number(row[name] ?? 0)),
    measures[name]?.unit,
  );
