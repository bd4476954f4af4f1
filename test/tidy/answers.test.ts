import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { TObject } from 'typebox';
import {
  auctionSchema,
  candidateSchema,
  explanationSchema,
  refusalSchema,
} from '../../src/answers/explanation.ts';
import { healthSchema } from '../../src/answers/object-health.ts';
import { callSchema, testResultSchema } from '../../src/answers/test-result.ts';
import { type DeclaredAnswer, declaredTwice } from './declared-twice.ts';

const schemas: Readonly<Record<string, TObject>> = {
  auctionSchema,
  callSchema,
  candidateSchema,
  explanationSchema,
  healthSchema,
  refusalSchema,
  testResultSchema,
};
// `Status` is in every answer.
const answers: readonly DeclaredAnswer[] = Object.entries(schemas).map(([name, { required = [] }]) => [
  name,
  required.filter((member) => member !== 'Status'),
]);

test('a new member of an answer is one row of its schema: its type follows from that everywhere', () => {
  const paths = globSync(['src/**/*.ts', 'console/**/*.{ts,tsx}'], { exclude: ['console/dist/**'] });
  const found = paths
    .filter((path) => !path.startsWith('src/answers/'))
    .flatMap((path) => declaredTwice(path, readFileSync(path, 'utf8'), answers));
  assert.deepEqual(found, []);
});

for (const [text, lines] of [
  ['interface A { Rule: string; Help: string; Field: string; Wanted: unknown; Met: unknown }', [1]],
  ['type A = {\n  x: { Rule: 1; Help: 1; Field: 1; Wanted: 1; Met: 1; More: 1 };\n};', [2]],
  ['interface A { Rule: string; Help: string; Field: string }', []],
  ["import type { ShownRefusal } from '../answers/explanation.ts';", []],
] as const) {
  test(`an answer that is declared again is found: ${text}`, () => {
    const found = declaredTwice('src/a.ts', text, answers);
    assert.deepEqual(
      found.map(({ line }) => line),
      lines,
    );
  });
}
