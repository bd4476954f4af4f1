import type { Comparison } from '../api/figures.ts';
import type { Stored } from '../api/objects.ts';
import { sentenceOf } from '../fields.ts';
import { isUndefinedRate } from '../parts/figure-text.ts';
import { sentenceText } from '../parts/sentence.ts';
import { amountText, valueText } from '../parts/value-text.ts';
import type { ListColumn } from './columns.ts';

type Counted = Readonly<Record<string, unknown>>;

/** A column of an object as its list shows it. `figures`: what it counted since the list was read, where that is known. */
export function cellText(column: ListColumn, object: Stored, figures: Comparison | undefined): string {
  const { name, unit, phrase } = column;
  if (phrase) return sentenceText(sentenceOf(column), object);
  const [day, measure] = name.split('.');
  if (measure === undefined) return valueText(column, object[name], object.Currency);
  const counted: Counted | undefined = figures?.[day as 'Today' | 'Yesterday'];
  const value = counted ? counted[measure] : object[name];
  if (value === undefined) return '';
  return value === null || (counted && isUndefinedRate(measure, counted))
    ? '–'
    : amountText(Number(value), unit);
}
