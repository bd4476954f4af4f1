import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import manifest from '../package.json' with { type: 'json' };
import { runToEnd } from './spawned-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-tested-tests-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const runner = join(import.meta.dirname, 'support/run-tests.ts');

function testFile(name: string, text: string): string {
  const path = join(folder, `${name}.test.mjs`);
  writeFileSync(path, `import { test } from 'node:test';\n${text}\n`);
  return path;
}

/** A test runner that finds itself inside another one runs nothing; and what fails here is meant to. */
function env(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, BOURSE_TEST_FAILURES: _failures, ...others } = process.env;
  return others;
}

/** Runs a test file of that text, as `npm test` does, for so long; its exit code. */
async function codeOf(name: string, text: string, timeoutMs: number): Promise<number> {
  const path = testFile(name, text);
  const flags = ['--dots', `--timeout=${timeoutMs}`];
  const child = spawn(process.execPath, [runner, ...flags, path], { stdio: 'ignore', env: env() });
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

/** `npm test` in a package whose two halves are these scripts: its folder, and how it ends. */
async function halvesRun(all: string, postgres: string) {
  const root = mkdtempSync(join(folder, 'halves-'));
  const { test: whole } = manifest.scripts;
  const scripts = {
    test: whole.replace('test/support', join(import.meta.dirname, 'support')),
    'test:files': all,
    'test:postgres': postgres,
  };
  writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts }));
  return { root, ...(await runToEnd('npm', ['test'], { cwd: root, env: env() })) };
}

describe('npm test runs both halves, and fails if one does', () => {
  const ends: readonly [first: number, second: number, hasFailed: boolean][] = [
    [0, 0, false],
    [1, 0, true],
    [0, 1, true],
    [7, 7, true],
  ];
  const half = (name: string, code: number) =>
    `node -e "require('fs').writeFileSync('${name}', ''); process.exit(${code})"`;
  for (const [first, second, hasFailed] of ends) {
    test(`${first} and ${second}`, async () => {
      const { root, code } = await halvesRun(half('all', first), half('postgres', second));
      const ran = ['all', 'postgres'].filter((name) => existsSync(join(root, name)));
      assert.deepEqual({ hasFailed: code !== 0, ran }, { hasFailed, ran: ['all', 'postgres'] });
    });
  }
});

test('what fails in the first half stands at the end of the second', async () => {
  const failing = testFile(
    'told',
    "test('outer', (t) => t.test('inner', () => { throw new Error('its reason'); }));",
  );
  const { output } = await halvesRun(
    `${JSON.stringify(process.execPath)} ${JSON.stringify(runner)} ${JSON.stringify(failing)}`,
    'node -e "console.log(`the second half`)"',
  );
  const end = output.slice(output.lastIndexOf('the second half'));
  assert.match(end, /Failed:\ninner \(.*told\.test\.mjs\)\n {4}Error: its reason/);
  assert.match(end, /again: BOURSE_TEST_SEED=\d+ .*npx node test\/support\/run-tests\.ts .*told\.test\.mjs/);
  assert.doesNotMatch(end, /outer/);
});
