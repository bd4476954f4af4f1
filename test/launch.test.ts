import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { after, describe, test } from 'node:test';
import { decide, entryOf, flagsFor, ownNodeOf, refusal } from '../bin/launch.js';
import { olderNode } from './older-node.ts';
import { runToEnd, spawnServer, untilSilent } from './spawned-server.ts';

const own = '/bourse/node_modules/node/bin/node';
const decisions = [
  { found: { version: '24.7.0', ownNode: undefined, relaunched: false }, decision: 'run' },
  { found: { version: '24.7.0', ownNode: own, relaunched: true }, decision: 'run' },
  { found: { version: '26.10.0', ownNode: own, relaunched: false }, decision: 'run' },
  { found: { version: '27.0.0-nightly2026', ownNode: own, relaunched: false }, decision: 'run' },
  { found: { version: '24.6.9', ownNode: own, relaunched: false }, decision: 'relaunch' },
  { found: { version: '20.20.2', ownNode: own, relaunched: false }, decision: 'relaunch' },
  { found: { version: '12.22.12', ownNode: own, relaunched: false }, decision: 'relaunch' },
  { found: { version: '20.20.2', ownNode: undefined, relaunched: false }, decision: 'refuse' },
  { found: { version: '22.0.0', ownNode: own, relaunched: true }, decision: 'refuse' },
];

const sized = ['--min-semi-space-size=16', '--max-semi-space-size=16'];
const flagRows = [
  { found: { command: 'serve', given: '' }, flags: sized },
  { found: { command: 'serve', given: '--cpu-prof --max-old-space-size=300' }, flags: sized },
  { found: { command: 'serve', given: '--max-semi-space-size=32' }, flags: [] },
  { found: { command: 'serve', given: '--min_semi_space_size=1' }, flags: [] },
  { found: { command: 'export', given: '' }, flags: [] },
  { found: { command: undefined, given: '' }, flags: [] },
];

describe('the launcher bounds the young generation of what serves, unless told how', () => {
  for (const { found, flags } of flagRows) {
    test(`${JSON.stringify(found)}: ${flags.join(' ') || 'nothing'}`, () =>
      assert.deepEqual(flagsFor(found), flags));
  }
});

describe('the launcher decides', () => {
  for (const { found, decision } of decisions) {
    test(`${JSON.stringify(found)}: ${decision}`, () => assert.equal(decide(found), decision));
  }

  test('a checkout runs its source though a build lies beside it', () => {
    assert.equal(
      entryOf('/bourse', () => true),
      join('/bourse', 'src', 'cli', 'main.ts'),
    );
  });

  test('a package without source runs its build', () => {
    assert.equal(
      entryOf('/bourse', () => false),
      join('/bourse', 'dist', 'cli', 'main.js'),
    );
  });

  test("the project's own Node is found beside the package, hoisted above it, or not at all", () => {
    const root = resolve('/app/node_modules/bourse');
    const nodeIn = (folder: string) => (path: string) =>
      path.startsWith(resolve(folder, 'node_modules', 'node') + sep);
    assert.ok(ownNodeOf(root, nodeIn('/app/node_modules/bourse'))?.startsWith(root));
    assert.ok(ownNodeOf(root, nodeIn('/app'))?.startsWith(resolve('/app/node_modules/node')));
    assert.equal(
      ownNodeOf(root, () => false),
      undefined,
    );
  });

  test('who is refused reads what is needed and what is there', () => {
    assert.match(refusal('20.1.0'), /needs Node 24\.7 or later.*Node 20\.1\.0/);
  });
});

const server = `
import { createServer } from 'node:http';
import 'node:sqlite';
const [command = ''] = process.argv.slice(2);
if (command === 'crash') process.kill(process.pid, 'SIGKILL');
if (command === 'fail') process.exitCode = 7;
if (command === 'serve') {
  const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1', () => {
    console.log('Bourse serves at http://127.0.0.1:' + (server.address() as { port: number }).port);
  });
  process.on('SIGTERM', () => server.close(() => console.log('finished')));
}
`;

