import assert from 'node:assert/strict';
import type { Values } from '../exchange/exchange-room.ts';
import { bidRequestSchema } from '../protocols/openrtb/bid-request-schema.ts';

interface Range {
  readonly min: number;
  readonly max: number;
}
interface Parts {
  readonly contains?: readonly string[];
  readonly lacks?: readonly string[];
}

/** `*` stands for any text. */
export const patternOf = (text: string) =>
  new RegExp(`^${text.replaceAll(/[.?+^$(){}|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's');

function fail(path: string, expected: unknown, actual: unknown): never {
  const [wanted, found] = [expected, actual].map((value) => JSON.stringify(value) ?? 'nothing');
  throw new assert.AssertionError({
    message: `${path}: expected ${wanted}\n  found    ${found}`,
    expected,
    actual,
  });
}

/** Whether a text has all the parts that it must have, and none that it must not. */
export function assertParts(text: string, { contains = [], lacks = [] }: Parts, path: string): void {
  for (const part of contains) if (!text.includes(part)) fail(`${path} contains`, part, text);
  for (const part of lacks) if (text.includes(part)) fail(`${path} lacks`, part, text);
}

/**
 * Whether a value has all that is expected of it: of objects some members, of lists as many items. `null` = it must be
 * absent; `*` in a text stands for any; of a number `{ min, max }` may be told, of a text `{ contains, lacks }`.
 */
export function assertHas(value: unknown, expected: unknown, path: string): void {
  if (expected === null) {
    if (value !== undefined && value !== null) fail(path, 'nothing', value);
  } else if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) fail(path, expected, value);
    for (const [at, one] of expected.entries()) assertHas(value[at], one, `${path}[${at}]`);
  } else if (typeof expected === 'string') {
    if (typeof value !== 'string' || !patternOf(expected).test(value)) fail(path, expected, value);
  } else if (typeof expected !== 'object') {
    if (value !== expected) fail(path, expected, value);
  } else if (typeof value === 'number') {
    const { min, max } = expected as Range;
    if (!(value >= min && value <= max)) fail(path, expected, value);
  } else if (typeof value === 'string') {
    assertParts(value, expected, path);
  } else {
    if (typeof value !== 'object' || value === null) fail(path, expected, value);
    for (const [name, one] of Object.entries(expected))
      assertHas((value as Values)[name], one, `${path}.${name}`);
  }
}

interface Property {
  readonly $ref?: string;
  readonly items?: Property;
}

/** Whether a bid request may have all that is said of it: what no request has could not be found missing either. */
export function assertOfBidRequest(expected: unknown, path: string, kind = 'BidRequest'): void {
  if (typeof expected !== 'object' || expected === null) return;
  const properties = bidRequestSchema.definitions[kind]?.properties ?? {};
  for (const [name, one] of Object.entries(expected)) {
    const property: Property | undefined = Object.hasOwn(properties, name) ? properties[name] : undefined;
    assert.ok(property, `${path}.${name}: no bid request has it`);
    const { $ref } = property.items ?? property;
    if ($ref === undefined) continue;
    const below = Array.isArray(one) ? one : [one];
    for (const each of below) assertOfBidRequest(each, `${path}.${name}`, $ref.replace('#/definitions/', ''));
  }
}
