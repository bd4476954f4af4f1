import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exchangeKindNames } from '../../src/entities/kinds.ts';
import { entityOf } from '../../src/entities/registry.ts';
import { type Field, isForDelivery } from '../../src/fields/field.ts';

const rows = exchangeKindNames.flatMap((kind) =>
  Object.entries(entityOf(kind).fields).map(([name, field]): [string, string, Field] => [kind, name, field]),
);
const sent = rows.filter(([, , field]) => isForDelivery(field));
const namesOf = (some: typeof rows) => [...new Set(some.map(([, name]) => name))].toSorted();

describe('of what threads and edges are sent', () => {
  test('credentials are those that delivery checks, which go as hashes', () => {
    assert.deepEqual(namesOf(sent.filter(([, , { place }]) => place.kind === 'secret')), [
      'Auth',
      'AuthDirectUrl',
    ]);
  });
  test('nothing is confidential', () => {
    assert.deepEqual(namesOf(sent.filter(([, , { isConfidential }]) => isConfidential)), []);
  });
  test("of people's data there is nothing but a company's name", () => {
    assert.deepEqual(namesOf(sent.filter(([, , { section }]) => section === 'Contact')), ['Name']);
  });
  test('nothing is about reports', () => {
    assert.deepEqual(namesOf(sent.filter(([, , { section }]) => section === 'Statistics')), []);
  });
});
