import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const draws = /\b(?:seeded\(|drawn\(|areAllDrawn\b)/;
const known = new Map<string, boolean>();

/**
 * Whether a test file draws cases, by itself or by what it imports of `test/`: `npm test` tries a part of them only
 * (`seed.ts`).
 */
export function drawsCases(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  // Files that import each other end here.
  known.set(name, false);
  const path = join(root, name);
  if (!existsSync(path)) return false;
  const text = readFileSync(path, 'utf8');
  const imported = [...text.matchAll(/ from '(\.[^']+\.ts)'/g)]
    .map(([, to = '']) => relative(root, join(dirname(path), to)).replaceAll(sep, '/'))
    .filter((to) => to.startsWith('test/') && to !== 'test/support/seed.ts');
  const found = draws.test(text) || imported.some(drawsCases);
  known.set(name, found);
  return found;
}
