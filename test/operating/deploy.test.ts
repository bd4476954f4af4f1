import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { after, describe, test } from 'node:test';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';

const root = dirname(dirname(import.meta.dirname));
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  bin: Record<string, string>;
  scripts: Record<string, string>;
};

/** Names of our variables in a text; each must be one that the program reads. */
function assertKnownVariables(text: string): void {
  const names = [...text.matchAll(/\bBOURSE_[A-Z_]+/g)].map(([name]) => name);
  assert.ok(names.length > 0);
  assert.deepEqual(readConfig(Object.fromEntries(names.map((name) => [name, '']))).warnings, []);
}

describe('deploy/bourse.service', () => {
  const unit = read('bourse.service');

  test('runs the command of the package, with variables that it reads', () => {
    assert.match(unit, /^ExecStart=\/opt\/bourse\/node_modules\/\.bin\/bourse serve$/m);
    assert.ok('bourse' in manifest.bin);
    assertKnownVariables(unit);
    assertKnownVariables(read('bourse.env'));
  });

  test('is tried again for ever, but for a wrong setting, and its log is not cut', () => {
    assert.match(unit, /^StartLimitIntervalSec=0$/m);
    assert.match(unit, /^RestartPreventExitStatus=78$/m);
    // systemd 252 takes 0 for journald's own limit.
    assert.match(unit, /^LogRateLimitIntervalSec=1s$/m);
  });

  test('may ask for the addresses of the machine, without which no server starts at 0.0.0.0', () => {
    assert.match(unit, /^RestrictAddressFamilies=.*\bAF_NETLINK\b/m);
  });

  const skip = spawnSync('systemd-analyze', ['--version']).status !== 0 && 'there is no systemd-analyze';
  test('is sound to systemd, and hardened', { skip }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-unit-'));
    after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'bourse.service');
    // The program is not installed here; everything else is looked at.
    writeFileSync(file, unit.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
    const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    assert.deepEqual([verified.status, verified.stderr.trim()], [0, '']);
    const exposure = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', file]);
    assert.equal(exposure.status, 0, String(exposure.stdout).split('\n').slice(-3).join('\n'));
  });
});

test('deploy/bourse runs the command of the package as the unit runs it', () => {
  const unit = read('bourse.service');
  const settingsOf = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);
  const settingOf = (name: string) => settingsOf(name)[0];
  const script = read('bourse');
  assert.equal(spawnSync('sh', ['-n'], { input: script }).status, 0);
  const shared = ['UMask', 'StateDirectory', 'StateDirectoryMode', 'Environment', 'EnvironmentFile'];
  const wanted = [
    `--uid=${settingOf('User')}`,
    `--gid=${settingOf('Group')}`,
    `--working-directory=${settingOf('WorkingDirectory')}`,
    ...shared.flatMap((name) => settingsOf(name).map((value) => `--property=${name}=${value}`)),
    `${settingOf('ExecStart')?.replace(' serve', '')} "$@"`,
  ];
  for (const option of wanted) assert.ok(script.includes(` ${option}`), option);
});

describe('deploy/Dockerfile', () => {
  const lines = read('Dockerfile').replaceAll('\\\n', ' ').split('\n');
  const instructions = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim());

  test('copies files that there are, past what is ignored', () => {
    const ignored = read('Dockerfile.dockerignore').split('\n');
    const copied = instructions('COPY')
      .filter((line) => !line.startsWith('--from='))
      .flatMap((line) => line.split(/\s+/).slice(0, -1));
    assert.ok(copied.length > 5);
    for (const name of copied) {
      assert.ok(existsSync(join(root, name)), name);
      assert.ok(ignored.includes(`!${name}`), `${name} is ignored`);
    }
  });

  test('runs scripts and a command that there are, as no root, and looks after its health', () => {
    const scripts = [...read('Dockerfile').matchAll(/npm run (\w+)/g)].map(([, name]) => name ?? '');
    assert.deepEqual(
      scripts.filter((name) => !(name in manifest.scripts)),
      [],
    );
    assert.deepEqual(instructions('ENTRYPOINT'), ['["node", "bin/bourse.js"]']);
    assert.deepEqual(instructions('CMD'), ['["serve"]']);
    assert.deepEqual(instructions('USER'), ['node']);
    assert.match(instructions('HEALTHCHECK').join(), /\/readyz/);
    assertKnownVariables(read('Dockerfile'));
  });
});

test('deploy/compose.yaml builds that image, and starts it once PostgreSQL is ready', () => {
  const { services } = parse(read('compose.yaml'));
  const { build, environment, depends_on: waitsFor } = services.bourse;
  assert.equal(normalize(join('deploy', build.context, build.dockerfile)), normalize('deploy/Dockerfile'));
  assertKnownVariables(read('compose.yaml'));
  const filled = String(environment.BOURSE_DATABASE_URL).replace(/\$\{.*?\}/g, 'secret');
  assert.doesNotThrow(() => readConfig({ BOURSE_DATABASE_URL: filled }));
  assert.equal(new URL(filled).hostname, 'database');
  assert.deepEqual(waitsFor, { database: { condition: 'service_healthy' } });
  assert.ok(services.database.healthcheck.test.includes('pg_isready'));
});
