import type { CsvValue, DecimalName } from '../../src/reference/csv.ts';
import { hasMembers, itemsIn } from '../api/values.ts';
import type { Form, ShownField } from '../field-tables.ts';
import { isFlag } from '../parts/value-text.ts';
import { cellCharactersMax } from './sheet.ts';

/** What a cell says, or what is wrong with it. */
export type CellReading = { readonly value: unknown } | { readonly fault: string };

/** How values of a kind of field stand in cells. */
interface CellKind {
  readonly fits: (field: ShownField) => boolean;
  readonly write: (value: unknown, field: ShownField) => CsvValue;
  /** Of a cell that is not empty. */
  readonly read: (text: string, field: ShownField, decimal: DecimalName) => CellReading;
}

const flagLabels = { 0: 'no', 1: 'yes' } as const;
const flagWords: ReadonlyMap<string, string> = new Map([
  ['true', 'yes'],
  ['false', 'no'],
]);

const labelsOf = (field: ShownField): Readonly<Record<string, string>> =>
  isFlag(field) ? flagLabels : (field.labels ?? {});

const isNumberLike = (text: string) => /^[\d.,\s]+$/.test(text);

/** Whether a cell shows labels instead of codes: where none can be taken for another one, a number, or two. */
function showsLabels(field: ShownField): boolean {
  const entries = Object.entries(labelsOf(field));
  const words = new Set([
    ...entries.map(([code]) => code),
    ...entries.map(([, label]) => label.toLowerCase()),
  ]);
  const isList = field.form.type === 'array';
  return (
    words.size === 2 * entries.length &&
    entries.every(([, label]) => !isNumberLike(label) && !(isList && /[,;]/.test(label)))
  );
}

const knownCodes = ({ form, labels = {} }: ShownField): readonly string[] =>
  ((form.items ?? form).enum ?? Object.keys(labels)).map(String);

/** What may stand in a cell of codes, in the order of the codes; undefined where anything may. */
export const choicesOf = (field: ShownField): readonly string[] | undefined =>
  codes.fits(field) ? knownCodes(field).map((code) => String(codeText(code, field))) : undefined;

const codeText = (code: unknown, field: ShownField): string =>
  (showsLabels(field) ? labelsOf(field)[String(code)] : undefined) ?? String(code);

const choicesMax = 12;

function choicesText(field: ShownField): string {
  const labels = labelsOf(field);
  const isByLabel = showsLabels(field);
  const known = knownCodes(field)
    .filter((code) => code !== '')
    .map((code) => (isByLabel || !labels[code] ? codeText(code, field) : `${code} (${labels[code]})`));
  const shown = known.slice(0, choicesMax).join(', ');
  return known.length > choicesMax ? `${shown} and ${known.length - choicesMax} more` : shown;
}

/** A code by its label, or as it is. */
function readCode(text: string, field: ShownField): CellReading {
  const word = text.trim().toLowerCase();
  const wanted = isFlag(field) ? (flagWords.get(word) ?? word) : word;
  const labels = Object.entries(labelsOf(field));
  const labelled = showsLabels(field)
    ? labels.find(([, label]) => label.toLowerCase() === wanted)?.[0]
    : undefined;
  const code = labelled ?? knownCodes(field).find((one) => one.toLowerCase() === wanted);
  const { type } = field.form.items ?? field.form;
  const isBareNumber = type === 'integer' && /^\d+$/.test(wanted);
  if (code === undefined && !(isBareNumber && !isFlag(field)))
    return { fault: `"${text}" is none of: ${choicesText(field)}` };
  const chosen = code ?? wanted;
  return { value: type === 'integer' ? Number(chosen) : chosen };
}

const codes: CellKind = {
  fits: ({ form, labels }) => form.type !== 'array' && (labels !== undefined || form.enum !== undefined),
  write: codeText,
  read: readCode,
};

const plainNumber = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const commaNumber = /^[+-]?\d+,\d+$/;
/** A thousand to some, one and a fraction to others. */
const unclearNumber = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

function readNumber(text: string, _: ShownField, decimal: DecimalName): CellReading {
  const number = text.trim();
  if (decimal === 'Comma' && unclearNumber.test(number)) {
    const [one, other] = [number.replace('.', ''), number.replace('.', ',')];
    return { fault: `"${number}" can mean two numbers: write ${one} or ${other}` };
  }
  if (plainNumber.test(number)) return { value: Number(number) };
  if (decimal === 'Comma' && commaNumber.test(number)) return { value: Number(number.replace(',', '.')) };
  return {
    fault: `"${text}" is no number: write it like 1234.5, without a comma, a currency, a percent sign or spaces`,
  };
}

