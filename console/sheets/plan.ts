import type { DecimalName } from '../../src/reference/csv.ts';
import type { ManyChange } from '../api/batch.ts';
import type { Stored, Values } from '../api/objects.ts';
import { emptyOf, isClearable } from '../bulk/operations.ts';
import type { ShownEntity, ShownField } from '../field-tables.ts';
import { cellOf, isSameCell, readCell, tooLong } from './cells.ts';
import { inTurns } from './in-turns.ts';
import type { Sheet, SheetRow } from './sheet.ts';

/** What is wrong with a sheet, and where. */
export interface SheetFault {
  readonly row?: number;
  readonly column?: string;
  readonly text: string;
}

/** The fields of an entity, and what else its lists show, as a plan needs them. */
export interface SheetFields {
  readonly entity: Pick<ShownEntity, 'key' | 'title'>;
  readonly fields: readonly ShownField[];
  /** Names of figures, which cannot be set. */
  readonly figures: readonly string[];
  /** What people call a field. */
  readonly titleOf: (name: string) => string;
}

const idName = 'Id';
const statusName = 'Status';

/** Whether a field can be set by a sheet. What the history does not show could not be reverted. */
export const isInSheets = ({ name, presence, place, isWriteOnly, isConfidential }: ShownField): boolean =>
  name === statusName ||
  (presence !== 'derived' && place !== 'listText' && isWriteOnly !== true && isConfidential !== true);

const isNumeric = ({ form }: ShownField) => form.type === 'integer' || form.type === 'number';

interface Column {
  readonly index: number;
  readonly field: ShownField;
}

/** A sheet whose columns and IDs are understood. */
export interface ReadSheet {
  readonly columns: readonly Column[];
  readonly rows: ReadonlyMap<number, SheetRow>;
  readonly decimal: DecimalName;
  /** Columns that are not read, as the exchange counts what is in them. */
  readonly skipped: readonly string[];
}

export type HeadResult = { readonly sheet: ReadSheet } | { readonly faults: readonly SheetFault[] };

const letters = 26;
const columnLetters = (index: number): string =>
  (index >= letters ? columnLetters(Math.floor(index / letters) - 1) : '') +
  String.fromCharCode(65 + (index % letters));

function unknownFault(column: string, { entity, fields, titleOf }: SheetFields): SheetFault {
  const lower = column.toLowerCase();
  const meant = fields.find(
    ({ name }) => name.toLowerCase() === lower || titleOf(name).toLowerCase() === lower,
  );
  const remedy = meant ? `Call the column ${meant.name}.` : 'Correct its name, or delete the column.';
  return { column, text: `No field of a ${entity.title} is called this. ${remedy}` };
}

/** What a name in the head is: a column, one that is not read, or a fault; nothing for an empty one. */
type HeadCell = {
  readonly column?: Column;
  readonly skipped?: string;
  readonly fault?: SheetFault;
};

function readName(name: string, index: number, known: SheetFields): HeadCell {
  const field = known.fields.find((one) => one.name === name);
  if (known.figures.includes(name) || (field && isFigure(field))) return { skipped: name };
  if (!field) return { fault: unknownFault(name, known) };
  return field.presence === 'derived' || isInSheets(field)
    ? { column: { index, field } }
    : { fault: { column: name, text: 'This is not changed by spreadsheet. Delete the column.' } };
}

function readHead({ head, rows }: Sheet, known: SheetFields): readonly HeadCell[] {
  const names = head.cells.map((cell) => cell.trim());
  return names.map((name, index) => {
    if (name === '') {
      const isUsed = rows.some(({ cells }) => (cells[index] ?? '').trim() !== '');
      const fault = { column: columnLetters(index), text: 'The column has no name in the first row.' };
      return isUsed ? { fault } : {};
    }
    return names.indexOf(name) === index
      ? readName(name, index, known)
      : { fault: { column: name, text: 'There are two columns of this name. Delete one of them.' } };
  });
}

/** What the exchange counts differs from any export soon. */
const isFigure = (field: ShownField) =>
  field.presence === 'derived' && isNumeric(field) && field.name !== idName && field.name !== statusName;

