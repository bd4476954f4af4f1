/** The first thing that is wrong with a message. */
export interface FormFault {
  /** What is wanted there, such as `an integer`. */
  readonly wanted: string;
  /** Its place, as `imp[0].banner.w`; `""` = the whole message. */
  readonly path: string;
}

/**
 * A check of a value: returns what is wrong with it, or undefined. `type` never exists; it only carries the type of the
 * values that pass, for the compiler.
 */
export interface Form<T> {
  (value: unknown): FormFault | undefined;
  readonly type?: T;
}

/** The type of the values that pass a form's check. */
export type TypeOf<F> = F extends Form<infer T> ? T : never;

type Members = Readonly<Record<string, Form<unknown>>>;

/** The type of an object. Members that are not required may also be null, which means the same as absent. */
type ObjectType<M extends Members, R extends keyof M> = {
  readonly [K in keyof M as K extends R ? K : never]: TypeOf<M[K]>;
} & { readonly [K in keyof M as K extends R ? never : K]?: TypeOf<M[K]> | null };

/** Whether a value is an object of JSON; an array is none. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function form<T>(wanted: string, fits: (value: unknown) => boolean): Form<T> {
  const fault: FormFault = { wanted, path: '' };
  return (value) => (fits(value) ? undefined : fault);
}

/** Any text. */
export const text: Form<string> = form('a string', (value) => typeof value === 'string');

/** A text that is not empty. */
export const word: Form<string> = form(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
);

/** 0 or 1. */
export const bit: Form<0 | 1> = form('0 or 1', (value) => value === 0 || value === 1);

/** An object with any members. */
export const anyObject: Form<Readonly<Record<string, unknown>>> = form('an object', isObject);

/** Anything at all. */
export const anything: Form<unknown> = () => undefined;

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number): Form<number> {
  return form(
    `an integer from ${min} to ${max}`,
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  );
}

/** A number from `min` to `max`. */
export function number(min: number, max: number): Form<number> {
  return form(
    `a number from ${min} to ${max}`,
    (value) => typeof value === 'number' && value >= min && value <= max,
  );
}

/** A list of at most `itemsMax`, each of a form; with `itemsMin` 1 it must not be empty. */
export function list<T>(item: Form<T>, itemsMax: number, itemsMin: 0 | 1 = 0): Form<readonly T[]> {
  const noList: FormFault = { wanted: `an array of ${itemsMin} to ${itemsMax} items`, path: '' };
  return (value) => {
    if (!Array.isArray(value) || value.length < itemsMin || value.length > itemsMax) return noList;
    for (let index = 0; index < value.length; index += 1) {
      const fault = item(value[index]);
      if (fault) return { ...fault, path: `[${index}]${joint(fault.path)}` };
    }
    return undefined;
  };
}

const joint = (path: string) => (path === '' || path.startsWith('[') ? path : `.${path}`);

/**
 * An object with these members. Each must be absent, null or of its form; `required` ones must be of their form. Other
 * members are not checked.
 */
export function object<M extends Members, R extends keyof M & string = never>(
  members: M,
  required: readonly R[] = [],
): Form<ObjectType<M, R>> {
  const entries = Object.entries(members).map(
    ([name, of]) => [name, of, required.includes(name as R)] as const,
  );
  const noObject: FormFault = { wanted: 'an object', path: '' };
  return (value) => {
    if (!isObject(value)) return noObject;
    for (const [name, of, isRequired] of entries) {
      const member = value[name];
      if ((member === undefined || member === null) && !isRequired) continue;
      const fault = of(member);
      if (fault) return { ...fault, path: `${name}${joint(fault.path)}` };
    }
    return undefined;
  };
}
