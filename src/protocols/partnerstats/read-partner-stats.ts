import { ownMember } from '../../reference/own-member.ts';
import { isObject, parseJson } from '../json.ts';
import { countOf, dayOfText, nanosOf } from './figure-text.ts';
import { csvCells } from './read-csv.ts';

/** What a partner says of a day. */
export interface ReportedDay {
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly impressions: number;
  readonly clicks: number;
  /** Nano-USD. */
  readonly nanos: number;
}

/** A partner's statistics as they were read, or why they cannot be: in words for people, nothing is guessed. */
export type ReadStats =
  | { readonly days: readonly ReportedDay[]; readonly rows: number }
  | { readonly fault: string };

const rowsMax = 20_000;
const depthMax = 4;
const namesShownMax = 12;
const charactersShownMax = 40;

/** Usual names of columns, in small letters and digits alone. */
const synonyms = {
  date: ['date', 'day', 'datestats', 'reportdate', 'statdate', 'dayutc', 'dateutc'],
  impressions: [
    'impressions',
    'impression',
    'imps',
    'imp',
    'netimpressions',
    'impressioncount',
    'totalimpressions',
  ],
  clicks: ['clicks', 'click', 'clickcount', 'totalclicks'],
  amount: [
    ...['amount', 'revenue', 'revenueusd', 'spend', 'spendusd', 'spent', 'cost', 'costusd', 'amountusd'],
    ...['earnings', 'netrevenue', 'totalspend', 'totalrevenue'],
  ],
} as const;
type Column = keyof typeof synonyms;
const columns = Object.keys(synonyms) as readonly Column[];
/** What else the part of a URL behind `#` may say. */
const settingNames: readonly string[] = [...columns, 'rows'];

type Row = Readonly<Record<string, unknown>>;
type Settings = ReadonlyMap<string, string>;

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const cut = (text: string) =>
  text.length > charactersShownMax ? `${text.slice(0, charactersShownMax)}…` : text;
const listed = (names: readonly string[]) =>
  names.slice(0, namesShownMax).map(cut).join(', ') + (names.length > namesShownMax ? ', …' : '');

class Unreadable extends Error {}

/** What the part behind `#` says of columns, as `date=Day&amount=Net`; another fragment says nothing. */
function settingsOf(fragment: string): Settings {
  if (!fragment.includes('=')) return new Map();
  const settings = new Map(new URLSearchParams(fragment));
  const unknown = [...settings.keys()].filter((name) => !settingNames.includes(name));
  if (unknown.length === 0) return settings;
  throw new Unreadable(
    `the part of StatsApi behind # names ${listed(unknown)}; it may name ${settingNames.join(', ')}`,
  );
}

/** Arrays of objects in a value, by their path. */
function* arraysIn(
  value: unknown,
  path: readonly string[],
): Generator<readonly [path: string, rows: readonly Row[]]> {
  if (Array.isArray(value)) {
    if (value.every(isObject)) yield [path.join('.'), value as readonly Row[]];
    return;
  }
  if (!isObject(value) || path.length >= depthMax) return;
  for (const [name, member] of Object.entries(value)) yield* arraysIn(member, [...path, name]);
}

function jsonRows(value: unknown, settings: Settings): readonly Row[] {
  const found = [...arraysIn(value, [])];
  const wanted = settings.get('rows');
  const paths = listed(found.map(([path]) => path || 'the answer itself'));
  if (wanted !== undefined) {
    const [, rows] = found.find(([path]) => path === wanted) ?? [];
    if (rows) return rows;
    throw new Unreadable(`there is no array of rows at ${cut(wanted)}; there are: ${paths || 'none'}`);
  }
  const filled = found.filter(([, rows]) => rows.length > 0);
  const [only, second] = filled.length > 0 ? filled : found.slice(0, 1);
  if (!only) throw new Unreadable('the JSON has no array of rows');
  if (!second) return only[1];
  throw new Unreadable(
    `the JSON has several arrays of rows (${paths}); say which one behind # in StatsApi, as #rows=${cut(only[0])}`,
  );
}

