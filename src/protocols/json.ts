/** Whether a value is an object of JSON; an array is none. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** What `JSON` has and the compiler does not know yet (ECMAScript proposal "JSON.parse source text access"). */
interface ExactJson {
  readonly parse: (text: string, reviver: Reviver) => unknown;
  readonly rawJSON: (text: string) => object;
}
const exactJson = JSON as unknown as ExactJson;

/** An integer of JSON that a number of JavaScript cannot hold: its digits. `JSON.stringify` writes them as they came. */
export class LargeInteger {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): object {
    return exactJson.rawJSON(this.digits);
  }
}

/** Where a text may hold such a number; reading with a reviver takes longer, so it is asked first. */
const mayBeLarge = /[:[,]\s*-?\d{16}/;
const wholeNumber = /^-?\d+$/;

const exactNumber: Reviver = (_name, value, { source = '' } = {}) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && wholeNumber.test(source)
    ? new LargeInteger(source)
    : value;

/** A value in which large integers stay exact inside members `ext` alone: what the tables name is a number. */
function exactInExtensions(value: unknown, isInside = false): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof LargeInteger) return isInside ? value : Number(value.digits);
  if (Array.isArray(value)) return value.map((item) => exactInExtensions(item, isInside));
  const members = Object.entries(value).map(([name, member]) => {
    const isExtension = name === 'ext' && isObject(member) && !(member instanceof LargeInteger);
    return [name, exactInExtensions(member, isInside || isExtension)] as const;
  });
  return Object.fromEntries(members);
}

/**
 * As `parseJson`, with integers that would be rounded as `LargeInteger`: all of them, or those inside members `ext`.
 */
export function parseJsonExactly(text: string, where: 'everywhere' | 'extensions'): unknown {
  if (!mayBeLarge.test(text)) return parseJson(text);
  try {
    const value = exactJson.parse(text, exactNumber);
    return where === 'everywhere' ? value : exactInExtensions(value);
  } catch {
    return undefined;
  }
}
