import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configTable } from '../../src/config.ts';
import { bourseProcess } from './bourse-process.ts';

const { run } = bourseProcess();

const helps: readonly { args: readonly string[]; names: readonly string[] }[] = [
  {
    args: ['--help'],
    names: ['serve', 'team', 'user', 'token', 'demo', 'simulate', 'export', 'floors', 'plan', 'apply'],
  },
  { args: ['serve', '--help'], names: configTable().split('\n') },
  { args: ['team', '--help'], names: ['add'] },
  { args: ['team', 'add', '--help'], names: ['--name'] },
  { args: ['user', '--help'], names: ['add', 'password'] },
  {
    args: ['user', 'add', '--help'],
    names: ['--team', '--mail', '--password', '--password-stdin', '--first-name', '--last-name', '--role'],
  },
  { args: ['user', 'password', '--help'], names: ['--mail', '--password', '--password-stdin'] },
  { args: ['token', '--help'], names: ['issue'] },
  { args: ['token', 'issue', '--help'], names: ['--mail'] },
  { args: ['demo', '--help'], names: ['--mail', '--server', '--again'] },
  {
    args: ['simulate', '--help'],
    names: [
      '--server',
      '--mail',
      '--password-stdin',
      '--token',
      '--zone',
      '--rate',
      '--duration',
      '--seed',
      '--json',
    ],
  },
  { args: ['export', '--help'], names: ['--team', '--mail', '--output'] },
  { args: ['plan', '--help'], names: ['<file>', '--team', '--mail', '--deactivate-missing'] },
  { args: ['apply', '--help'], names: ['<file>', '--team', '--mail', '--deactivate-missing'] },
];

describe('help', { concurrency: 2 }, () => {
  for (const { args, names } of helps) {
    test(`bourse ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await run(args);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      for (const name of names) assert.ok(stdout.includes(name), `${name} is missing in\n${stdout}`);
    });
  }

  const asked: readonly (readonly [args: readonly string[], same: readonly string[]])[] = [
    [['help'], ['--help']],
    [
      ['help', 'serve'],
      ['serve', '--help'],
    ],
    [
      ['help', 'team'],
      ['team', '--help'],
    ],
    [
      ['team', 'help', 'add'],
      ['team', 'add', '--help'],
    ],
  ];
  for (const [args, same] of asked) {
    test(`bourse ${args.join(' ')} is bourse ${same.join(' ')}`, async () => {
      const [outcome, expected] = await Promise.all([run(args), run(same)]);
      assert.deepEqual(outcome, { ...expected, code: 0, stderr: '' });
    });
  }

  test('bourse --version', async () => {
    assert.match((await run(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
  });
});

const mistakes: readonly { args: readonly string[]; says: RegExp; shows: readonly string[] }[] = [
  { args: [], says: /^Usage: bourse/, shows: ['serve', 'demo'] },
  { args: ['server'], says: /unknown command 'server'.*\(Did you mean serve\?\)/s, shows: ['serve', 'demo'] },
  { args: ['serve', '--port', '1'], says: /unknown option '--port'/, shows: ['BOURSE_PORT'] },
  { args: ['help', 'server'], says: /^Usage: bourse/, shows: ['serve', 'demo'] },
  { args: ['team'], says: /^Usage: bourse team/, shows: ['add'] },
  { args: ['team', 'add'], says: /'--name <name>' not specified/, shows: ['--name'] },
  { args: ['team', 'remove'], says: /unknown command 'remove'/, shows: ['add'] },
  { args: ['team', 'add', '--nam', 'x'], says: /unknown option '--nam'|not specified/, shows: ['--name'] },
  { args: ['team', 'add', '--name', 'x', 'y'], says: /too many arguments/, shows: ['--name'] },
  {
    args: ['user', 'add', '--team', 'one', '--mail', 'a@example.com'],
    says: /'--team <id>'.* is invalid.*ID of a team/,
    shows: ['--password-stdin'],
  },
  {
    args: ['user', 'add', '--team', '1', '--mail', 'a@example.com', '--role', 'admin'],
    says: /'admin' is invalid.*0, 1, 2/,
    shows: ['0 = administrator'],
  },
  {
    args: ['user', 'add', '--team', '1', '--mail', 'a@example.com'],
    says: /pass --password-stdin or --password/,
    shows: ['--password-stdin'],
  },
  {
    args: ['user', 'password', '--mail', 'a@example.com', '--password', 'x', '--password-stdin'],
    says: /'--password-stdin' cannot be used with option '--password/,
    shows: ['--mail'],
  },
  { args: ['apply'], says: /missing required argument 'file'/, shows: ['--deactivate-missing'] },
  { args: ['token', 'issue'], says: /'--mail <mail>' not specified/, shows: ['--mail'] },
];

describe('a mistake says what there is', { concurrency: 2 }, () => {
  for (const { args, says, shows } of mistakes) {
    test(`bourse ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await run(args);
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
      assert.match(stderr, says);
      for (const name of shows) assert.ok(stderr.includes(name), `${name} is missing in\n${stderr}`);
    });
  }
});
