import { test } from 'node:test';
import fc from 'fast-check';
import { seeded } from '../../support/seed.ts';
import { assertAgrees, drawnTcf } from './drawn-tcf.ts';

/** Each seed draws others. `BOURSE_TEST_STRINGS=1000000` takes six minutes. */
const strings = Number(process.env.BOURSE_TEST_STRINGS ?? 40_000);

test('many drawn strings are read as by the official library', () => {
  fc.assert(
    fc.property(drawnTcf, ({ text, vendors }) => void assertAgrees(text, vendors)),
    seeded(strings),
  );
});
