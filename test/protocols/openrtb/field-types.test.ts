import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldTypeOf } from '../../../src/protocols/openrtb/field-types.ts';
import { bidRequestSchema } from './bid-request-schema.ts';

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

for (const [object, { properties }] of Object.entries(bidRequestSchema.definitions)) {
  test(`every attribute of ${object} has the type that the IAB's table gives it`, () => {
    for (const [name, property] of Object.entries<Property>(properties)) {
      const single = property.items ?? property;
      assert.deepEqual(
        fieldTypeOf(object, name),
        {
          form: forms[single.type ?? 'object'],
          isList: property.type === 'array',
          object: kindOf(single.$ref),
        },
        name,
      );
    }
  });
}

test('what no table names is a string', () => {
  for (const [object, name] of [
    ['Imp', 'foo'],
    ['Foo', 'at'],
    [undefined, 'at'],
    ['Imp', 'constructor'],
    ['constructor', 'name'],
  ] as const) {
    assert.deepEqual(fieldTypeOf(object, name), { form: 'string', isList: false, object: undefined });
  }
});
