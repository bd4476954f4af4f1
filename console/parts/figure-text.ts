import type { Unit } from '../../src/reference/units.ts';
import { measures } from '../field-tables.ts';
import { amountText } from './value-text.ts';

type Figures = Readonly<Record<string, unknown>>;

/** Whether a figure says nothing: a fill rate where there were no requests. */
export function isUndefinedRate(name: string, figures: Figures): boolean {
  const per = measures[name]?.per;
  return figures[name] === null || (per !== undefined && figures[per] === 0);
}

/** One of several figures that belong together; "–" for one that says nothing. */
export const figureText = (name: string, figures: Figures, unit: Unit | undefined = measures[name]?.unit) =>
  isUndefinedRate(name, figures) ? '–' : amountText(Number(figures[name] ?? 0), unit);
