import type { Stored } from '../api/objects.ts';
import type { ShownEntity, ShownField } from '../field-tables.ts';
import { nameOf } from '../parts/object-name.ts';
import { valueText } from '../parts/value-text.ts';

/** Where a spreadsheet would begin to run a formula (OWASP, "CSV Injection"). */
const formula = /^[=+\-@\t\r]/;
const number = /^-?[\d.]+$/;

function cell(text: string): string {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csvOf(columns: readonly ShownField[], objects: readonly Stored[]): string {
  const head = ['Id', 'Name', 'Status', ...columns.map(({ name }) => name)];
  const rows = objects.map((object) => [
    ...[String(object.Id), nameOf(object), String(object.StatusString ?? '')],
    ...columns.map((field) => {
      const value = object[field.name];
      return typeof value === 'number' && !field.labels ? String(value) : valueText(field, value);
    }),
  ]);
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\n`).join('');
}

/** Gives the browser a list, as it is shown, to keep as a CSV file. */
export function downloadCsv(
  { key }: ShownEntity,
  columns: readonly ShownField[],
  objects: readonly Stored[],
): void {
  const url = URL.createObjectURL(new Blob([csvOf(columns, objects)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${key}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
