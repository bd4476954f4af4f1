import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createIdentity } from '../../src/identity/identity.ts';
import { openConfiguredStore } from '../../src/store/configured-store.ts';
import { openSqlite } from '../../src/store/dialects/sqlite.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { storeOn } from '../../src/store/open-store.ts';
import { backUpSqlite, restoreSqlite } from '../../src/store/sqlite-backup.ts';
import { startManaged } from '../operating/managed.ts';
import { tokenOf } from '../support/server.ts';
import { smallDisk } from '../support/small-disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-disk-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('only the owner may read', { skip: process.platform === 'win32' && 'modes of POSIX' }, () => {
  const path = join(folder, 'made', 'deeply', 'bourse.db');

  test('the database, the files beside it and the folders made for it', async () => {
    const before = process.umask(0);
    try {
      const store = await openConfiguredStore(`sqlite:${path}`);
      const modes = readdirSync(join(path, '..')).map((name) => [name, modeOf(join(path, '..', name))]);
      assert.deepEqual(modes, [
        ['bourse.db', '600'],
        ['bourse.db-shm', '600'],
        ['bourse.db-wal', '600'],
      ]);
      for (const up of ['..', '../..']) assert.equal(modeOf(join(path, up)), '700');
      await store.close();
    } finally {
      process.umask(before);
    }
  });

  test('a backup, and what it is restored to', async () => {
    const before = process.umask(0);
    try {
      const backup = join(folder, 'monday.backup');
      await backUpSqlite(path, backup);
      assert.equal(modeOf(backup), '600');
      const target = join(folder, 'restored', 'bourse.db');
      restoreSqlite(backup, target, { replace: false });
      assert.deepEqual([modeOf(target), modeOf(join(target, '..'))], ['600', '700']);
    } finally {
      process.umask(before);
    }
  });

  test('what was there keeps its mode', async () => {
    const shared = join(folder, 'shared');
    mkdirSync(shared);
    const own = join(shared, 'bourse.db');
    writeFileSync(own, '', { mode: 0o640 });
    const modes = [modeOf(shared), modeOf(own)];
    await (await openConfiguredStore(`sqlite:${own}`)).close();
    assert.deepEqual([modeOf(shared), modeOf(own)], modes);
  });
});

const administrator = { mail: 'ada@example.com', password: 'correct horse battery' };
const attempt = { username: administrator.mail, password: administrator.password, address: '203.0.113.7' };

test('a write that the engine has no room for is refused for now, the next ones are as they would be, and it is told for ten seconds', async (t) => {
  let nowMs = 0;
  const database = await openSqlite(join(folder, 'small.db'), { now: () => nowMs });
  await migrate(database, () => 0);
  const store = storeOn(database, { now: Date.now });
  t.after(store.close);
  const identity = createIdentity({ store, now: Date.now });
  await identity.ensureAdministrator(administrator);
  assert.equal(store.trouble(), undefined);
  const pragma = (text: string) => database.onWriter((writer) => sql.raw(`pragma ${text}`).execute(writer));
  await pragma('max_page_count = 1');
  const full = { code: 'unavailable', message: 'The disk of the database is full; try again later' };
  const add = () => identity.addTeam({ name: 'x'.repeat(1000) });
  const many = await Promise.allSettled(Array.from({ length: 40 }, add));
  const reasons = many.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  assert.ok(reasons.length > 0);
  for (const { code, message } of reasons) assert.deepEqual({ code, message }, full);
  assert.equal(store.trouble(), 'The disk of the database is full');
  await assert.rejects(identity.login({ ...attempt, password: 'a wrong one' }), { code: 'unauthorized' });
  nowMs = 9999;
  assert.equal(store.trouble(), 'The disk of the database is full');
  nowMs = 10_000;
  assert.equal(store.trouble(), undefined);
  await pragma('max_page_count = 100000');
  await add();
  await identity.login(attempt);
});

const disk = smallDisk();
const skip = disk === undefined && 'only root may mount a small disk';

const lines = Array.from({ length: 90_000 }, (_, index) => `word ${index}`).join('\n');

/** Fills what is left of the disk, to the last byte; the function that is returned makes room again. */
function fill(path: string): () => void {
  const file = join(path, 'filler');
  spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=4k']);
  return () => rmSync(file);
}

describe('a disk', { skip }, () => {
  test('that is full is told at /readyz, refuses writes and logins for now, and serves reads; with room all is well', async (t) => {
    const server = await startManaged({ databaseUrl: `sqlite:${join(disk ?? '', 'full', 'bourse.db')}` });
    t.after(server.close);
    const headers = { authorization: `Bearer ${await server.tokenFor()}` };
    const call = async (path: string, body?: object) => {
      const more = body && { method: 'POST', body: JSON.stringify(body) };
      const answer = await fetch(server.url + path, { headers, ...more });
      return { status: answer.status, body: await answer.text() };
    };
    assert.equal((await call('/readyz')).status, 200);
    const makeRoom = fill(disk ?? '');
    assert.partialDeepStrictEqual(await call('/readyz'), {
      status: 503,
      body: '{"Status":"Error","Error":"The disk of the database is full"}',
    });
    const add = () => call('/api/keywordlist/add', { KeywordList: { Name: 'a', ListText: lines } });
    for (const { status, body } of [await add(), await add()]) {
      assert.equal(status, 503);
      assert.match(body, /The disk of the database is full; try again later/);
    }
    const login = (Password: string) => call('/api/auth/login', { Username: administrator.mail, Password });
    assert.equal((await login('a wrong one')).status, 401);
    // The log of SQLite may have room for some; with each it grows.
    let status = 200;
    for (let time = 0; status === 200 && time < 500; time += 1)
      status = (await login(administrator.password)).status;
    assert.equal(status, 503);
    assert.equal((await call('/api/keywordlist/get')).status, 200);
    makeRoom();
    assert.equal((await add()).status, 200);
    await tokenOf(server.url, administrator.mail, administrator.password);
  });

  test('that is read-only is called that', async () => {
    const path = join(disk ?? '', 'read-only', 'bourse.db');
    await (await openConfiguredStore(`sqlite:${path}`)).close();
    const again = (mode: string) => spawnSync('mount', ['-o', `remount,${mode}`, disk ?? '']).status;
    assert.equal(again('ro'), 0);
    try {
      const says = 'BOURSE_DATABASE_URL: the database cannot be opened: ';
      const elsewhere = join(disk ?? '', 'elsewhere');
      await assert.rejects(openConfiguredStore(`sqlite:${path}`), {
        message: `${says}the disk of ${path} is read-only`,
      });
      await assert.rejects(openConfiguredStore(`sqlite:${path}.new`), {
        message: `${says}the disk of ${path}.new is read-only`,
      });
      await assert.rejects(openConfiguredStore(`sqlite:${elsewhere}/bourse.db`), {
        message: `${says}the folder ${elsewhere} cannot be created: its disk is read-only`,
      });
    } finally {
      again('rw');
    }
  });
});