function readIds(rows: readonly SheetRow[], idColumn: number) {
  const byId = new Map<number, SheetRow>();
  const faults: SheetFault[] = [];
  for (const row of rows) {
    const text = (row.cells[idColumn] ?? '').trim();
    const before = byId.get(Number(text));
    const fault = { row: row.number, column: idName };
    if (text === '')
      faults.push({
        ...fault,
        text: 'The row has no ID. Objects are not added by spreadsheet: delete the row.',
      });
    else if (!/^\d{1,15}$/.test(text)) faults.push({ ...fault, text: `"${text}" is no ID.` });
    else if (before)
      faults.push({ ...fault, text: `ID ${text} is in row ${before.number}, too. Delete one of the rows.` });
    else byId.set(Number(text), row);
  }
  return { byId, faults };
}

/** Understands the columns and the IDs of a sheet. */
export function readSheet(sheet: Sheet, known: SheetFields): HeadResult {
  const head = readHead(sheet, known);
  const columns = head.flatMap(({ column }) => column ?? []);
  const id = columns.find(({ field }) => field.name === idName);
  if (!id) {
    const text = 'There is no column Id, by which rows are matched to objects. Export again, and keep it.';
    return { faults: [{ row: sheet.head.number, text }] };
  }
  const { byId, faults } = readIds(sheet.rows, id.index);
  const wide = sheet.rows.filter(({ cells }) => cells.length > sheet.head.cells.length);
  const all = [
    ...head.flatMap(({ fault }) => fault ?? []),
    ...faults,
    ...wide.map(({ number }) => ({
      row: number,
      text: 'The row has more cells than the first row has names. Check its quotation marks and separators.',
    })),
  ];
  if (all.length > 0) return { faults: all };
  const others = columns.filter((column) => column !== id);
  const skipped = head.flatMap((cell) => cell.skipped ?? []);
  return { sheet: { columns: others, rows: byId, decimal: sheet.decimal, skipped } };
}

/** A change, and the row that it comes from. */
export interface PlannedChange {
  readonly row: number;
  readonly change: ManyChange;
}

export interface SheetPlan {
  readonly changes: readonly PlannedChange[];
  readonly faults: readonly SheetFault[];
}

type CellResult = { readonly value?: unknown } | { readonly fault: string };

/** What a cell makes of a stored value: another one, nothing, or a fault. */
function readChange(field: ShownField, cell: string, stored: unknown, decimal: DecimalName): CellResult {
  const before = cellOf(field, stored);
  if (isSameCell(cell, before) || cell === tooLong) return {};
  const read = readValue(field, cell, decimal);
  if ('fault' in read) return read;
  const isSame = isSameCell(cellOf(field, read.value), before);
  if (isSame) return {};
  return isInSheets(field) ? read : { fault: `is read-only: put "${before}" back, or delete the column` };
}

function readValue(field: ShownField, cell: string, decimal: DecimalName) {
  if (cell.trim() !== '') return readCell(field, cell, decimal);
  return isClearable(field) || field.presence === 'derived'
    ? { value: emptyOf(field) }
    : { fault: 'cannot be empty: put a value back, or delete the column' };
}

const statusOperations: readonly ManyChange['Operation'][] = ['activate', 'deactivate'];

/** The changes of an object's values: one to set them, one to switch it on or off. */
function changesOf(Entity: string, Id: number, { Status, ...values }: Values): readonly ManyChange[] {
  const operation = statusOperations[Number(Status ?? -1)];
  return [
    ...(Object.keys(values).length > 0
      ? [{ Entity, Operation: 'update' as const, Object: { Id, ...values } }]
      : []),
    ...(operation ? [{ Entity, Operation: operation, Object: { Id } }] : []),
  ];
}

/** What would change if the objects became as the sheet has them. */
export async function planChanges(
  { columns, rows, decimal }: ReadSheet,
  { key, title }: SheetFields['entity'],
  objects: readonly Stored[],
): Promise<SheetPlan> {
  const byId = new Map(objects.map((object) => [object.Id, object]));
  const changes: PlannedChange[] = [];
  const faults: SheetFault[] = [];
  await inTurns(rows, ([id, { number, cells }]) => {
    const object = byId.get(id);
    const values: Record<string, unknown> = {};
    if (!object) {
      const text = `There is no ${title} ${id}. Correct the ID, or delete the row.`;
      return faults.push({ row: number, column: idName, text });
    }
    for (const { index, field } of columns) {
      const result = readChange(field, cells[index] ?? '', object[field.name], decimal);
      if ('fault' in result) faults.push({ row: number, column: field.name, text: result.fault });
      else if ('value' in result) values[field.name] = result.value;
    }
    return changes.push(...changesOf(key, id, values).map((change) => ({ row: number, change })));
  });
  return { changes, faults };
}
