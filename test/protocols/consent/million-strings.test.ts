import { test } from 'node:test';
import fc from 'fast-check';
import { seeded } from '../../support/seed.ts';
import { assertAgrees, drawnTcf } from './drawn-tcf.ts';

test('a million strings are read as by the official library', () => {
  fc.assert(
    fc.property(drawnTcf, ({ text, vendors }) => void assertAgrees(text, vendors)),
    seeded(1_000_000),
  );
});
