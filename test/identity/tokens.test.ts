import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newToken, tokenCharacters, tokenHash } from '../../src/identity/tokens.ts';

test('a token is 256 random bits in base64url', () => {
  const asked: number[] = [];
  const token = newToken((bytes) => {
    asked.push(bytes);
    return Buffer.alloc(bytes, 0xfb);
  });
  assert.deepEqual(asked, [32]);
  assert.equal(token, Buffer.alloc(32, 0xfb).toString('base64url'));
});

test('tokens are URL-safe, as long as promised, and differ', () => {
  const tokens = Array.from({ length: 1000 }, () => newToken());
  for (const token of tokens) assert.match(token, /^[\w-]+$/);
  assert.ok(tokens.every(({ length }) => length === tokenCharacters));
  assert.equal(new Set(tokens).size, tokens.length);
});

test('what is kept of a token is its SHA-256', () => {
  // FIPS 180-2, appendix B.1.
  assert.equal(tokenHash('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
