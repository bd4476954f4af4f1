import { isObject } from '../json.ts';

/** The first fault of a message. A class, so that no value read can be taken for one. */
export class FormFault {
  readonly wanted: string;
  /** As `imp[0].banner.w`; `""` = the whole message. */
  readonly path: string;
  /** Of OpenRTB 2.6; `""` = none. */
  readonly section: string;

  constructor(wanted: string, path = '', section = '') {
    this.wanted = wanted;
    this.path = path;
    this.section = section;
  }

  /** Moves the fault into a member or item (`[0]`) of an object of this section. */
  within(step: string, section = ''): FormFault {
    const joint = this.path === '' || this.path.startsWith('[') ? '' : '.';
    return new FormFault(this.wanted, `${step}${joint}${this.path}`, this.section || section);
  }
}

/** Of numbers; for texts, `least` characters. */
interface Bounds {
  readonly form: 'string' | 'integer' | 'float';
  readonly least: number;
  readonly most: number;
}

/** One function for all tables, so that reading is little code for the processor. */
export function isWithin({ form, least, most }: Bounds, value: unknown): boolean {
  if (form === 'string') return typeof value === 'string' && value.length >= least;
  return (
    typeof value === 'number' &&
    value >= least &&
    value <= most &&
    (form === 'float' || Number.isInteger(value))
  );
}

/** `T` as read, `S` as Bourse writes it. */
export interface MemberType<T, S = T> {
  /** Of an item, if it is a list. */
  readonly form: 'string' | 'integer' | 'float' | 'object';
  readonly isList: boolean;
  /** Undefined for simple values, and for objects of any members. */
  readonly object: ObjectKind | undefined;
  /** A value within them is read as it is. */
  readonly bounds?: Bounds | undefined;
  /** The value without what is not kept (itself, if all is), or what is wrong. */
  readonly read: (value: unknown) => T | FormFault;
  /** The part that is right; undefined if there is none. */
  readonly keep: (value: unknown) => T | undefined;
  /** Never there: it carries the type for the compiler. */
  readonly sent?: S;
}

/** As far as its members may be looked up by name. */
export interface ObjectKind {
  /** As the standard has it, such as `Imp`. */
  readonly name: string;
  /** Section of OpenRTB 2.6. */
  readonly section: string;
  readonly rows: Readonly<
    Record<string, readonly [type: MemberType<unknown, unknown>, ...uses: MemberUse[]]>
  >;
  /** Members that OpenRTB 2.5 has in `ext`. */
  readonly older: readonly string[];
}

/**
 * What is done with a member:
 * - `read`: Bourse reads it. It must have its type and be within its bounds, or else the object is refused.
 * - `passed`: it goes on as the sender said it. If it is not `read`, a value of another type is dropped.
 * - `sent`: Bourse writes it, whether the sender gave a value or not.
 * - `older`: OpenRTB 2.5 has it in `ext`. It is read in either place and written in both.
 * - a `Disclosure`: goes only to partners that may know this of the viewer.
 *
 * A member without any is known only by its type, for values that are set by path (`CustomParams`).
 */
export type MemberUse = 'read' | 'passed' | 'sent' | 'older' | Disclosure;

/**
 * What a member tells of the viewer: IDs, personal data, the whole address, the exact place; or nothing that needs a
 * permission.
 */
export type Disclosure = 'userIds' | 'userData' | 'address' | 'place' | 'open';

function simple<T>(
  form: MemberType<T>['form'],
  wanted: string,
  fits: (value: unknown) => boolean,
): MemberType<T> {
  const fault = new FormFault(wanted);
  return {
    form,
    isList: false,
    object: undefined,
    read: (value) => (fits(value) ? (value as T) : fault),
    keep: (value) => (fits(value) ? (value as T) : undefined),
  };
}

function bounded<T>(wanted: string, bounds: Bounds): MemberType<T> {
  return { ...simple<T>(bounds.form, wanted, (value) => isWithin(bounds, value)), bounds };
}

const textOf = (wanted: string, least: number) =>
  bounded<string>(wanted, { form: 'string', least, most: Number.POSITIVE_INFINITY });

export const text = textOf('a string', 0);

/** Not empty. */
export const word = textOf('a string that is not empty', 1);

/** With more than white space. */
export const filledWord: MemberType<string> = simple(
  'string',
  'a string that is not empty',
  (value) => typeof value === 'string' && value.trim() !== '',
);

export const bit = bounded<0 | 1>('0 or 1', { form: 'integer', least: 0, most: 1 });

export const anyObject: MemberType<Readonly<Record<string, unknown>>> = simple(
  'object',
  'an object',
  isObject,
);

export function integer(least: number, most: number): MemberType<number> {
  return bounded(`an integer from ${least} to ${most}`, { form: 'integer', least, most });
}

export function number(least: number, most: number): MemberType<number> {
  return bounded(`a number from ${least} to ${most}`, { form: 'float', least, most });
}

export function positive(most: number): MemberType<number> {
  return bounded(`a number above 0, up to ${most}`, { form: 'float', least: Number.MIN_VALUE, most });
}

function readItems<T, S>(
  items: readonly unknown[],
  { bounds, read }: MemberType<T, S>,
): readonly T[] | FormFault {
  let changed: T[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    const kept = bounds && isWithin(bounds, item) ? (item as T) : read(item);
    if (kept instanceof FormFault) return kept.within(`[${index}]`);
    if (kept !== item) changed ??= items.slice(0, index) as T[];
    changed?.push(kept);
  }
  return changed ?? (items as readonly T[]);
}

/** If it need not be right, wrong objects are left out; simple values are right as a whole or not at all. */
export function listOf<T, S>(
  item: MemberType<T, S>,
  itemsMax: number,
  itemsMin: 0 | 1 = 0,
): MemberType<readonly T[], readonly S[]> {
  const noList = new FormFault(`an array of ${itemsMin} to ${itemsMax} items`);
  const read = (value: unknown) => {
    if (!Array.isArray(value) || value.length < itemsMin || value.length > itemsMax) return noList;
    return readItems(value, item);
  };
  const keepObjects = (value: unknown) => {
    if (!Array.isArray(value)) return undefined;
    const kept = value
      .slice(0, itemsMax)
      .map(item.keep)
      .filter((one) => one !== undefined);
    return kept.length > 0 ? kept : undefined;
  };
  const keepAll = (value: unknown) => {
    const kept = read(value);
    return kept instanceof FormFault ? undefined : kept;
  };
  const { form, object } = item;
  return { form, object, isList: true, read, keep: form === 'object' ? keepObjects : keepAll };
}
