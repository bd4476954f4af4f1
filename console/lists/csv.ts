import { byteOrderMark, csvFileName, csvLines } from '../../src/reference/csv.ts';
import type { Stored } from '../api/objects.ts';
import type { ShownEntity } from '../field-tables.ts';
import { csvFormFor } from '../parts/csv-form.ts';
import { objectName } from '../parts/object-name.ts';
import { saveFile } from '../parts/save-file.ts';
import { valueText } from '../parts/value-text.ts';
import type { ListColumn } from './columns.ts';

function csvOf(columns: readonly ListColumn[], objects: readonly Stored[]): string {
  const head = ['Id', 'Name', 'Status', ...columns.map(({ name }) => name)];
  const rows = objects.map((object) => [
    object.Id,
    objectName(object),
    String(object.StatusString ?? ''),
    ...columns.map((field) => {
      const value = object[field.name];
      return typeof value === 'number' && !field.labels ? value : valueText(field, value);
    }),
  ]);
  return byteOrderMark + [head, ...rows].map(csvLines(csvFormFor())).join('');
}

/** Gives the browser a list, as it is shown, to keep as a CSV file. */
export function downloadCsv(
  { key }: ShownEntity,
  columns: readonly ListColumn[],
  objects: readonly Stored[],
): void {
  const today = new Date().toISOString().slice(0, 10);
  saveFile(new Blob([csvOf(columns, objects)], { type: 'text/csv' }), csvFileName(key, today));
}
