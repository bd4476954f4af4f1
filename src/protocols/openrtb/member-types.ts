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

/** `T` as read, `S` as Bourse writes it. */
export interface MemberType<T, S = T> {
  /** Of an item, if it is a list. */
  readonly form: 'string' | 'integer' | 'float' | 'object';
  readonly isList: boolean;
  /** Undefined for simple values, and for objects of any members. */
  readonly object: ObjectKind | undefined;
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
 * - `personal`: withheld from partners, if the viewer must not be recognized.
 *
 * A member without any is known only by its type, for values that are set by path (`CustomParams`).
 */
export type MemberUse = 'read' | 'passed' | 'sent' | 'older' | 'personal';

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

export const text: MemberType<string> = simple('string', 'a string', (value) => typeof value === 'string');

/** Not empty. */
export const word: MemberType<string> = simple(
  'string',
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
);

/** With more than white space. */
export const filledWord: MemberType<string> = simple(
  'string',
  'a string that is not empty',
  (value) => typeof value === 'string' && value.trim() !== '',
);

export const bit: MemberType<0 | 1> = simple('integer', '0 or 1', (value) => value === 0 || value === 1);

export const anyObject: MemberType<Readonly<Record<string, unknown>>> = simple(
  'object',
  'an object',
  isObject,
);

export function integer(min: number, max: number): MemberType<number> {
  return simple(
    'integer',
    `an integer from ${min} to ${max}`,
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  );
}

export function number(min: number, max: number): MemberType<number> {
  return simple(
    'float',
    `a number from ${min} to ${max}`,
    (value) => typeof value === 'number' && value >= min && value <= max,
  );
}

export function positive(max: number): MemberType<number> {
  return simple(
    'float',
    `a number above 0, up to ${max}`,
    (value) => typeof value === 'number' && value > 0 && value <= max,
  );
}

function readItems<T, S>(items: readonly unknown[], { read }: MemberType<T, S>): readonly T[] | FormFault {
  let changed: T[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    const kept = read(item);
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