const numbers: CellKind = {
  fits: ({ form }) => form.type === 'integer' || form.type === 'number',
  write: (value) => (typeof value === 'number' ? value : String(value ?? '')),
  read: readNumber,
};

/** The member that says all of an item, where there is one: a country's code, a family's name. */
const keyMembers = ['CC', 'Family'] as const;
/** What answers add to an item. */
const addedMember = 'Country';

const keyOf = ({ properties = {} }: Form): string | undefined => keyMembers.find((key) => key in properties);

/** An item without what answers add to it. */
function sentItem(item: unknown): unknown {
  if (!hasMembers(item) || !('CC' in item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== addedMember));
}

/** An item as a word of a list; undefined where it takes more. */
function wordOf(item: unknown, key: string | undefined): string | undefined {
  const [first, ...others] = hasMembers(item) ? Object.entries(item) : [['', item] as const];
  const isWhole = others.length === 0 && first !== undefined && (first[0] === '' || first[0] === key);
  const word = isWhole ? String(first[1]) : '';
  return /^[^\s,;"[](?:[^,;"\r\n]*[^\s,;"])?$/.test(word) ? word : undefined;
}

function readJson(text: string, wants: 'array' | 'object'): CellReading {
  try {
    const value: unknown = JSON.parse(text);
    if (hasMembers(value) && Array.isArray(value) === (wants === 'array')) return { value };
  } catch {
    // Said below.
  }
  return {
    fault: `is not valid JSON: write ${wants === 'array' ? 'a list like ["a","b"]' : 'members like {"a":"b"}'}`,
  };
}

function readItem(word: string, field: ShownField): CellReading {
  const { items = {} } = field.form;
  if (field.labels || items.enum) return readCode(word, field);
  if (items.type === 'integer') {
    return /^\d+$/.test(word)
      ? { value: Number(word) }
      : { fault: `"${word}" is no ID: write numbers like 12, 15` };
  }
  const key = keyOf(items);
  if (items.properties && !key) return { fault: 'is no list of objects: write JSON, like [{…}]' };
  return { value: key ? { [key]: word } : word };
}

const lists: CellKind = {
  fits: ({ form }) => form.type === 'array',
  write(value, field) {
    const items = itemsIn(value).map(sentItem);
    const key = keyOf(field.form.items ?? {});
    const words = items.map((item) => (typeof item === 'number' ? codeText(item, field) : wordOf(item, key)));
    if (items.length === 0) return '';
    return words.includes(undefined) ? JSON.stringify(items) : words.join(', ');
  },
  read(text, field) {
    if (text.trimStart().startsWith('[')) return readJson(text, 'array');
    const words = text.split(/[,;\r\n]/).map((word) => word.trim());
    const read = words.filter((word) => word !== '').map((word) => readItem(word, field));
    const fault = read.find((one) => 'fault' in one);
    return fault ?? { value: read.flatMap((one) => ('value' in one ? [one.value] : [])) };
  },
};

const objects: CellKind = {
  fits: ({ form }) => form.type === 'object',
  write: (value) => (hasMembers(value) && Object.keys(value).length > 0 ? JSON.stringify(value) : ''),
  read: (text) => readJson(text, 'object'),
};

const texts: CellKind = {
  fits: () => true,
  write: (value) => String(value ?? ''),
  read: (text) => ({ value: text }),
};

/** The first that fits. */
const kinds: readonly CellKind[] = [codes, numbers, lists, objects, texts];

const kindOf = (field: ShownField): CellKind => kinds.find(({ fits }) => fits(field)) ?? texts;

/** Whether a column of a field is one of texts, in which a spreadsheet is to change nothing. */
export const isTextColumn = (field: ShownField): boolean => kindOf(field) !== numbers;

/** Stands for a value that no cell can hold, and changes nothing. */
export const tooLong = '(unchanged: too long for a cell)';

/** A value as a cell, which `readCell` reads as the same value. */
export function cellOf(field: ShownField, value: unknown): CsvValue {
  const cell = value === undefined || value === null ? '' : kindOf(field).write(value, field);
  return typeof cell === 'string' && cell.length > cellCharactersMax ? tooLong : cell;
}

/** What a cell that is not empty says. */
export const readCell = (field: ShownField, text: string, decimal: DecimalName): CellReading =>
  kindOf(field).read(text, field, decimal);

/** Spreadsheets have line ends of their own. */
const withOneLineEnd = (cell: CsvValue) => String(cell ?? '').replaceAll(/\r\n?/g, '\n');

/** Whether two values are the same to who reads them in cells. */
export const isSameCell = (one: CsvValue, other: CsvValue): boolean =>
  withOneLineEnd(one) === withOneLineEnd(other);
