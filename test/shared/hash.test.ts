import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishHash, seededHash, stableHash } from '../../src/shared/hash.ts';

test('what is stored stays readable: stable hashes are the same for good', () => {
  const texts = ['', 'a', 'foobar', 'news.example'];
  assert.deepEqual(
    texts.map((text) => [stableHash(text), finishHash(stableHash(text)) >>> 0]),
    [
      [0x811c9dc5, 0xab3e7c0b],
      [0xe40c292c, 0x1a80b1b3],
      [0xbf9cf968, 0x0c0da6dc],
      [0x3f5b5216, 0xe246083a],
    ],
  );
});

test('texts that share a hash of one seed share none of another', () => {
  const found = new Map<number, string>();
  const shared: (readonly [string, string])[] = [];
  for (let n = 0; n < 300_000; n += 1) {
    const text = `n${n}.example`;
    const hash = seededHash(1, text);
    const other = found.get(hash);
    if (other !== undefined) shared.push([other, text]);
    found.set(hash, text);
  }
  const stillShared = shared.filter(([one, other]) => seededHash(2, one) === seededHash(2, other));
  assert.ok(shared.length > 0 && stillShared.length <= 1, `${stillShared.length} of ${shared.length}`);
});
