import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { domainLines, ipLines, keywordLines, type LineCodec } from '../../src/fields/line-codecs.ts';
import { type ListLines, readListText } from '../../src/fields/list-text.ts';
import { seeded } from '../support/seed.ts';

const noPause = async () => undefined;
const linesOf = ({ parts }: ListLines) => (parts.length === 0 ? [] : parts.join('\n').split('\n'));

const numbersOf = ({ badLines }: ListLines) => badLines.map(({ number }) => number);

/** What a list's text comes to, as plainly as it can be said. */
function naive(text: string, codec: LineCodec) {
  const numbered = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const meant = numbered.filter(({ line }) => line !== '' && line[0] !== '#');
  const cleaned = meant.map(({ line, number }) => ({ stored: codec.clean(line), number }));
  const bad = cleaned.filter(({ stored }) => stored === undefined).map(({ number }) => number);
  const good = cleaned.flatMap(({ stored }) => (stored === undefined ? [] : [stored]));
  return {
    lines: good.filter((line, index) => good.indexOf(line) === index),
    badLines: bad.slice(0, 10),
    badLineCount: bad.length,
  };
}

/** Lines of a list of few different entries, so that they repeat: right, wrong, empty, comments, with space around. */
const line = fc
  .tuple(
    fc.constantFrom('', '', '', ' ', '\t', '\u00a0', '\uFEFF'),
    fc.oneof(
      fc.constantFrom(
        'a.example',
        'A.Example',
        'b.example',
        'ü.example',
        'xn--tda.example',
        '',
        '#',
        '# a.example',
      ),
      fc.constantFrom(
        '192.0.2.1',
        '192.0.2.0/24',
        '192.0.2.1-192.0.2.9',
        '192.0.2.1 - 192.0.2.9',
        '::1',
        '::A/128',
      ),
      fc.constantFrom('no entry!', '192.0.2.256', 'a.example # why', 'a#b', ',', '%', '"a.example"'),
      fc.string({ maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    ),
    fc.constantFrom('', '', '', ' ', '\r', ' \r', '\u3000'),
  )
  .map((parts) => parts.join(''));
const listText = fc.array(line, { maxLength: 60, size: 'max' }).map((lines) => lines.join('\n'));

for (const [name, codec] of Object.entries({ domainLines, ipLines, keywordLines })) {
  suite(`a text of ${name}`, () => {
    test('comes to what the plainest reading of it comes to', async () => {
      const property = fc.asyncProperty(listText, async (text) => {
        const read = await readListText(text, codec, noPause);
        const expected = naive(text, codec);
        assert.deepEqual(linesOf(read), expected.lines);
        assert.deepEqual(numbersOf(read), expected.badLines);
        assert.equal(read.badLineCount, expected.badLineCount);
      });
      await fc.assert(property, seeded(1500));
    });

    test('has every line once, and counts each', async () => {
      const property = fc.asyncProperty(listText, async (text) => {
        const read = await readListText(text, codec, noPause);
        const lines = linesOf(read);
        assert.equal(new Set(lines).size, lines.length);
        assert.equal(read.counts.entries + read.counts.ranges, lines.length);
        assert.equal(read.counts.ranges, lines.filter((each) => codec.part(each) === 'ranges').length);
      });
      await fc.assert(property, seeded(1000));
    });

    test('reads the same once it is stored, with no bad line', async () => {
      const property = fc.asyncProperty(listText, async (text) => {
        const once = await readListText(text, codec, noPause);
        const twice = await readListText(once.parts.join('\n'), codec, noPause);
        assert.deepEqual(twice, { ...once, badLines: [], badLineCount: 0 });
      });
      await fc.assert(property, seeded(1000));
    });

    test('reads the same whether lines end with LF or CRLF', async () => {
      const property = fc.asyncProperty(listText, async (text) => {
        const windows = text.replaceAll(/\r*\n/g, '\r\n');
        assert.deepEqual(
          await readListText(windows, codec, noPause),
          await readListText(text, codec, noPause),
        );
      });
      await fc.assert(property, seeded(500));
    });
  });
}

/** A text of domains, what it comes to, and its bad lines. */
const table: readonly [text: string, lines: readonly string[], badLines: readonly number[]][] = [
  ['', [], []],
  ['\n', [], []],
  ['\n\n\r\n \t \n', [], []],
  ['# only\n#comments', [], []],
  ['a.example', ['a.example'], []],
  ['a.example\n', ['a.example'], []],
  ['\r\n a.example \r\nb.example\r\n', ['a.example', 'b.example'], []],
  ['b.example\na.example\nB.EXAMPLE\nb.example', ['b.example', 'a.example'], []],
  ['ü.example\nxn--tda.example', ['xn--tda.example'], []],
  ['\uFEFFa.example', ['a.example'], []],
  ['bad', [], [1]],
  ['a.example\n\n# no\nbad\nb.example', ['a.example', 'b.example'], [4]],
  ['bad\na.example\nbad\nbad', ['a.example'], [1, 3, 4]],
  ['a.example # not a comment', [], [1]],
  ['a.example b.example\na.example,b.example', [], [1, 2]],
  ['a.example\rb.example', [], [1]],
  ['a.example\nbad', ['a.example'], [2]],
];

suite('a text of domains', () => {
  for (const [text, lines, badLines] of table) {
    test(`${JSON.stringify(text)} has ${lines.length} lines and ${badLines.length} bad ones`, async () => {
      const read = await readListText(text, domainLines, noPause);
      assert.deepEqual(linesOf(read), lines);
      assert.deepEqual(numbersOf(read), badLines);
      assert.deepEqual(read.counts, { entries: lines.length, ranges: 0 });
    });
  }

  test('tells the first ten bad lines of many', async () => {
    const text = Array.from({ length: 100 }, (_, index) => (index % 3 === 0 ? 'bad' : `d${index}.example`));
    const read = await readListText(text.join('\n'), domainLines, noPause);
    assert.equal(read.badLineCount, 34);
    assert.deepEqual(numbersOf(read), [1, 4, 7, 10, 13, 16, 19, 22, 25, 28]);
  });
});

suite('a long text', () => {
  const lines = Array.from({ length: 25_001 }, (_, index) => `d${index}.example`);

  test('comes in parts of ten thousand lines, none of them empty', async () => {
    const { parts } = await readListText(lines.join('\n'), domainLines, noPause);
    assert.deepEqual(
      parts.map((part) => part.split('\n').length),
      [10_000, 10_000, 5001],
    );
    assert.equal(parts.join('\n'), lines.join('\n'));
    const exact = await readListText(lines.slice(0, 20_000).join('\n'), domainLines, noPause);
    assert.equal(exact.parts.length, 2);
  });

  test('drops what repeats in another part', async () => {
    const read = await readListText([...lines, ...lines.toReversed()].join('\n'), domainLines, noPause);
    assert.deepEqual(read.counts, { entries: lines.length, ranges: 0 });
    assert.equal(read.parts.join('\n'), lines.join('\n'));
  });

  test('numbers bad lines in every part', async () => {
    const spoilt = lines.with(0, 'bad').with(9999, 'bad').with(10_000, 'bad').with(25_000, 'bad');
    const read = await readListText(spoilt.join('\n'), domainLines, noPause);
    assert.deepEqual(numbersOf(read), [1, 10_000, 10_001, 25_001]);
  });

  test('waits after every 32 Ki characters, also of lines that count for nothing', async () => {
    const slices = 3;
    const characters = slices * 32 * 1024 + 1000;
    for (const line of ['a.example\n', '\n', 'bad\n', '# a comment\n']) {
      let pauses = 0;
      let isPausing = false;
      await readListText(line.repeat(characters / line.length), domainLines, async () => {
        assert.equal(isPausing, false);
        isPausing = true;
        await new Promise((resolve) => setImmediate(resolve));
        isPausing = false;
        pauses += 1;
      });
      assert.equal(pauses, slices, JSON.stringify(line));
    }
  });

  test('looks into no line of more than 4,096 characters', async () => {
    const codec: LineCodec = {
      ...domainLines,
      clean: (one) => (one.length > 4096 ? assert.fail('it was looked into') : domainLines.clean(one)),
    };
    const read = await readListText(
      `a.example\n${'b'.repeat(4097)}.example\n${'c'.repeat(4096)}`,
      codec,
      noPause,
    );
    assert.deepEqual(numbersOf(read), [2, 3]);
  });
});
