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

/** A whole number of JSON that a number of JavaScript cannot hold: its digits. */
export class LargeInteger {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): string {
    return this.digits;
  }
}

/** Where a text may hold such a number; reading with a reviver takes longer, so it is asked first. */
const mayBeLarge = /[:[,]\s*-?\d{16}/;

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;
/** As TypeScript does not know it yet: the reviver is told the source of a value. */
const parseWithSource: (text: string, reviver: Reviver) => unknown = JSON.parse;

const kept: Reviver = (_name, value, { source = '' } = {}) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? new LargeInteger(source)
    : value;

/** As `parseJson`, with whole numbers that would be rounded as `LargeInteger`. */
export function parseExactJson(text: string): unknown {
  if (!mayBeLarge.test(text)) return parseJson(text);
  try {
    return parseWithSource(text, kept);
  } catch {
    return undefined;
  }
}
