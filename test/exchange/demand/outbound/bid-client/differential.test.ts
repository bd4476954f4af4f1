import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../../../../support/seed.ts';
import { compareReaders } from './differential.ts';
import { compareOverSockets } from './over-sockets.ts';
import { readByLlhttp, readByNode } from './read-by-others.ts';

const answeredMin = 0.3;

test('100,000 drawn answers are read as llhttp reads them, or are refused', async () => {
  const { cases, answered } = await compareReaders(readByLlhttp, seed, 100_000);
  assert.ok(answered > cases * answeredMin, `only ${answered} of ${cases} were answers`);
});

test('2,000 drawn answers are read as node:http reads them, or are refused', async () => {
  await compareReaders(readByNode, seed, 2_000);
});

test('500 drawn answers over sockets are read as undici reads them, or are refused', async () => {
  assert.ok((await compareOverSockets(seed, 500)) > 500 * answeredMin);
});
