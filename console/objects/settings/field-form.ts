import type { OnlyIf } from '../../../src/fields/field.ts';
import type { Values } from '../../api/objects.ts';
import type { ShownField } from '../../field-tables.ts';
import { isSame } from './draft.ts';

/** Characters of a text that one line has no room for. */
const longText = 1024;

/** Whether its input takes the width of the form: lists, long texts, URLs, and what is made of parts. */
export const isWide = ({
  form,
  place,
  macros,
  phrase,
}: Pick<ShownField, 'form' | 'place' | 'macros' | 'phrase'>): boolean =>
  phrase !== undefined ||
  form.type === 'array' ||
  form.type === 'object' ||
  form.format === 'url' ||
  form.format === 'week-hours' ||
  macros !== undefined ||
  (form.maxLength ?? 0) > longText ||
  place === 'secret' ||
  place === 'url' ||
  place === 'regionUrls';

const isEmpty = (value: unknown): boolean =>
  !value || (Array.isArray(value) && value.length === 0) || isSame(value, {});

/** Whether what a field depends on is so with these values. */
export function isMet(onlyIf: OnlyIf, values: Values): boolean {
  const other = values[onlyIf.field];
  if ('values' in onlyIf) return onlyIf.values.some((value) => value === other);
  return !isEmpty(other) || (onlyIf.or !== undefined && !isEmpty(values[onlyIf.or]));
}

/** Whether a form shows it: it has an effect with these values, or is set to something. */
export const isNeeded = (
  { name, omitted, onlyIf }: Pick<ShownField, 'name' | 'omitted' | 'onlyIf'>,
  values: Values,
): boolean => !onlyIf || isMet(onlyIf, values) || !isSame(values[name] ?? omitted, omitted);
