import type { DecimalName } from '../../reference/csv.ts';
import {
  type ConditionField,
  type Conditions,
  conditionOf,
  device,
  isAny,
  isCountry,
  priorityOf,
  type ReadCell,
  type Values,
  wordsOf,
} from './conditions.ts';
import { type FloorFault, type FloorsFile, type ReadRule, readFloor, rowsMax } from './read-rule.ts';

/** A spreadsheet. */
export interface FloorSheet {
  readonly rows: readonly TableRow[];
  /** `Comma`: numbers may have their decimals behind a comma. */
  readonly decimal: DecimalName;
}

export interface TableRow {
  /** As spreadsheets count it, from 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

const [first, last] = [1, 20];
const floorName = 'floor';
const percent = 100;

const within = (field: string, from: number, to: number): ReadCell => {
  return (text) =>
    /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to ? { [field]: Number(text) } : undefined;
};

/** Columns that are no conditions, by their names in lower case. */
const settings = new Map<string, (text: string, decimal: DecimalName) => Values | undefined>([
  [floorName, readFloor],
  ['name', (Name) => ({ Name })],
  ['currency', (text) => (/^[a-z]{3}$/i.test(text) ? { Currency: text.toUpperCase() } : undefined)],
  ['net', within('Net', 0, 1)],
  ['priority', within('Priority', first, last)],
  [
    'skippercent',
    (text) => (Number(text) >= 0 && Number(text) <= percent ? { SkipPercent: Number(text) } : undefined),
  ],
]);
const columnNames = 'country, device, mediaType, size, floor, name, currency, net, priority, skipPercent';

const settingOf = (name: string) => settings.get(name.trim().toLowerCase());
const isFloor = (name: string) => name.trim().toLowerCase() === floorName;

const valueFault = (place: string, cell: string, name: string): FloorFault => ({
  place,
  text: `"${cell}" is not a value of ${name}${isFloor(name) ? '; write it like 1.5 or 1.5 EUR' : ''}`,
});

/** As `Floor DE Phone`. */
const nameOf = (fields: readonly ConditionField[], conditions: Conditions) =>
  `Floor ${fields.map((field) => wordsOf(field, conditions)).join(' ')}`.trim();

/** What the new rule of a pair is called and when it is asked. */
export const addedFor = (conditions: Conditions): ReadRule['added'] => ({
  Name: nameOf(['Countries', 'DeviceTypes'], conditions),
  Priority: priorityOf(conditions),
});

interface Column {
  readonly name: string;
  readonly read: (text: string, decimal: DecimalName) => Values | undefined;
}

function readRow(
  columns: readonly (Column | undefined)[],
  { number, cells }: TableRow,
  decimal: DecimalName,
): FloorsFile {
  const place = `row ${number}`;
  const [conditions, values]: [Conditions, Record<string, unknown>] = [{}, {}];
  const faults: FloorFault[] = [];
  for (const [index, column] of columns.entries()) {
    const cell = (cells[index] ?? '').trim();
    if (!column || (isAny(cell) && !isFloor(column.name))) continue;
    const read = column.read(cell, decimal);
    if (!read) faults.push(valueFault(place, cell, column.name));
    const { Currency = values.Currency } = read ?? {};
    if (values.Currency !== undefined && Currency !== values.Currency)
      faults.push({ place, text: `names two currencies, ${values.Currency} and ${Currency}` });
    Object.assign(conditionOf(column.name) ? conditions : values, read);
  }
  if (faults.length > 0) return { rules: [], faults };
  const fields = columns.flatMap((column) => conditionOf(column?.name ?? '')?.field ?? []);
  const added = { Name: nameOf(fields, conditions), Priority: priorityOf(conditions) };
  return { rules: [{ place, conditions, settings: values, added }], faults };
}

/** A row is a rule; the first one names the columns. */
function readColumns(head: TableRow, { rows, decimal }: FloorSheet): FloorsFile {
  const columns = head.cells.map((name): Column | undefined => {
    const read = conditionOf(name)?.read ?? settingOf(name);
    return read && { name: name.trim(), read };
  });
  const unknown = head.cells.filter((name, index) => !columns[index] && name.trim() !== '');
  const faults = [
    ...unknown.map((name) => `${name.trim()} is no column of floors; possible ones: ${columnNames}`),
    ...(head.cells.some(isFloor) ? [] : ['there is no column floor']),
  ];
  if (faults.length > 0)
    return { rules: [], faults: faults.map((text) => ({ text: `row ${head.number}: ${text}` })) };
  return allOf(rows.map((row) => readRow(columns, row, decimal)));
}

interface DeviceColumn {
  readonly name: string;
  readonly conditions: Conditions | undefined;
}

function readCrossRow(
  {
    name,
    columns,
    decimal,
  }: {
    readonly name: string;
    readonly columns: readonly DeviceColumn[];
    readonly decimal: DecimalName;
  },
  { number, cells }: TableRow,
): FloorsFile {
  const [country = '', ...floors] = cells.map((cell) => cell.trim());
  const read = isAny(country) ? {} : conditionOf(name)?.read(country);
  if (!read) return { rules: [], faults: [valueFault(`row ${number}`, country, name)] };
  const [rules, faults]: [ReadRule[], FloorFault[]] = [[], []];
  for (const [index, column] of columns.entries()) {
    const [cell = '', place] = [floors[index], `row ${number}, ${column.name}`];
    if (cell === '') continue;
    const floor = readFloor(cell, decimal);
    const conditions = { ...read, ...column.conditions };
    if (floor) rules.push({ place, conditions, settings: { ...floor }, added: addedFor(conditions) });
    else faults.push(valueFault(place, cell, floorName));
  }
  return { rules, faults };
}

const allOf = (files: readonly FloorsFile[]): FloorsFile => ({
  rules: files.flatMap(({ rules }) => rules),
  faults: files.flatMap(({ faults }) => faults),
});

/** A row is a country, a column a device, and a cell the floor of a rule. */
function readCross(head: TableRow, { rows, decimal }: FloorSheet): FloorsFile {
  const [name = '', ...names] = head.cells.map((cell) => cell.trim());
  const columns = names.map((one) => ({ name: one, conditions: isAny(one) ? {} : device.read(one) }));
  const unknown = columns.filter(({ conditions }) => !conditions);
  if (unknown.length === 0) return allOf(rows.map((row) => readCrossRow({ name, columns, decimal }, row)));
  const faults = unknown.map((one) => ({
    text: `row ${head.number}: "${one.name}" is not a value of device`,
  }));
  return { rules: [], faults };
}

const isCross = ([first = '', ...others]: readonly string[]) =>
  isCountry(first) &&
  !others.some(isFloor) &&
  others.some((name) => name.trim() !== '' && (isAny(name) || device.read(name.trim()) !== undefined));

/** Of a spreadsheet: with a row for each rule, or with a row for each country and a column for each device. */
export function readFloorTable({ rows, decimal }: FloorSheet): FloorsFile {
  const [head, ...others] = rows;
  if (!head) return { rules: [], faults: [{ text: 'the file is empty' }] };
  if (others.length > rowsMax)
    return { rules: [], faults: [{ text: `the file has more than ${rowsMax} rows; split it` }] };
  const sheet = { rows: others, decimal };
  return isCross(head.cells) ? readCross(head, sheet) : readColumns(head, sheet);
}
