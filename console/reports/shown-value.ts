import { entityOf, reports } from '../field-tables.ts';
import type { Row } from './question.ts';
import { isStep } from './report-search.ts';

/** A value of a dimension, as people read it. */
export interface ShownValue {
  readonly text: string;
  /** Whether it says that there is none, or is the rest: our words, not a value. */
  readonly isOurs?: boolean;
  readonly object?: { readonly entity: string; readonly id: number };
  /** As filters take it; undefined where none does. */
  readonly value?: string | number;
  readonly help?: string;
  readonly reason?: string;
}

/** What codes mean, by dimension and code. */
export type CodeNames = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;

const timeForms: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  QuarterHour: { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  Hour: { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  Day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  Week: { day: 'numeric', month: 'short', year: 'numeric' },
  Month: { month: 'long', year: 'numeric' },
};

const formats = new Map(
  Object.entries(timeForms).map(([step, form]) => [
    step,
    new Intl.DateTimeFormat('en-GB', { ...form, timeZone: 'UTC' }),
  ]),
);

const clockLength = 19;

/** The start of a step of time by the clock of the report's zone, which its text begins with. */
function stepText(step: string, start: string): string {
  const text = formats.get(step)?.format(Date.parse(`${start.slice(0, clockLength)}Z`)) ?? start;
  return step === 'Week' ? `Week of ${text}` : text;
}

/** A step of time as people read it: whether it is cut, too. */
export function stepValue(step: string, row: Row): ShownValue {
  const text = stepText(step, String(row[step]));
  return row.Partial
    ? { text: `${text} (part)`, help: `${text}: only the part within the report` }
    : { text };
}

const none: ShownValue = { text: 'none', isOurs: true };

/** What stands where there is no demand: what supply counts by itself. */
export const noDemand: ShownValue = {
  text: 'none: supply itself',
  isOurs: true,
  help: 'What supply counts on its own, before any demand is called: requests, impressions offered, and what ended them.',
};
const ofDemand: readonly string[] = ['Demand', 'DemandKind', 'Advertiser'];

/** Whether a row has what supply counts by itself. */
export const isWithoutDemand = (name: string, row: Row): boolean =>
  ofDemand.includes(name) && (row[name] ?? '') === '';

/**
 * Whether a report is of pairs, where most rows say little: what supply counts by itself, and pairs of which nothing was
 * counted.
 */
export const isOfPairs = (groups: readonly string[]): boolean =>
  groups.includes('Supply') && groups.some((name) => ofDemand.includes(name));

function objectValue(entity: string, id: number, name: unknown, value: string | number): ShownValue {
  if (id === 0 || !entityOf(entity)) return none;
  return { text: String(name || `ID ${id}`), object: { entity, id }, value };
}

/** A text or code that a filter names, or a row has. */
export function codeValue(name: string, value: string | number, codes: CodeNames): ShownValue {
  const known = codes[name]?.[value];
  if (name === 'DemandKind' && value === '') return { ...noDemand, value };
  if (known !== undefined) return { text: known, value };
  if (value === '' || value === 0)
    return { text: 'not known', ...reports.dimensions[name]?.unknown, isOurs: true, value };
  if (value === 'other') return { text: 'all others', isOurs: true, value };
  // A backslash stands before a value that could be taken for one of ours.
  return { text: String(value).replace(/^\\/, ''), value };
}

/** The value of a dimension, or the step of time, in a row. */
export function shownValue(name: string, row: Row, codes: CodeNames): ShownValue {
  const value = row[name];
  if (isWithoutDemand(name, row)) return name === 'DemandKind' ? { ...noDemand, value: '' } : noDemand;
  if (isStep(name)) return stepValue(name, row);
  const shows = reports.dimensions[name]?.shows;
  if (shows === 'reason') {
    const reason = String(value);
    return { ...codeValue(name, reason, codes), reason, help: String(row[`${name}Help`] ?? '') };
  }
  if (typeof shows !== 'object')
    return codeValue(name, typeof value === 'number' ? value : String(value), codes);
  const id = Number(value ?? 0);
  if ('account' in shows) return objectValue(shows.account, id, row[`${name}Name`], id);
  const kind = String(row[shows.kindAs] ?? '');
  return objectValue(kind, id, row[`${name}Name`], `${kind}:${id}`);
}

/** All values of a row in one text. */
export const rowText = (names: readonly string[], row: Row, codes: CodeNames): string =>
  names.map((name) => shownValue(name, row, codes).text).join(' · ');
