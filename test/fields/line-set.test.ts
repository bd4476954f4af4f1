import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createLineSet, type LineSet, type LineSetOptions } from '../../src/fields/line-set.ts';
import { seeded } from '../support/seed.ts';

/** Hashes that make lines collide: all of them, many of them, and as few as may be. */
const hashes: Readonly<Record<string, LineSetOptions>> = {
  'one hash for all': { hashOf: () => 7 },
  'a hash of three values, at both ends': {
    hashOf: (line) => [0, 2 ** 31, 2 ** 32 - 1][line.length % 3] ?? 0,
  },
  'its own hash': {},
};

/** Lines that are alike: each other's beginnings and ends, and the same again. */
const line = fc.string({
  unit: fc.constantFrom('a', 'b', '.', 'é', '\u{1f600}'),
  minLength: 1,
  maxLength: 6,
});

function fill(set: LineSet, lines: readonly string[]): readonly string[] {
  return lines.filter((one) => set.add(one));
}

for (const [what, options] of Object.entries(hashes)) {
  suite(`a set of lines with ${what}`, () => {
    test('keeps each line once, in order, as a Set does', () => {
      const property = fc.property(fc.array(line, { maxLength: 400, size: 'max' }), (lines) => {
        const set = createLineSet(options);
        const once = [...new Set(lines)];
        assert.deepEqual(fill(set, lines), once);
        assert.equal(set.parts().join('\n'), once.join('\n'));
      });
      fc.assert(property, seeded(300));
    });
  });
}

suite('a set of more lines than a part has', () => {
  const lines = Array.from({ length: 25_001 }, (_, index) => `${index.toString(36)}.example`);

  test('finds those of every part again, and none that only begins or ends like one', () => {
    const set = createLineSet();
    assert.equal(fill(set, lines).length, lines.length);
    assert.deepEqual(fill(set, lines), []);
    const alike = lines.flatMap((one) => [`${one}-`, `-${one}`]);
    assert.deepEqual(fill(set, alike), alike);
    assert.equal(set.parts().join('\n'), [...lines, ...alike].join('\n'));
  });
  test('is in parts of ten thousand', () => {
    const set = createLineSet();
    fill(set, lines);
    assert.deepEqual(
      set.parts().map((part) => part.split('\n').length),
      [10_000, 10_000, 5001],
    );
  });
  test('finds the lines of finished parts though their hashes are the same', () => {
    const few = lines.slice(0, 10_050);
    const set = createLineSet({ hashOf: (one) => one.length });
    assert.equal(fill(set, few.slice(-100)).length, 100);
    assert.equal(fill(set, few).length, few.length - 100);
    assert.deepEqual(fill(set, few.slice(0, 50)), []);
  });
});
