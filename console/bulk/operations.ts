import { hasMembers, itemsIn } from '../api/values.ts';
import type { ShownField } from '../field-tables.ts';
import { isFlag } from '../parts/value-text.ts';

/** What is done with a field of many objects. */
export interface Operation {
  readonly key: string;
  readonly label: string;
  /** What it needs beside the field. */
  readonly takes: 'value' | 'number' | 'none';
  readonly needsOld?: true;
  /** As `%`, behind the number that it takes. */
  readonly suffix?: string;
  readonly fits: (field: ShownField) => boolean;
  /** The new value, from the old one and what was entered. */
  readonly apply: (old: unknown, entered: unknown, field: ShownField) => unknown;
}

const isAmount = (field: ShownField): boolean =>
  (field.form.type === 'integer' || field.form.type === 'number') &&
  !field.references &&
  !field.labels &&
  field.form.enum === undefined &&
  !isFlag(field);
const isList = ({ form }: ShownField): boolean => form.type === 'array';

const significantDigits = 12;

/** Whole if the field is; else without the noise of binary fractions. */
const rounded = (value: number, { form }: ShownField): number =>
  form.type === 'integer' ? Math.round(value) : Number(value.toPrecision(significantDigits));

const calculated =
  (calculate: (old: number, entered: number) => number): Operation['apply'] =>
  (old, entered, field) =>
    rounded(calculate(Number(old ?? field.omitted ?? 0), Number(entered)), field);

/** What makes two items of a list the same: a country's code, a family's name, or all of it. */
const itemKey = (item: unknown): string =>
  hasMembers(item) ? String(item.CC ?? item.Family ?? JSON.stringify(item)) : String(item);

const keysOf = (items: unknown) => new Set(itemsIn(items).map(itemKey));

/** Old items keep their places; one that is added again is as it was entered. */
function withItems(old: unknown, entered: unknown): unknown {
  const byKey = new Map(itemsIn(entered).map((item) => [itemKey(item), item]));
  const kept = itemsIn(old).map((item) => byKey.get(itemKey(item)) ?? item);
  const known = keysOf(old);
  return [...kept, ...[...byKey].filter(([key]) => !known.has(key)).map(([, item]) => item)];
}

function withoutItems(old: unknown, entered: unknown): unknown {
  const gone = keysOf(entered);
  return itemsIn(old).filter((item) => !gone.has(itemKey(item)));
}

/** Whether a field may be empty. */
export const isClearable = ({ presence, form, labels }: ShownField): boolean =>
  presence === 'optional' && !labels && form.enum === undefined;

export const emptyOf = ({ omitted, form }: ShownField): unknown => {
  if (form.type === 'array') return [];
  return omitted ?? (form.type === 'string' ? '' : 0);
};

/** In the order in which they are offered. @internal */
export const operations: readonly Operation[] = [
  { key: 'set', label: 'Set to', takes: 'value', fits: () => true, apply: (_, entered) => entered },
  {
    key: 'add-items',
    label: 'Add to the list',
    takes: 'value',
    needsOld: true,
    fits: isList,
    apply: withItems,
  },
  {
    key: 'remove-items',
    label: 'Remove from the list',
    takes: 'value',
    needsOld: true,
    fits: isList,
    apply: withoutItems,
  },
  {
    key: 'raise',
    label: 'Increase by percent',
    takes: 'number',
    needsOld: true,
    suffix: ' %',
    fits: isAmount,
    apply: calculated((old, percent) => old * (1 + percent / 100)),
  },
  {
    key: 'lower',
    label: 'Decrease by percent',
    takes: 'number',
    needsOld: true,
    suffix: ' %',
    fits: isAmount,
    apply: calculated((old, percent) => old * (1 - percent / 100)),
  },
  {
    key: 'multiply',
    label: 'Multiply by',
    takes: 'number',
    needsOld: true,
    fits: isAmount,
    apply: calculated((old, factor) => old * factor),
  },
  {
    key: 'plus',
    label: 'Add an amount',
    takes: 'number',
    needsOld: true,
    fits: isAmount,
    apply: calculated((old, amount) => old + amount),
  },
  {
    key: 'clear',
    label: 'Clear',
    takes: 'none',
    fits: isClearable,
    apply: (_, __, field) => emptyOf(field),
  },
];

export const operationsFor = (field: ShownField): readonly Operation[] =>
  operations.filter(({ fits }) => fits(field));
