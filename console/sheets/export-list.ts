import type { QueryClient } from '@tanstack/react-query';
import {
  byteOrderMark,
  type CsvValue,
  csvFileName,
  csvLines,
  xlsxFileName,
} from '../../src/reference/csv.ts';
import { type ListOptions, objectsQuery, type Stored } from '../api/objects.ts';
import type { ShownEntity, ShownField } from '../field-tables.ts';
import { fieldOf, fieldsOf } from '../fields.ts';
import type { ListColumn } from '../lists/columns.ts';
import { csvFormFor } from '../parts/csv-form.ts';
import { pluralOf } from '../parts/object-name.ts';
import { saveFile } from '../parts/save-file.ts';
import { askSheets } from './ask-sheets.ts';
import { cellOf, choicesOf, isTextColumn } from './cells.ts';
import { inTurns } from './in-turns.ts';
import { isInSheets } from './plan.ts';

/** What every export begins with. */
const firstNames = ['Id', 'Name', 'Status'];

/** What a column of a list is to a sheet: its field, or a figure as one that cannot be set. */
const fieldFor = (entity: ShownEntity, column: ListColumn): ShownField =>
  fieldOf(entity, column.name) ?? {
    ...column,
    presence: 'derived',
    section: 'Statistics',
    isAdvanced: false,
    place: 'statistic',
    inArray: true,
    onlyInSingle: false,
  };

/** The columns of an export: those of a list, or all that can be set. @internal */
export function exportFields(
  entity: ShownEntity,
  columns: readonly ListColumn[] | undefined,
): readonly ShownField[] {
  const first = firstNames.flatMap((name) => fieldOf(entity, name) ?? []);
  const others = columns
    ? columns.map((column) => fieldFor(entity, column))
    : fieldsOf(entity).filter(isInSheets);
  return [...first, ...others.filter(({ name }) => !firstNames.includes(name))];
}

async function rowsOf(fields: readonly ShownField[], objects: readonly Stored[]): Promise<CsvValue[][]> {
  const rows: CsvValue[][] = [];
  await inTurns(objects, (object) => rows.push(fields.map((field) => cellOf(field, object[field.name]))));
  return rows;
}

function csvOf(fields: readonly ShownField[], rows: readonly CsvValue[][]): Blob {
  const head = fields.map(({ name }) => name);
  return new Blob([byteOrderMark, ...[head, ...rows].map(csvLines(csvFormFor()))], { type: 'text/csv' });
}

async function xlsxOf(entity: ShownEntity, fields: readonly ShownField[], rows: readonly CsvValue[][]) {
  const columns = fields.map((field) => ({
    name: field.name,
    isText: isTextColumn(field),
    choices: isInSheets(field) ? choicesOf(field) : undefined,
  }));
  return (await askSheets({ kind: 'write', table: { name: pluralOf(entity), columns, rows } })).file;
}

export interface Export {
  readonly entity: ShownEntity;
  readonly kind: 'CSV' | 'XLSX';
  /** Of the list; absent for all that can be set. */
  readonly columns?: readonly ListColumn[] | undefined;
  /** Which objects, and in which order. */
  readonly asked: ListOptions;
}

/** Gives the browser a list as a file that can be edited and imported. */
export async function exportList(
  client: QueryClient,
  { entity, kind, columns, asked }: Export,
): Promise<void> {
  const fields = exportFields(entity, columns);
  const query = objectsQuery(entity, { ...asked, fields: fields.map(({ name }) => name) });
  const rows = await rowsOf(fields, await client.fetchQuery({ ...query, staleTime: 0 }));
  const today = new Date().toISOString().slice(0, 10);
  const [file, name] =
    kind === 'CSV'
      ? [csvOf(fields, rows), csvFileName(entity.key, today)]
      : [await xlsxOf(entity, fields, rows), xlsxFileName(entity.key, today)];
  saveFile(file, name);
}
