import { ownMember } from '../../reference/own-member.ts';
import { isObject, parseJson } from '../json.ts';
import { assertDollarColumn, assertDollars, hasDollarColumn, isCurrencyName } from './currency.ts';
import { countOf, dayReader, nanosOf, utcDayAt } from './figure-text.ts';
import { isBinary } from './is-binary.ts';
import { csvCells } from './read-csv.ts';
import { xmlRows } from './read-xml.ts';
import { nameList, plainName, shortened } from './shown-names.ts';
import { UnreadableStatistics } from './unreadable-statistics.ts';

export interface ReportedDay {
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly impressions: number;
  readonly clicks: number;
  readonly nanos: number;
}

/** Statistics, or why they cannot be read, in words for people; nothing is guessed. */
export type ReadStats =
  | { readonly days: readonly ReportedDay[]; readonly rows: number }
  | { readonly fault: string };

const rowsMax = 20_000;
const depthMax = 4;

/** Column names, as letters and digits. */
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
    'amount',
    'revenue',
    'revenueusd',
    'spend',
    'spendusd',
    'spent',
    'cost',
    'costusd',
    'amountusd',
    'earnings',
    'netrevenue',
    'totalspend',
    'totalrevenue',
  ],
} as const;
type Column = keyof typeof synonyms;
const columns = Object.keys(synonyms) as readonly Column[];
/** Other settings in a URL's fragment; `zone` is that of the days. */
const settingNames: readonly string[] = [...columns, 'rows', 'currency', 'zone'];
type Row = Readonly<Record<string, unknown>>;
type Settings = ReadonlyMap<string, string>;

/** As `date=Day&amount=Net`; another fragment says nothing. */
function settingsOf(fragment: string): Settings {
  if (!fragment.includes('=')) return new Map();
  const settings = new Map(new URLSearchParams(fragment));
  const unknown = [...settings.keys()].filter((name) => !settingNames.includes(name));
  if (unknown.length === 0) return settings;
  throw new UnreadableStatistics(
    `the part of StatsApi after # names ${nameList(unknown)}; it may name ${settingNames.join(', ')}`,
  );
}

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

/** Those that `#rows` names, or the only ones. */
function chosen(
  kind: 'JSON' | 'XML',
  found: readonly (readonly [path: string, rows: readonly Row[]])[],
  settings: Settings,
): readonly Row[] {
  const wanted = settings.get('rows');
  const paths = nameList(found.map(([path]) => path || 'the answer itself'));
  if (wanted !== undefined) {
    const [, rows] = found.find(([path]) => path === wanted) ?? [];
    if (rows) return rows;
    throw new UnreadableStatistics(
      `there is no array of rows at ${shortened(wanted)}; possible values: ${paths || 'none'}`,
    );
  }
  const filled = found.filter(([, rows]) => rows.length > 0);
  const [only, second] = filled.length > 0 ? filled : found.slice(0, 1);
  if (!only) throw new UnreadableStatistics(`the ${kind} has no array of rows`);
  if (!second) return only[1];
  throw new UnreadableStatistics(
    `the ${kind} has several arrays of rows (${paths}); name one after # in StatsApi, for example #rows=${shortened(only[0])}`,
  );
}

function areKnown(rows: readonly Row[], settings: Settings): boolean {
  try {
    return namesIn(Object.keys(rows[0] ?? {}), settings) !== undefined;
  } catch {
    return false;
  }
}

/** Those outside its rows. */
function* membersOf(value: unknown, depth = 0): Generator<readonly [name: string, value: unknown]> {
  if (!isObject(value) || depth >= depthMax) return;
  for (const [name, member] of Object.entries(value)) {
    yield [name, member];
    yield* membersOf(member, depth + 1);
  }
}

function csvRows(text: string, settings: Settings): readonly Row[] {
  const [header = [], ...lines] = csvCells(text, rowsMax + 1);
  const names = header.map((name) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined)
    throw new UnreadableStatistics(`the CSV has two columns named "${shortened(twice)}"`);
  // Otherwise any line of text would be a header without rows.
  namesIn(names, settings);
  return lines.map((cells, index) => {
    if (cells.length === names.length) return Object.fromEntries(names.map((name, at) => [name, cells[at]]));
    throw new UnreadableStatistics(
      `row ${index + 1} of the CSV has ${cells.length} cells, and its header has ${names.length}`,
    );
  });
}

/** Its rows, and other members by name. */
interface Content {
  readonly rows: readonly Row[];
  readonly beside: Iterable<readonly [name: string, value: unknown]>;
}

