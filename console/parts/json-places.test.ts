import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { seeded } from '../../test/support/seed.ts';
import { placeIn, placeOfPath, readJson } from './json-places.ts';

describe('JSON is read for its places', () => {
  const cases: readonly (readonly [
    text: string,
    line: number,
    column: number,
    path: string,
    message: RegExp,
  ])[] = [
    ['', 1, 1, '', /a value is missing/],
    ['{"a": 1,}', 1, 9, '', /a comma too many/],
    ['[1, ]', 1, 5, '', /a comma too many/],
    ['{\n  "a": [\n    {"b" 1}\n  ]\n}', 3, 10, 'a[0].b', /a colon/],
    ['{"a": yes}', 1, 7, 'a', /yes is no value/],
    ['{"a": "x', 1, 7, 'a', /no closing quote/],
    ['{a: 1}', 1, 2, '', /a name in double quotes/],
    ['{"a": 1 "b": 2}', 1, 9, '', /a comma or \} is missing/],
    ['[1 2]', 1, 4, '', /a comma or \] is missing/],
    ['{} {}', 1, 4, '', /nothing may follow/],
    ['01', 1, 1, '', /01 is no value/],
    ['['.repeat(1000), 1, 502, '', /too deeply/],
  ];
  for (const [text, line, column, path, message] of cases)
    test(`at ${line}:${column} of ${text.slice(0, 30)}`, () => {
      const { fault } = readJson(text);
      assert.ok(fault);
      assert.deepEqual(placeIn(text, fault.offset), { line, column });
      assert.match(fault.message, message);
      if (path !== '') assert.equal(fault.path, path);
    });

  test('as any reader of JSON takes it, and each value is where its path says', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2), (compact, indent) => {
        const text = JSON.stringify(JSON.parse(compact), undefined, indent);
        assert.equal(readJson(text).fault, undefined);
      }),
      seeded(200),
    );
    const broken = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', 'x', '1', '\\'));
    fc.assert(
      fc.property(broken, ([text, place, mark]) => {
        const at = place % (text.length + 1);
        const changed = text.slice(0, at) + mark + text.slice(at + 1);
        let isJson = true;
        try {
          JSON.parse(changed);
        } catch {
          isJson = false;
        }
        assert.equal(readJson(changed).fault === undefined, isJson, changed);
      }),
      seeded(500),
    );
  });

  test('a path that is not there leads to what is around it', () => {
    const text = '{\n  "imp": [\n    { "ext": {} }\n  ]\n}';
    assert.deepEqual(placeOfPath(text, 'imp[0].ext'), { line: 3, column: 14 });
    assert.deepEqual(placeOfPath(text, 'imp[0].ext.deal'), { line: 3, column: 14 });
    assert.deepEqual(placeOfPath(text, 'imp[7]'), { line: 2, column: 10 });
    assert.deepEqual(placeOfPath(text, 'user.id'), { line: 1, column: 1 });
  });
});
