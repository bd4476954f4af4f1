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

/** What `JSON` has and the compiler does not know yet (ECMAScript proposal "JSON.parse source text access"). */
interface ExactJson {
  readonly rawJSON: (text: string) => object;
  readonly isRawJSON: (value: unknown) => boolean;
}
const { rawJSON, isRawJSON } = JSON as unknown as ExactJson;

/** Digits that may be too many for a number, wherever they stand. */
const manyDigits = /\d{16}/;
const wholeNumber = /^-?\d+$/;

/** An integer that a number does not hold becomes its own text, which `JSON.stringify` writes as it is. */
function exactNumber(_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  const isInexact = typeof value === 'number' && !Number.isSafeInteger(value) && wholeNumber.test(source);
  return isInexact ? rawJSON(source) : value;
}

/** A value in which such integers stay exact inside members `ext` alone: what the tables name is a number. */
function exactInside(value: unknown, isInside: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isRawJSON(value)) return isInside ? value : Number(JSON.stringify(value));
  if (Array.isArray(value)) return value.map((item) => exactInside(item, isInside));
  const members = Object.entries(value).map(([name, member]) => {
    const isExtension = name === 'ext' && isObject(member) && !isRawJSON(member);
    return [name, exactInside(member, isInside || isExtension)] as const;
  });
  return Object.fromEntries(members);
}

/** As `parseJson`, with integers above 2^53 in extensions as they were sent: `JSON.stringify` writes them so again. */
export function parseJsonExactly(text: string): unknown {
  if (!manyDigits.test(text)) return parseJson(text);
  try {
    return exactInside(JSON.parse(text, exactNumber), false);
  } catch {
    return undefined;
  }
}