function contentOf(text: string, settings: Settings): Content {
  const start = text.trimStart();
  if (start === '') throw new UnreadableStatistics('the answer is empty');
  if (isBinary(text)) {
    throw new UnreadableStatistics(
      'the answer is binary, not text: neither JSON, CSV nor XML, plain or gzipped',
    );
  }
  if (/^<html\b/i.test(start))
    throw new UnreadableStatistics('the answer is HTML, neither JSON, CSV nor XML');
  if (start.startsWith('<')) {
    const { found, values } = xmlRows(start);
    const known = settings.has('rows')
      ? [...found]
      : [...found].filter(([, rows]) => areKnown(rows, settings));
    if (found.size === 0)
      throw new UnreadableStatistics('the answer is HTML, or XML without rows of statistics');
    return { rows: chosen('XML', known.length > 0 ? known : [...found], settings), beside: values };
  }
  if (!/^[[{]/.test(start)) return { rows: csvRows(text, settings), beside: [] };
  const value = parseJson(text);
  if (value === undefined) throw new UnreadableStatistics('the answer begins like JSON, but is not JSON');
  return { rows: chosen('JSON', [...arraysIn(value, [])], settings), beside: membersOf(value) };
}

/** Undefined if there is no such column. */
function namesIn(names: readonly string[], settings: Settings): Readonly<Record<Column, string | undefined>> {
  const nameOf = (column: Column): string | undefined => {
    const wanted = settings.get(column);
    if (wanted !== undefined) {
      if (names.includes(wanted)) return wanted;
      throw new UnreadableStatistics(
        `there is no column ${shortened(wanted)}; the columns are: ${nameList(names)}`,
      );
    }
    const usual: readonly string[] = synonyms[column];
    const [first, second] = names.filter((name) => usual.includes(plainName(name)));
    if (first === undefined || second === undefined) return first;
    throw new UnreadableStatistics(
      `${shortened(first)} and ${shortened(second)} could both be the ${column}; name one after # in StatsApi, for example #${column}=${shortened(first)}`,
    );
  };
  const found = Object.fromEntries(columns.map((column) => [column, nameOf(column)])) as Record<
    Column,
    string | undefined
  >;
  const lacks = found.date === undefined ? 'date' : 'impressions or amounts';
  if (found.date !== undefined && (found.impressions ?? found.amount) !== undefined) return found;
  throw new UnreadableStatistics(
    `no column is recognized for the ${lacks}; the columns are: ${nameList(names)}. Name one after # in StatsApi, for example #date=Day&amount=Net`,
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
  throw new UnreadableStatistics(
    `row ${index + 1}: ${shortened(name)} is ${shortened(JSON.stringify(value) ?? '')}, which is ambiguous`,
  );
}

/** The column that `#currency` names, or those with usual names. */
function currenciesIn(
  names: readonly string[],
  amount: string | undefined,
  settings: Settings,
): readonly string[] {
  const wanted = settings.get('currency');
  if (wanted !== undefined && !names.includes(wanted)) {
    throw new UnreadableStatistics(
      `there is no column ${shortened(wanted)}; the columns are: ${nameList(names)}`,
    );
  }
  if (amount === undefined || hasDollarColumn(amount)) return [];
  return wanted === undefined ? names.filter((name) => isCurrencyName(name)) : [wanted];
}

/** All rows have these columns. */
function rowReader(
  known: readonly string[],
  beside: Content['beside'],
  settings: Settings,
  dayAt: (ms: number) => number,
) {
  const names = namesIn(known, settings);
  assertDollarColumn(names.amount);
  if (names.amount !== undefined && !hasDollarColumn(names.amount)) {
    for (const [name, value] of beside) {
      if (isCurrencyName(name)) assertDollars(name, value, 'of the whole answer, ');
    }
  }
  const currencies = currenciesIn(known, names.amount, settings);
  const dayOf = dayReader(dayAt);
  return (row: Row, index: number): ReportedDay | undefined => {
    const date = ownMember(row, names.date ?? '');
    if (isTotal(date)) return undefined;
    const day = dayOf(date);
    if (day === undefined) {
      throw new UnreadableStatistics(
        `row ${index + 1}: the date is ${shortened(JSON.stringify(date) ?? '')}, not a day like 2027-01-31`,
      );
    }
    for (const name of currencies) assertDollars(name, ownMember(row, name), `row ${index + 1}: `);
    return {
      day,
      impressions: figure(row, names.impressions, countOf, index),
      clicks: figure(row, names.clicks, countOf, index),
      nanos: figure(row, names.amount, nanosOf, index),
    };
  };
}

function daysIn(
  { rows, beside }: Content,
  settings: Settings,
  dayAt: (ms: number) => number,
): readonly ReportedDay[] {
  const known = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) known.add(name);
  const read = rowReader([...known], beside, settings, dayAt);
  const days = new Map<number, ReportedDay>();
  for (const [index, row] of rows.entries()) {
    const one = read(row, index);
    if (!one) continue;
    const { day } = one;
    const before = days.get(day) ?? { day, impressions: 0, clicks: 0, nanos: 0 };
    days.set(day, {
      day,
      impressions: before.impressions + one.impressions,
      clicks: before.clicks + one.clicks,
      nanos: before.nanos + one.nanos,
    });
  }
  for (const { impressions, clicks, nanos } of days.values()) {
    if (![impressions, clicks, nanos].every(Number.isSafeInteger))
      throw new UnreadableStatistics('the sum of a day is too large to count');
  }
  return [...days.values()].toSorted((one, other) => one.day - other.day);
}

/**
 * Reads JSON or XML with one array of rows, or CSV with a header. Columns go by usual names or `fragment` (behind `#`
 * in the URL). `dayAt`: the day of a time with an offset, by default UTC's. Never throws.
 */
export function readPartnerStats(text: string, fragment = '', dayAt = utcDayAt): ReadStats {
  try {
    const settings = settingsOf(fragment);
    const content = contentOf(text, settings);
    const { rows } = content;
    if (rows.length > rowsMax) throw new UnreadableStatistics(`there are more than ${rowsMax} rows`);
    return { days: rows.length === 0 ? [] : daysIn(content, settings, dayAt), rows: rows.length };
  } catch (error) {
    if (error instanceof UnreadableStatistics) return { fault: error.message };
    throw error;
  }
}
