/** An array is none. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined if it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** Not known to the compiler yet (ECMAScript proposal "JSON.parse source text access"). */
interface ExactJson {
  readonly parse: (text: string, reviver: Reviver) => unknown;
  readonly rawJSON: (text: string) => object;
}
const exactJson = JSON as unknown as ExactJson;

/** Digits of an integer beyond JavaScript's numbers; `JSON.stringify` writes them unchanged. */
export class LargeInteger {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): object {
    return exactJson.rawJSON(this.digits);
  }
}

/** Asked first, because V8 finds it by few characters. */
const manyDigits = new RegExp(String.raw`\d`.repeat(16));
/** Asked before reading with a reviver, which takes longer. */
const mayBeLarge = /[:[,]\s*-?\d{16}/;
const wholeNumber = /^-?\d+$/;

const exactNumber: Reviver = (_name, value, { source = '' } = {}) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && wholeNumber.test(source)
    ? new LargeInteger(source)
    : value;

/** Keeps large integers exact only inside members `ext`: what the tables name is a number. */
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

/** Like `parseJson`, with integers that would be rounded as `LargeInteger`: all, or those inside `ext`. */
export function parseJsonExactly(text: string, where: 'everywhere' | 'extensions'): unknown {
  if (!manyDigits.test(text) || !mayBeLarge.test(text)) return parseJson(text);
  try {
    const value = exactJson.parse(text, exactNumber);
    return where === 'everywhere' ? value : exactInExtensions(value);
  } catch {
    return undefined;
  }
}
