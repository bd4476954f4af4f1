import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { hashLarge, readLargeJson } from '../../../src/management/input/large-json.ts';
import { refused } from '../../identity/refused.ts';
import { seeded } from '../../support/seed.ts';

const mebibyte = 1024 * 1024;
const noPause = async () => undefined;
const read = (json: string | Buffer, structureBytesMax = mebibyte) =>
  readLargeJson(Buffer.from(json as string), { structureBytesMax, pause: noPause });

/** Characters that JSON escapes, that take up to four bytes, or that are halves of a pair. */
const unit = fc.constantFrom('a', '"', '\\', '\n', '\u0001', 'é', '€', '\u{1f600}', '\ud83d', '\ude00', '/');
const pattern = fc.string({ unit, minLength: 1, maxLength: 9 });

/** Texts of up to four slices, whose boundaries fall anywhere in the pattern. */
const longText = fc
  .tuple(pattern, fc.nat({ max: 40 }), fc.integer({ min: 1, max: 4 }))
  .map(
    ([part, before, slices]) => 'x'.repeat(before) + part.repeat(Math.ceil((slices * 66_000) / part.length)),
  );

/** JSON escapes no more than it must, or every character, which are the two ends of what clients do. */
const escapes = fc.constantFrom(JSON.stringify, (value: unknown) =>
  JSON.stringify(value).replaceAll(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ),
);

suite('a large body', () => {
  test('is read as JSON.parse reads it', async () => {
    const value = fc.record({
      A: longText,
      b: fc.record({
        'long "name"': longText,
        short: pattern,
        list: fc.tuple(longText, fc.double(), pattern),
      }),
      c: fc.constantFrom(null, true, 'x'),
    });
    const property = fc.asyncProperty(
      value,
      escapes,
      fc.constantFrom('', '\ufeff'),
      async (sent, write, mark) => {
        // A half of a pair is no UTF-8: it comes as an escape, or not at all.
        const json = write === JSON.stringify ? write(sent).toWellFormed() : write(sent);
        assert.deepEqual(await read(mark + json), JSON.parse(json));
      },
    );
    await fc.assert(property, seeded(60));
  });

  const text = 'a'.repeat(200_000);
  const cases: Readonly<Record<string, string>> = {
    'the same text twice': `["${text}","${text}"]`,
    'the last of two members with one name': `{"a":"${text}","a":"b${text}"}`,
    'a long name': `{"${text}" :1}`,
    'a long name of a long text': `{"${text}":"${text}"}`,
    'a text alone': `"${text}"`,
    'a text as deep as any of ours, and deeper': `[[[[[["${text}"]]]]]]`,
    'escaped quotes and backslashes at the end': `["${text}\\"\\\\"]`,
    'only escapes': `["${'\\u0061\\n'.repeat(30_000)}"]`,
    'white space around everything': ` \n{ "a" : "${text}" , "b" :\t[ ] }\n`,
  };
  for (const [what, json] of Object.entries(cases)) {
    test(`may hold ${what}`, async () => {
      // The value itself, where it is no member, has no place in which to put it back.
      const wrapped = json.startsWith('"') ? `[${json}]` : json;
      assert.deepEqual(await read(wrapped), JSON.parse(wrapped));
    });
  }

  const faulty: Readonly<Record<string, string | Buffer>> = {
    'a line end in a text': `["${text}\n"]`,
    'a malformed escape in a text': `["${text}\\x"]`,
    'an escape that the end of the text cuts': `["${text}\\u12"]`,
    'an escape whose digits are none': `["${text}\\u12"34"]`,
    'a text without an end': `["${text}`,
    'a text that ends with a backslash': `["${text}\\`,
    'two values': `["${text}"] 1`,
    'no JSON around a text': `{a:"${text}"}`,
    'bytes that are no UTF-8': Buffer.concat([
      Buffer.from(`["${text}`),
      Buffer.from([0xff]),
      Buffer.from('"]'),
    ]),
  };
  for (const [what, json] of Object.entries(faulty)) {
    test(`is refused for ${what}`, async () => {
      await refused(read(json), 'not_json', /^The body is not JSON: /);
    });
  }

  test('is refused for more JSON outside of texts than it may hold, white space left out', async () => {
    const numbers = (count: number) => `{"a":"${text}","b":[${Array(count).fill('1').join(', ')}]}`;
    const most = '{:,:[]}'.length + 1000 + 999;
    await read(numbers(1000), most);
    await refused(read(numbers(1001), most), 'too_large', /Apart from quoted texts/);
  });

  test('lets others have their turn between slices', async () => {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    const bytes = Buffer.from(`["${text}","${text}"]`);
    await readLargeJson(bytes, { structureBytesMax: mebibyte, pause });
    assert.ok(pauses >= 2 * 3 * 2, `${pauses}`);
    pauses = 0;
    const large = Buffer.alloc(3 * mebibyte + 1, 'a');
    const sum = await hashLarge(large, pause);
    assert.deepEqual(sum, createHash('sha256').update(large).digest());
    assert.equal(pauses, 4);
  });
});
