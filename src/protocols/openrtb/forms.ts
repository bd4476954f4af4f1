/** What is wrong with a message: the first thing that is. */
export interface FormFault {
  /** What is wanted there, as `an integer`. */
  readonly wanted: string;
  /** As `imp[0].banner.w`; `""` for the whole. */
  readonly path: string;
}

/**
 * What a value must be: says what is wrong with it, or undefined. `told` is never there; it carries the type of the
 * values that pass.
 */
export interface Form<T> {
  (value: unknown): FormFault | undefined;
  readonly told?: T;
}

/** The type of the values that a form lets pass. */
export type Told<F> = F extends Form<infer T> ? T : never;

type Members = Readonly<Record<string, Form<unknown>>>;

/** Members of an object; those that need not be there may also be null, which says as little. */
type ToldObject<M extends Members, R extends keyof M> = {
  readonly [K in keyof M as K extends R ? K : never]: Told<M[K]>;
} & { readonly [K in keyof M as K extends R ? never : K]?: Told<M[K]> | null };

/** An object of JSON, which an array is not. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function form<T>(wanted: string, fits: (value: unknown) => boolean): Form<T> {
  const fault: FormFault = { wanted, path: '' };
  return (value) => (fits(value) ? undefined : fault);
}

/** Any text. */
export const text: Form<string> = form('a string', (value) => typeof value === 'string');

/** A text that says something. */
export const word: Form<string> = form(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
);

/** 0 or 1. */
export const bit: Form<0 | 1> = form('0 or 1', (value) => value === 0 || value === 1);

/** An object whose members are nobody's business here. */
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
 * An object with these members, each absent, null or of its form, but for `required` ones, which are there. Others
 * are not looked at.
 */
export function object<M extends Members, R extends keyof M & string = never>(
  members: M,
  required: readonly R[] = [],
): Form<ToldObject<M, R>> {
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
