import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createQueryWorker } from '../../src/store/dialects/sqlite-query-worker.ts';

const niceAt = 16;

/** How far each thread of this process gives way to others, by name. */
function nices(): ReadonlyMap<string, number> {
  const rows = readdirSync('/proc/self/task').map((id): [string, number] => {
    const text = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
    const end = text.lastIndexOf(')');
    return [text.slice(text.indexOf('(') + 1, end), Number(text.slice(end + 2).split(' ')[niceAt])];
  });
  return new Map(rows);
}

test('reports give way to auctions', { skip: process.platform !== 'linux' }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-reports-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bourse.db');
  new DatabaseSync(path).exec('create table one (value integer)');
  const aside = createQueryWorker(path);
  assert.deepEqual(await Array.fromAsync(aside.ask('select 1', [])), [[[1]]]);
  const found = nices();
  assert.equal(found.get('bourse-reports'), 10);
  assert.equal(found.get('node-MainThread'), 0);
  await aside.close();
});
