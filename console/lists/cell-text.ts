import type { Comparison } from '../api/figures.ts';
import type { Stored } from '../api/objects.ts';
import type { ShownField } from '../field-tables.ts';
import { isUndefinedRate } from '../parts/figure-text.ts';
import { valueText } from '../parts/value-text.ts';

/** A field of an object as its list shows it. `figures`: what it counted, where that is known. */
export function cellText(field: ShownField, object: Stored, figures: Comparison | undefined): string {
  const [, day = '', measure = ''] = /^(Today|Yesterday)\.?(\w+)$/.exec(field.name) ?? [];
  const counted = figures?.[day as 'Today' | 'Yesterday'];
  return counted && isUndefinedRate(measure, counted)
    ? '–'
    : valueText(field, object[field.name], object.Currency);
}
