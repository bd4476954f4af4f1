import fc from 'fast-check';
import type { Drawn } from './drawn.ts';

/** One thing that is done to a body: what, where (of all places in it), and with which value. */
export interface Spoil {
  readonly how: keyof typeof ways;
  readonly where: number;
  readonly value: unknown;
}

type Container = Record<string, unknown> | unknown[];

/** One place in a body: a member of an object or an item of an array. */
interface Place {
  readonly container: Container;
  readonly key: string;
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function placesIn(value: unknown): Place[] {
  if (!isContainer(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [{ container: value, key }, ...placesIn(inner)]);
}

const read = ({ container, key }: Place) => (container as Record<string, unknown>)[key];
function write({ container, key }: Place, value: unknown): void {
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

function remove({ container, key }: Place): void {
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
}

/** Beyond what any number may be, near the ends of common ranges. */
const numbers = [-1, 0, 1, 1.5, 101, 1001, 1_000_001, 2 ** 31, 2 ** 53, -(2 ** 31), 1e308, -1e-9, 1e-7];

/** What strings may not hold, or may and are known to break programs. */
const taints = [
  '\0',
  '\ud800',
  '\udc00a',
  '\0',
  '\u2028',
  '\ufeff',
  '𝒳',
  '\r\n',
  '"',
  '\\',
  "';--",
  '\x7f',
  '{ip}',
  '{}',
];

const ways = {
  replace: write,
  drop: remove,
  add: ({ container }: Place, value: unknown) => {
    if (Array.isArray(container)) container.push(value);
    else write({ container, key: 'Nmae' }, value);
  },
  rename: (place: Place) => {
    const value = read(place);
    remove(place);
    write({ ...place, key: `${place.key}s` }, value);
  },
  null: (place: Place) => write(place, null),
  wrap: (place: Place) => write(place, [read(place)]),
  quote: (place: Place) => write(place, String(read(place))),
  number: (place: Place, value: unknown) => write(place, numbers[Number(value) % numbers.length] ?? -1),
  taint: (place: Place, value: unknown) =>
    write(place, `${read(place)}${taints[Number(value) % taints.length]}`),
  repeat: (place: Place) => {
    const value = read(place);
    write(place, Array.isArray(value) ? [...value, ...value] : [value, value]);
  },
} as const satisfies Record<string, (place: Place, value: unknown) => void>;

const deep = JSON.parse(`${'['.repeat(40)}1${']'.repeat(40)}`) as unknown;
const huge: Drawn = { drawn: 'Huge', pick: 0 };

/** Values that most places refuse, each for its own reason; some are right here and there. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(true, false, '', ' ', '0', 'null', [], {}, [[]], [null], [{}], deep, huge),
  fc.constantFrom<unknown>(
    '\0',
    'a\0b',
    '\ud800',
    '\u202e',
    '𝒳\u0301',
    'é'.repeat(30),
    'javascript:1',
    'http://',
    '{id}',
  ),
  fc.constantFrom<unknown>(
    { Id: 1 },
    [{ CC: 'ZZ' }],
    [{ CC: 'US', CC2: 1 }],
    [{ Family: 'Nope' }],
    ['1x'],
    [0.5],
    ['a'],
  ),
  fc.constantFrom<unknown>(
    '__proto__',
    { constructor: 1 },
    { toJSON: 1 },
    { length: 3 },
    { '': '' },
    { 'a.b': [] },
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Ways to make a body wrong. */
export const spoiling: fc.Arbitrary<Spoil> = fc
  .tuple(
    fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[]), 'taint' as const),
    fc.nat({ max: 5000 }),
    fc.nat({ max: 99 }),
    junk,
  )
  .map(([how, where, number, value]) => ({
    how,
    where,
    value: how === 'number' || how === 'taint' ? number : value,
  }));

/** Where strings stand; each third time only names, which are kept apart from the rest. */
function stringsIn(places: readonly Place[], where: number): readonly Place[] {
  const strings = places.filter((place) => typeof read(place) === 'string');
  const names = strings.filter(({ key }) => key === 'Name');
  return where % 3 === 0 && names.length > 0 ? names : strings;
}

/** Does all of that to a body of our own, which changes it. */
export function spoil(body: unknown, spoils: readonly Spoil[]): void {
  for (const { how, where, value } of spoils) {
    const all = placesIn(body);
    const places = how === 'taint' ? stringsIn(all, where) : all;
    const place = places[where % Math.max(1, places.length)];
    if (place) ways[how](place, structuredClone(value));
  }
}
