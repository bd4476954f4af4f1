import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applicationLines, domainLines, ipLines, keywordLines } from '../../../src/fields/line-codecs.ts';
import { readListText } from '../../../src/fields/list-text.ts';
import { leaveOut } from './leave-out.ts';

const drawn = fc.array(
  fc.oneof(
    fc.constantFrom('a.example', ' B.example\r', '# note', '', 'app id', 'bundle', '192.0.2.0/24', '192.0.2.1-192.0.2.9', 'a b'),
    fc.constantFrom('https://c.example/', '"', 'x'.repeat(5000), '\ufeffd.example', '日報', '1207472156', 'a,b'),
    fc.string({ maxLength: 6 }),
  ), // biome-ignore format: a table
  { maxLength: 20 },
);

for (const [what, codec] of Object.entries({ domainLines, applicationLines, ipLines, keywordLines })) {
  test(`${what} without the bad ones: the server refuses none, and each has the number that it had`, () =>
    fc.assert(
      fc.asyncProperty(drawn, async (lines) => {
        const text = lines.join('\n');
        const good = leaveOut(text, codec);
        const before = await readListText(text, codec, async () => undefined);
        const after = await readListText(good.text, codec, async () => undefined);
        assert.deepEqual([after.badLineCount, after.parts], [0, before.parts]);
        assert.equal(good.left, before.badLineCount);
        const rest = good.text.split('\n');
        for (const { number } of before.badLines) assert.equal(rest[number - 1], '');
        assert.equal(rest.length, text.split('\n').length);
      }),
      { numRuns: 60 },
    ));
}
