import type { ShownField } from '../field-tables.ts';

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

/** Whether a field is 0 or 1 and says yes or no. */
export const isFlag = ({ form, labels }: ShownField): boolean =>
  labels === undefined && form.enum?.length === 2 && form.enum[0] === 0 && form.enum[1] === 1;

function codeText({ labels }: ShownField, code: unknown): string {
  return labels?.[String(code)] ?? String(code);
}

/** A value in words: codes by their labels, numbers with their unit, lists by their items. */
export function valueText(field: ShownField, value: unknown): string {
  if (value === undefined || value === null || value === '') return '';
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'object' ? JSON.stringify(item) : codeText(field, item))).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  if (isFlag(field)) return value === 1 ? 'yes' : 'no';
  if (field.labels) return codeText(field, value);
  if (typeof value === 'number') return field.references ? String(value) : numbers.format(value);
  return String(value);
}