function csvRows(text: string, settings: Settings): readonly Row[] {
  const [header = [], ...lines] = csvCells(text, rowsMax + 1);
  const names = header.map((name) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new Unreadable(`the CSV has two columns of the name "${cut(twice)}"`);
  // Else any text of one line would be a header without rows.
  namesIn(names, settings);
  return lines.map((cells, index) => {
    if (cells.length === names.length) return Object.fromEntries(names.map((name, at) => [name, cells[at]]));
    throw new Unreadable(
      `row ${index + 1} of the CSV has ${cells.length} cells, and its header has ${names.length}`,
    );
  });
}

function rowsIn(text: string, settings: Settings): readonly Row[] {
  const start = text.trimStart();
  if (start === '') throw new Unreadable('the answer is empty');
  if (start.startsWith('<')) throw new Unreadable('the answer is HTML or XML, neither JSON nor CSV');
  if (!/^[[{]/.test(start)) return csvRows(text, settings);
  const value = parseJson(text);
  if (value === undefined) throw new Unreadable('the answer begins like JSON, and is none');
  return jsonRows(value, settings);
}

/** The name of each column in these rows; undefined where there is none. */
function namesIn(names: readonly string[], settings: Settings): Readonly<Record<Column, string | undefined>> {
  const nameOf = (column: Column): string | undefined => {
    const wanted = settings.get(column);
    if (wanted !== undefined) {
      if (names.includes(wanted)) return wanted;
      throw new Unreadable(`there is no column ${cut(wanted)}; there are: ${listed(names)}`);
    }
    const usual: readonly string[] = synonyms[column];
    const [first, second] = names.filter((name) => usual.includes(plain(name)));
    if (first === undefined || second === undefined) return first;
    throw new Unreadable(
      `${cut(first)} and ${cut(second)} both may be the ${column}; say which one behind # in StatsApi, as #${column}=${cut(first)}`,
    );
  };
  const found = Object.fromEntries(columns.map((column) => [column, nameOf(column)])) as Record<
    Column,
    string | undefined
  >;
  const lacks = found.date === undefined ? 'date' : 'impressions or amounts';
  if (found.date !== undefined && (found.impressions ?? found.amount) !== undefined) return found;
  throw new Unreadable(
    `no column is known as that of the ${lacks}; there are: ${listed(names)}. Say which one behind # in StatsApi, as #date=Day&amount=Net`,
  );
}

const isTotal = (date: unknown) => /^(?:grand )?(?:totals?|sum):?$/i.test(String(date ?? '').trim());

function figure(
  row: Row,
  name: string | undefined,
  of: (value: unknown) => number | undefined,
  index: number,
) {
  if (name === undefined) return 0;
  const value = ownMember(row, name);
  if (value === null || value === undefined || value === '') return 0;
  const read = of(value);
  if (read !== undefined) return read;
  throw new Unreadable(
    `row ${index + 1}: ${cut(name)} is ${cut(JSON.stringify(value) ?? '')}, which cannot be read in one way only`,
  );
}

function daysIn(rows: readonly Row[], settings: Settings): readonly ReportedDay[] {
  const known = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) known.add(name);
  const names = namesIn([...known], settings);
  const days = new Map<number, ReportedDay>();
  for (const [index, row] of rows.entries()) {
    const date = ownMember(row, names.date ?? '');
    if (isTotal(date)) continue;
    const day = dayOfText(date);
    if (day === undefined) {
      throw new Unreadable(
        `row ${index + 1}: the date is ${cut(JSON.stringify(date) ?? '')}, not a day as 2027-01-31`,
      );
    }
    const before = days.get(day) ?? { day, impressions: 0, clicks: 0, nanos: 0 };
    days.set(day, {
      day,
      impressions: before.impressions + figure(row, names.impressions, countOf, index),
      clicks: before.clicks + figure(row, names.clicks, countOf, index),
      nanos: before.nanos + figure(row, names.amount, nanosOf, index),
    });
  }
  for (const { impressions, clicks, nanos } of days.values()) {
    if (![impressions, clicks, nanos].every(Number.isSafeInteger))
      throw new Unreadable('a day adds up to more than can be counted');
  }
  return [...days.values()].toSorted((one, other) => one.day - other.day);
}

/**
 * Reads a partner's statistics: JSON with one array of rows, or CSV with a header. Columns are found by their usual
 * names, or by those that `fragment` (what stands behind `#` in the URL) says. Never throws.
 */
export function readPartnerStats(text: string, fragment = ''): ReadStats {
  try {
    const settings = settingsOf(fragment);
    const rows = rowsIn(text, settings);
    if (rows.length > rowsMax) throw new Unreadable(`there are more than ${rowsMax} rows`);
    return { days: rows.length === 0 ? [] : daysIn(rows, settings), rows: rows.length };
  } catch (error) {
    if (error instanceof Unreadable) return { fault: error.message };
    throw error;
  }
}
