import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import { bourseProcess, stopped } from '../cli/bourse-process.ts';
import { tokenOf } from '../support/server.ts';

const password = 'correct horse battery';
const environment = { BOURSE_ADMIN_PASSWORD: password };

/** The program on a database of its own, and the folder for all the rest. */
function freshRoom() {
  const program = bourseProcess();
  const run = (...args: readonly string[]) => program.run(args, { environment });
  const succeed = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  return { program, folder: dirname(dirname(program.databasePath)), run, succeed };
}

/** Names of the tags that a database file holds. */
function tagsIn(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(`select doc ->> 'Name' as name from tag order by id`).all();
  database.close();
  return rows.map(({ name }) => String(name));
}

const adder = (url: string, token: string) => async (Name: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/tag/add`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ Tag: { Name } }),
  });
  assert.equal(answer.status, 200);
};

describe('bourse backup and bourse restore', () => {
  test('a backup made while a server writes holds one moment, and restores to it', async () => {
    const { program, folder, run, succeed } = freshRoom();
    const server = await program.serve(environment, ['--threads', '2']);
    const add = adder(server.url, await tokenOf(server.url, 'admin@localhost', password));
    for (const n of [1, 2, 3]) await add(`before ${n}`);
    let isDone = false;
    const writing = (async () => {
      for (let n = 0; !isDone; n += 1) await add(`meanwhile ${n}`);
    })();
    const file = join(folder, 'one.backup');
    const said = await succeed('backup', file).finally(() => {
      isDone = true;
    });
    await writing;
    assert.match(said, /^Backed up to .*: \d+ rows in \d+ tables, up to revision \d+\n$/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await add('after');
    const { code, stderr } = await run('restore', '--force', file);
    assert.deepEqual([code, /is in use; stop every server on it first/.test(stderr)], [1, true]);
    await stopped(server);

    await succeed('restore', '--force', file);
    const revision = Number(/revision (\d+)/.exec(said)?.[1]);
    const tags = tagsIn(program.databasePath);
    assert.deepEqual(tags.slice(0, 3), ['before 1', 'before 2', 'before 3']);
    assert.equal(tags.length, revision - 1, 'the first change added the administrator');
    assert.ok(!tags.includes('after'));
    const again = await program.serve(environment);
    await adder(again.url, await tokenOf(again.url, 'admin@localhost', password))('new');
    assert.match((await stopped(again)).output, /Bourse serves/);
    assert.deepEqual(readdirSync(dirname(program.databasePath)).sort(), ['bourse.db', 'outbox']);
  });

  test('restores where no database is, also beside what a lost one has left', async () => {
    const { program, folder, succeed } = freshRoom();
    await succeed('demo');
    const file = join(folder, 'demo.backup');
    await succeed('backup', file);
    const elsewhere = bourseProcess();
    mkdirSync(dirname(elsewhere.databasePath), { recursive: true });
    writeFileSync(`${elsewhere.databasePath}-wal`, 'of another database');
    const { code, stderr } = await elsewhere.run(['restore', file]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(tagsIn(elsewhere.databasePath), tagsIn(program.databasePath));
    assert.equal(readFileSync(file).equals(readFileSync(elsewhere.databasePath)), true);
  });
});

describe('what is refused, and leaves everything as it was', () => {
  /** With a database, a backup of it, and nothing else. */
  const room = freshRoom();
  const whole = join(room.folder, 'whole.backup');
  before(async () => {
    await room.succeed('demo');
    await room.succeed('backup', whole);
  });

  const wholeBackup = (file: string) => copyFileSync(whole, file);
  const otherDatabase = (file: string) => {
    const other = new DatabaseSync(file);
    other.exec('create table a (b)');
    other.close();
  };
  const halfBackup = (file: string) => {
    wholeBackup(file);
    truncateSync(file, Math.floor(statSync(file).size / 2));
  };
  const damagedBackup = (file: string) => {
    wholeBackup(file);
    const bytes = readFileSync(file);
    bytes.fill(0xff, 8192, 12_288);
    writeFileSync(file, bytes);
  };
  interface Case {
    readonly what: string;
    /** Makes the file that the command names, or does not. */
    readonly prepare: (file: string) => void;
    readonly command: readonly string[];
    readonly says: RegExp;
  }
  const force = ['restore', '--force'];
  const unsound = /is not an intact Bourse database/;
  const cases: readonly Case[] = [
    {
      what: 'a backup over a file',
      prepare: (file) => writeFileSync(file, 'mine'),
      command: ['backup'],
      says: /already exists; choose a new file/,
    },
    {
      what: 'a restore over a database',
      prepare: wholeBackup,
      command: ['restore'],
      says: /use --force to replace it with the backup/,
    },
    { what: 'a restore of nothing', prepare: () => undefined, command: force, says: /There is no file/ },
    {
      what: 'a restore of what is no database',
      prepare: (file) => writeFileSync(file, 'hello'),
      command: force,
      says: unsound,
    },
    { what: 'a restore of another database', prepare: otherDatabase, command: force, says: unsound },
    { what: 'a restore of half a backup', prepare: halfBackup, command: force, says: unsound },
    { what: 'a restore of a damaged backup', prepare: damagedBackup, command: force, says: unsound },
  ];
  for (const { what, prepare, command, says } of cases) {
    test(what, async () => {
      const { program, folder, run } = room;
      const file = join(folder, `${what}.backup`);
      prepare(file);
      const left = existsSync(file) ? readFileSync(file) : undefined;
      const tags = tagsIn(program.databasePath);
      const { code, stdout, stderr } = await run(...command, file);
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
      assert.match(stderr, says);
      assert.deepEqual(tagsIn(program.databasePath), tags);
      assert.deepEqual(existsSync(file) ? readFileSync(file) : undefined, left);
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.includes('partial')),
        [],
      );
    });
  }

  test('a folder, and any other file, in the place of a database are named', async () => {
    const { program, folder } = room;
    const file = join(folder, 'notes');
    writeFileSync(file, 'hello');
    const told = async (command: readonly string[], path: string) => {
      const environment = { BOURSE_DATABASE_URL: `sqlite:${path}` };
      return (await program.run(command, { environment })).stderr.startsWith(
        `${path} is not an intact Bourse database`,
      );
    };
    for (const path of [folder, file]) assert.ok(await told(['backup', join(folder, 'new')], path), path);
    assert.ok(await told(['restore', '--force', whole], folder));
    const { stderr } = await program.run(['restore', '--force', folder]);
    assert.match(stderr, unsound);
  });

  test('a backup of a database that another program keeps locked', async () => {
    const { program, folder, run, succeed } = freshRoom();
    await succeed('migrate');
    const other = new DatabaseSync(program.databasePath);
    other.exec('pragma locking_mode = exclusive; begin immediate');
    const { code, stderr } = await run('backup', join(folder, 'new'));
    other.close();
    assert.deepEqual(
      [code, stderr.trim()],
      [1, `${program.databasePath} cannot be read: database is locked`],
    );
  });

  for (const command of ['backup', 'restore']) {
    test(`${command} on PostgreSQL, which has better tools, whose URL it does not repeat`, async () => {
      const url = 'postgres://bourse:hush@127.0.0.1:1/bourse';
      const { code, stderr } = await bourseProcess().run([command, 'a'], {
        environment: { BOURSE_DATABASE_URL: url },
      });
      assert.equal(code, 1);
      assert.match(stderr, /^The database is on PostgreSQL: use pg_(dump|restore)/);
      assert.doesNotMatch(stderr, /hush/);
    });
  }
});
