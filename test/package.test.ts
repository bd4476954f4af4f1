import assert from 'node:assert/strict';
import type { SpawnOptions } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { olderNode } from './older-node.ts';
import { runToEnd, type SpawnedServer, spawnServer } from './spawned-server.ts';
import { pause } from './support/pause.ts';

const checkout = dirname(import.meta.dirname);
const scratch = mkdtempSync(join(tmpdir(), 'bourse-package-'));
after(() => rmSync(scratch, { recursive: true }));

/** This Node first on the PATH, and nothing of the npm run and the test run around this test. */
const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry)|^BOURSE_TEST_/.test(name)),
  ),
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  NO_COLOR: '1',
};

const serving = (database: string, cwd: string): SpawnOptions => ({
  cwd,
  env: { ...env, BOURSE_PORT: '0', BOURSE_DATABASE_URL: `sqlite:${join(scratch, database)}` },
});

/** The server is healthy, and on SIGTERM ends as it should; `launched` is what the signal goes to. */
async function assertServes({ url, process: launched, ended }: SpawnedServer): Promise<void> {
  const { status } = await fetch(`${url}/healthz`);
  const console = await (await fetch(url)).text();
  assert.match(console, /<div id="root">/, 'the console is not served');
  launched.kill('SIGTERM');
  const { code, signal, output } = await ended;
  assert.deepEqual({ status, code, signal }, { status: 200, code: 0, signal: null }, output);
  assert.doesNotMatch(output, /Warning/);
}

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, output } = await runToEnd(command, args, { cwd, env });
  assert.equal(code, 0, `${command} ${args.join(' ')}\n${output}`);
  return output;
}

/** A program that uses the client. */
const asking = (baseUrl: string, password: string) => `
import { answerOf, BourseError, createBourseClient } from 'bourse/client';
const bourse = createBourseClient({ baseUrl: '${baseUrl}' });
await bourse.login('admin@localhost', '${password}');
const account = await answerOf(bourse.GET('/api/auth/account'));
const refused = await answerOf(bourse.GET('/api/tag/get', { params: { query: { Id: 7 } } })).catch((error) => error);
console.log(account.FirstName + 'istrator', refused instanceof BourseError ? refused.status : refused);
`;

describe('the tarball of npm pack', () => {
  const folder = join(scratch, 'elsewhere');
  const bourse = join(folder, 'node_modules', '.bin', 'bourse');
  const installed = join(folder, 'node_modules', 'bourse');

  before(async () => {
    mkdirSync(folder);
    await run('npm', ['pack', '--pack-destination', scratch], checkout);
    const [tarball = ''] = readdirSync(scratch).filter((name) => name.endsWith('.tgz'));
    const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
    await run('npm', ['install', ...quietly, join(scratch, tarball)], folder);
  });

  test('holds the build and what belongs to it, no source and no tests', () => {
    const held = readdirSync(installed).filter((name) => name !== 'node_modules');
    assert.deepEqual(held.sort(), [
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'assets',
      'bin',
      'console',
      'deploy',
      'dist',
      'docs',
      'package.json',
      'sdk',
    ]);
    assert.deepEqual(readdirSync(join(installed, 'sdk')), ['README.md']);
  });

  test('holds what its README and its docs link to', () => {
    const pages = ['README.md', 'sdk/README.md', ...globSync('docs/**/*.md', { cwd: installed })];
    const links = pages.flatMap((page) => {
      const text = readFileSync(join(installed, page), 'utf8');
      return [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
        join(dirname(page), link),
      );
    });
    assert.ok(links.length > 10);
    for (const link of links) assert.ok(existsSync(join(installed, link)), link);
  });

  test('prints its help', async () => {
    assert.match(await run(bourse, ['--help'], folder), /serve/);
  });

  test('has the client, which logs in and asks', async () => {
    const server = await spawnServer(bourse, ['serve', '--threads', '1'], serving('client.db', folder));
    const madeUp = () => /^Password .*: (\S+)$/m.exec(server.output())?.[1] ?? '';
    writeFileSync(join(folder, 'use.mjs'), asking(server.url, madeUp()));
    assert.equal(await run(process.execPath, ['use.mjs'], folder), 'Administrator 406\n');
    await assertServes(server);
  });

  test('has the types of the client', async () => {
    const check = async (name: string, code: string) => {
      writeFileSync(join(folder, name), code);
      const flags = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext'];
      const tsc = join(checkout, 'node_modules', 'typescript', 'bin', 'tsc');
      return runToEnd(process.execPath, [tsc, ...flags, name], { cwd: folder, env });
    };
    const right = await check('right.mts', asking('http://a.example', 'p'));
    assert.deepEqual([right.code, right.output], [0, '']);
    const wrong = await check(
      'wrong.mts',
      asking('http://a.example', 'p').replace('.FirstName', '.FirstNam'),
    );
    assert.match(wrong.output, /Property 'FirstNam' does not exist/);
  });

  test('serves in threads too', async () => {
    const server = await spawnServer(bourse, ['serve', '--threads', '2'], serving('threads.db', folder));
    const threads = async () =>
      (await (await fetch(`${server.url}/metrics`)).text()).includes('bourse_threads 2');
    while (!(await threads())) await pause();
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    assert.match(metrics, /^bourse_country_database_built_seconds\{.*source="package"\} \d+$/m);
    await assertServes(server);
  });

  test('serves, and finishes on SIGTERM', async () => {
    await assertServes(await spawnServer(bourse, ['serve'], serving('installed.db', folder)));
  });
});

describe('the checkout', () => {
  test('serves by npm start, and SIGTERM to npm reaches the server', async () => {
    await assertServes(await spawnServer('npm', ['start'], serving('npm-start.db', checkout)));
  });

  const skip = olderNode === undefined && 'no Node on the PATH is too old for Bourse';
  test('serves when an older Node starts it', { skip }, async () => {
    const options = serving('older-node.db', checkout);
    await assertServes(await spawnServer(olderNode ?? '', [join('bin', 'bourse.js'), 'serve'], options));
  });
});
