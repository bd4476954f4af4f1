import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { drawsCases } from './support/draws-cases.ts';
import { isOfRun, slowKinds } from './support/slow-kinds.ts';
import { withOwnSql } from './support/with-own-sql.ts';
import { withoutSql } from './support/without-sql.ts';

test('every file of a slow kind, and each that reaches no SQL, is there', () => {
  const slow = slowKinds.flatMap(({ files }) => files);
  const root = dirname(import.meta.dirname);
  assert.deepEqual(
    [...slow, ...withoutSql, ...withOwnSql].filter((name) => !existsSync(join(root, name))),
    [],
  );
  assert.equal(new Set(slow).size, slow.length, 'a file is of one kind');
});

describe('each test file belongs to `npm test` or `npm run test:long`, if not to `npm run check:tidy`', () => {
  const root = dirname(import.meta.dirname);
  const all = globSync('test/**/*.test.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((name) => !/^test\/tidy[./]/.test(name));
  const runs = (name: string, isOnPostgres: boolean) =>
    ['short', 'long'].filter((only) => isOfRun(name, { isOnPostgres, only }));

  test('but those that draw cases, of which the second tries all', () => {
    for (const name of all) {
      const expected = drawsCases(name) ? 'long' : undefined;
      const [first, second] = runs(name, false);
      assert.ok(first !== undefined && (second === undefined || second === expected), name);
    }
    assert.ok(drawsCases('test/store/sqlite.test.ts'), 'by a suite that it imports');
    assert.ok(!drawsCases('test/store/processes.test.ts'));
  });

  test('on PostgreSQL, too, but those that reach no SQL', () => {
    for (const name of all) assert.equal(runs(name, true).length > 0, !withoutSql.has(name), name);
    for (const name of withOwnSql) assert.equal(runs(name, true)[0], 'short', name);
  });
});
