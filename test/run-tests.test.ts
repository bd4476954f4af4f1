import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import manifest from '../package.json' with { type: 'json' };
import { runToEnd } from './spawned-server.ts';
import { slowKinds } from './support/slow-kinds.ts';
import { withoutSql } from './support/without-sql.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-tested-tests-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a test file of that text, as `npm test` does, for so long; its exit code. */
async function codeOf(name: string, text: string, timeoutMs: number): Promise<number> {
  const path = join(folder, `${name}.test.mjs`);
  writeFileSync(path, `import { test } from 'node:test';\n${text}\n`);
  // A test runner that finds itself inside another one runs nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const runner = join(import.meta.dirname, 'support/run-tests.ts');
  const flags = ['--dots', `--timeout=${timeoutMs}`];
  const child = spawn(process.execPath, [runner, ...flags, path], { stdio: 'ignore', env });
  const [code] = await once(child, 'exit');
  return Number(code);
}

const servers = `import ${JSON.stringify(join(import.meta.dirname, 'support/server.ts'))};`;
const fails = "test('one', () => { throw new Error('no'); });";
const waits = "test('one', () => new Promise(() => undefined));";
const rows: readonly [name: string, text: string, timeoutMs: number, code: number][] = [
  ['passes', "test('one', () => {});", 60_000, 0],
  ['fails', fails, 60_000, 1],
  ['waits for what never comes', waits, 3000, 1],
  ['ends its process', "test('one', () => process.exit(0));", 60_000, 1],
  ['cannot be loaded', "throw new Error('no');", 60_000, 1],
  ['passes beside servers', `${servers} test('one', () => {});`, 60_000, 0],
  ['fails beside servers', servers + fails, 60_000, 1],
  ['waits for what never comes, beside servers', servers + waits, 3000, 1],
];

describe('the exit code of a run tells of a test that', () => {
  for (const [name, text, timeoutMs, code] of rows) {
    test(name, async () => assert.equal(await codeOf(name, text, timeoutMs), code));
  }
});

/** `npm test` in a package whose two halves end with these codes: how it ends, and which halves ran. */
async function halvesRun(first: number, second: number) {
  const root = mkdtempSync(join(folder, 'halves-'));
  const half = (name: string, code: number) =>
    `node -e "require('fs').writeFileSync('${name}', ''); process.exit(${code})"`;
  const { test: whole } = manifest.scripts;
  const scripts = {
    test: whole.replace('test/support', join(import.meta.dirname, 'support')),
    'test:all': half('all', first),
    'test:postgres': half('postgres', second),
  };
  writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts }));
  const { code } = await runToEnd('npm', ['test'], { cwd: root });
  return { hasFailed: code !== 0, ran: ['all', 'postgres'].filter((name) => existsSync(join(root, name))) };
}

describe('npm test runs both halves, and fails if one does', () => {
  const ends: readonly [first: number, second: number, hasFailed: boolean][] = [
    [0, 0, false],
    [1, 0, true],
    [0, 1, true],
    [7, 7, true],
  ];
  for (const [first, second, hasFailed] of ends) {
    test(`${first} and ${second}`, async () => {
      assert.deepEqual(await halvesRun(first, second), { hasFailed, ran: ['all', 'postgres'] });
    });
  }
});

test('every file of a slow kind, and each that reaches no SQL, is there', () => {
  const named = [...slowKinds.flatMap(([, files]) => files), ...withoutSql];
  const root = dirname(import.meta.dirname);
  assert.deepEqual(
    named.filter((name) => !existsSync(join(root, name))),
    [],
  );
  assert.equal(new Set(named).size, named.length - 1, 'only large bodies are both');
});
