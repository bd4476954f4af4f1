import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldTypeOf } from '../../../src/protocols/openrtb/field-path.ts';
import type { MemberType, ObjectKind } from '../../../src/protocols/openrtb/member-types.ts';
import { bid } from '../../../src/protocols/openrtb/objects/bid.ts';
import { bidRequest } from '../../../src/protocols/openrtb/objects/request.ts';
import { bidRequestSchema, bidResponseSchema } from './bid-request-schema.ts';

interface Property {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Property;
}

const forms: Readonly<Record<string, string>> = {
  integer: 'integer',
  number: 'float',
  string: 'string',
  object: 'object',
};

const kindOf = ($ref: string | undefined) => $ref?.replace('#/definitions/', '');

/** The kinds of object that can be reached from one, by name. */
function kindsFrom(kind: ObjectKind, known = new Map<string, ObjectKind>()): Map<string, ObjectKind> {
  if (known.has(kind.name)) return known;
  known.set(kind.name, kind);
  for (const [{ object }] of Object.values(kind.rows)) if (object) kindsFrom(object, known);
  return known;
}

const shownAs = ({ form, isList, object }: Pick<MemberType<unknown>, 'form' | 'isList' | 'object'>) => ({
  form,
  isList,
  object: object?.name,
});

const messages = [
  { kinds: kindsFrom(bidRequest), schema: bidRequestSchema, without: [] },
  { kinds: kindsFrom(bid), schema: bidResponseSchema, without: ['BidResponse', 'SeatBid'] },
];

for (const { kinds, schema, without } of messages) {
  for (const [object, { properties }] of Object.entries(schema.definitions)) {
    if (without.includes(object)) continue;
    test(`every attribute of ${object} has the type that the IAB's table gives it, and a row`, () => {
      const kind = kinds.get(object);
      assert.match(kind?.section ?? '', /^[34]\.2\.\d+$/);
      for (const [name, property] of Object.entries<Property>(properties)) {
        const single = property.items ?? property;
        assert.deepEqual(
          shownAs(fieldTypeOf(kind, name)),
          {
            form: forms[single.type ?? 'object'],
            isList: property.type === 'array',
            object: kindOf(single.$ref),
          },
          name,
        );
        if (name !== 'ext') assert.ok(Object.hasOwn(kind?.rows ?? {}, name), name);
      }
    });
  }
}

test('what no table names is a string', () => {
  const imp = kindsFrom(bidRequest).get('Imp');
  for (const [kind, name] of [
    [imp, 'foo'],
    [undefined, 'at'],
    [imp, 'constructor'],
  ] as const) {
    assert.deepEqual(shownAs(fieldTypeOf(kind, name)), { form: 'string', isList: false, object: undefined });
  }
});
