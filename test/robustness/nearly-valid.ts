import fc from 'fast-check';
import type { Entity } from '../../src/entities/entity.ts';
import type { Field } from '../../src/fields/field.ts';

/** IDs that exist, by entity key: what references may name. */
export type Existing = Readonly<Record<string, number>>;

/** A body made from an entity's field table. */
export interface NearlyValid {
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether nothing was done to it: the server must take it. */
  readonly isValid: boolean;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly number[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly pattern?: string;
}

function goodNumber({ enum: codes, minimum = 0, maximum = 0, type }: Schema): fc.Arbitrary<number> {
  if (codes) return fc.constantFrom(...codes);
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  return fc.double({ min: minimum, max: maximum, noNaN: true });
}

/** Values that a field takes, by its table row. */
function good(field: Field, existing: Existing): fc.Arbitrary<unknown> {
  const schema = field.accepts as Schema;
  const reference = existing[field.references ?? ''] ?? 0;
  if (field.references !== undefined) {
    return schema.type === 'array'
      ? fc.constantFrom([], [reference], [reference, reference])
      : fc.constant(reference);
  }
  if (schema.type === 'integer' || schema.type === 'number') return goodNumber(schema);
  const isFree =
    schema.type === 'string' && !schema.format && !schema.pattern && field.place.kind === 'document';
  if (!isFree) return fc.constant(field.example);
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  return text
    .map((sent) => sent.slice(0, schema.maxLength).toWellFormed().replaceAll('\0', ''))
    .map((sent) => sent || 'x');
}

const deep = JSON.parse(`${'['.repeat(20)}1${']'.repeat(20)}`) as unknown;
/** Values that most fields refuse, each in its own way. */
const bad: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, '', ' ', '0', -1, 0, 1.5, 2 ** 31, 2 ** 53, 1e308, -1e-9),
  fc.constantFrom<unknown>([], {}, [[]], [null], [1, '1'], [{}], { CC: 'US' }, { length: 1 }, deep),
  fc.constantFrom<unknown>(
    '\0',
    '\ud800',
    'x'.repeat(5000),
    '\u202e',
    'http://',
    'https://a/{nope}',
    'javascript:1',
  ),
  fc.constantFrom<unknown>([{ CC: 'ZZ' }], [{ CC: 'us' }], [{ CC: 'US', X: 1 }], [{ Country: 'US' }]),
  fc.constantFrom<unknown>(
    [{ Family: 'Nope' }],
    [{ Versions: [{}] }],
    [{ Family: 'Chrome', Versions: [{ Major: 1 }] }],
  ),
  fc.constantFrom<unknown>(
    '2027-02-30',
    'US,DE',
    ['0x0'],
    ['1x1', '1x'],
    [999_999],
    ['IAB0'],
    ['a/b', 'a'],
    'a@',
    'A B',
  ),
  fc.constantFrom<unknown>(
    'bad domain\nexample.com',
    '999.1.1.1',
    { 'imp.a': 1 },
    { '1': 'x' },
    { a: 'b', 'c d': 'e' },
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const unknownNames = fc.constantFrom(
  'Nmae',
  'name',
  'Id2',
  'Countrys',
  'X',
  'status',
  'tags',
  'toJSON',
  'valueOf',
  'é',
  '0',
);

/** Names of the fields that a client may send, with their rows. */
function sendable(entity: Entity): [string, Field][] {
  return Object.entries(entity.fields).filter(([, { presence }]) => presence !== 'derived');
}

/** Bodies for `add` of an entity: right ones, and right ones in which a few things are wrong. */
export function nearlyValid(entity: Entity, existing: Existing): fc.Arbitrary<NearlyValid> {
  const rows = sendable(entity);
  const required = rows.filter(([, { presence }]) => presence === 'required').map(([name]) => name);
  const values = fc.record(Object.fromEntries(rows.map(([name, field]) => [name, good(field, existing)])), {
    requiredKeys: required,
  });
  const names = rows.map(([name]) => name);
  const faults = fc.record({
    bad: fc.array(fc.tuple(fc.constantFrom(...names), bad), { maxLength: 4 }),
    missing: fc.option(fc.constantFrom(...names), { freq: 3 }),
    unknown: fc.option(fc.tuple(unknownNames, bad), { freq: 2 }),
  });
  return fc.tuple(values, fc.option(faults, { freq: 4 })).map(([sent, wrong]) => {
    if (!wrong) return { values: sent, isValid: true };
    const spoilt: Record<string, unknown> = { ...sent, ...Object.fromEntries(wrong.bad) };
    if (wrong.missing !== null) delete spoilt[wrong.missing];
    if (wrong.unknown !== null) spoilt[wrong.unknown[0]] = wrong.unknown[1];
    return { values: spoilt, isValid: false };
  });
}
