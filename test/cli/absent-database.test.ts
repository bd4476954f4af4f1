import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { bourseProcess } from './bourse-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-absent-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'exchange.yaml');
writeFileSync(file, 'Version: 1\n');
const copy = join(folder, 'new.backup');

const mail = ['--mail', 'ada@example.com'];
const password = ['--password', 'long enough'];

/** Commands that have nothing to do on an empty database: where there is none, its path is most likely mistyped. */
const refused: readonly (readonly string[])[] = [
  ['export'],
  ['plan', file],
  ['apply', file],
  ['backup', copy],
  ['token', 'issue', ...mail],
  ['user', 'add', '--team', '1', ...mail, ...password],
  ['user', 'password', ...mail, ...password],
  ['simulate'],
];

describe('where there is no SQLite file, these refuse and make none', { concurrency: 2 }, () => {
  for (const args of refused) {
    test(`bourse ${args.slice(0, 2).join(' ')}`, async () => {
      const { run, databasePath } = bourseProcess();
      const { code, stdout, stderr } = await run(args);
      assert.deepEqual({ code, stdout }, { code: 78, stdout: '' });
      const [first = '', ...rest] = stderr.split('\n');
      assert.ok(first.startsWith(`BOURSE_DATABASE_URL names no database: ${databasePath} does not exist; `));
      assert.match(first, /bourse migrate/);
      assert.deepEqual(rest, ['']);
      assert.equal(existsSync(dirname(databasePath)), false, 'nor its folder');
      assert.equal(existsSync(copy), false);
    });
  }
});

const making: readonly (readonly string[])[] = [['migrate'], ['team', 'add', '--name', 'First'], ['demo']];

describe('these make it', { concurrency: 2 }, () => {
  for (const args of making) {
    test(`bourse ${args.slice(0, 2).join(' ')}`, async () => {
      const { run, databasePath } = bourseProcess();
      const { code, stderr } = await run(args);
      assert.equal(code, 0, stderr);
      assert.equal(existsSync(databasePath), true);
      assert.equal((await run(['backup', join(dirname(databasePath), 'copy')])).code, 0);
    });
  }
});