/** A package of the real launcher, a small server, and on demand a Node of its own. */
function makePackage({ withNode }: { withNode: boolean }): string {
  const root = mkdtempSync(join(tmpdir(), 'bourse-launch-'));
  after(() => rmSync(root, { recursive: true }));
  cpSync(new URL('../bin', import.meta.url), join(root, 'bin'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(root, 'src', 'cli'), { recursive: true });
  writeFileSync(join(root, 'src', 'cli', 'main.ts'), server);
  if (withNode) {
    mkdirSync(join(root, 'node_modules', 'node', 'bin'), { recursive: true });
    symlinkSync(process.execPath, join(root, 'node_modules', 'node', 'bin', 'node'));
  }
  return join(root, 'bin', 'bourse.js');
}

test('started by a Node that is new enough, it serves without a warning', async () => {
  const bourse = makePackage({ withNode: false });
  const { process: launched, ended } = await spawnServer(process.execPath, [bourse, 'serve'], {});
  launched.kill('SIGTERM');
  const { code, output } = await ended;
  assert.equal(code, 0);
  assert.match(output, /^Bourse serves at \S+\nfinished\n$/);
});

/** What the server of the package was started with: the process that listens, and its flags. */
const told = `
console.log(JSON.stringify({ pid: process.pid, flags: process.execArgv, cache: process.env.NODE_COMPILE_CACHE }));
`;

test('what serves has its flags in the process that was started, and threads are told of compiled code', async () => {
  const bourse = makePackage({ withNode: false });
  const root = dirname(dirname(bourse));
  appendFileSync(join(root, 'src', 'cli', 'main.ts'), told);
  const { process: launched, ended } = await spawnServer(process.execPath, [bourse, 'serve'], {});
  launched.kill('SIGTERM');
  const { code, output } = await ended;
  assert.equal(code, 0);
  const { pid, flags, cache } = JSON.parse(/^\{.*$/m.exec(output)?.[0] ?? '{}');
  assert.equal(pid, launched.pid);
  assert.deepEqual(flags, process.platform === 'win32' ? [] : sized);
  assert.equal(typeof cache, 'string');
});

test('compiled code is kept where no other user can put any', async () => {
  const bourse = makePackage({ withNode: false });
  appendFileSync(join(dirname(dirname(bourse)), 'src', 'cli', 'main.ts'), told);
  const home = mkdtempSync(join(tmpdir(), 'bourse-home-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  const { NODE_COMPILE_CACHE: _, XDG_CACHE_HOME: __, ...env } = process.env;
  const { output } = await runToEnd(process.execPath, [bourse, 'ask'], {
    env: { ...env, HOME: home, USERPROFILE: home },
  });
  const { cache } = JSON.parse(/^\{.*$/m.exec(output)?.[0] ?? '{}');
  assert.ok(String(cache).startsWith(join(home, '.cache', 'bourse')), cache);
});

const skip = olderNode === undefined && 'no Node on the PATH is too old for Bourse';

describe('started by an older Node', { skip }, () => {
  const older = olderNode ?? '';

  test("it serves with the project's own, and SIGTERM reaches the server", async () => {
    const bourse = makePackage({ withNode: true });
    const { process: launched, ended, url } = await spawnServer(older, [bourse, 'serve'], {});
    assert.equal((await fetch(url, { headers: { connection: 'close' } })).status, 200);
    launched.kill('SIGTERM');
    const { code, output } = await ended;
    assert.equal(code, 0);
    assert.match(output, /^Bourse serves at \S+\nfinished\n$/);
  });

  test('the server stops too where the launcher is killed outright', async () => {
    const bourse = makePackage({ withNode: true });
    const { process: launched, url } = await spawnServer(older, [bourse, 'serve'], {});
    launched.kill('SIGKILL');
    await untilSilent(url);
  });

  test('it ends with the exit code of the command', async () => {
    const { code } = await runToEnd(older, [makePackage({ withNode: true }), 'fail']);
    assert.equal(code, 7);
  });

  test('it ends by the signal that ended the command', async () => {
    const { signal } = await runToEnd(older, [makePackage({ withNode: true }), 'crash']);
    assert.equal(signal, 'SIGKILL');
  });

  test('without a Node of its own it says which one it needs', async () => {
    const { code, output } = await runToEnd(older, [makePackage({ withNode: false }), 'serve']);
    assert.equal(code, 1);
    assert.match(output, /needs Node 24\.7 or later/);
  });
});
