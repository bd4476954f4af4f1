import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Ending, runToEnd, type SpawnedServer, spawnServer } from '../spawned-server.ts';

const root = dirname(dirname(import.meta.dirname));
const page = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');

/** Every block that anyone can run, in order. */
const script = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block).join('\n');

let folder: string;
let server: SpawnedServer;
let walked: Ending;
let metrics: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-operations-'));
  symlinkSync(join(root, 'bin', 'bourse.js'), join(folder, 'bourse'));
  const env = { ...process.env, BOURSE_PORT: '0', BOURSE_DATABASE_URL: 'sqlite:./data/bourse.db' };
  server = await spawnServer(process.execPath, [join(root, 'bin/bourse.js'), 'serve'], { cwd: folder, env });
  const path = [folder, dirname(process.execPath), process.env.PATH].join(delimiter);
  walked = await runToEnd('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, PATH: path, BOURSE_DATABASE_URL: 'sqlite:./data/bourse.db', BOURSE: server.url },
  });
  metrics = await (await fetch(`${server.url}/metrics`)).text();
});

after(async () => {
  server.process.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
});

describe('docs/operations.md', () => {
  test('every command for anyone does what the page says', () => {
    assert.equal(walked.code, 0, walked.output);
    for (const said of [/--threads/, /Backed up to /, /Restored from /, /The database has the schema/]) {
      assert.match(walked.output, said);
    }
  });

  test('names every metric that the server has, and no other', () => {
    const real = [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    const told = [...page.matchAll(/^\| (`(?:bourse|process)_.*?) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`(\w+)/g)].map(([, name]) => name),
    );
    assert.deepEqual(told.toSorted(), real.toSorted());
  });

  test('names only files and commands that there are', () => {
    const files = [...page.matchAll(/\bdeploy\/[\w./-]+\w/g)].map(([file]) => file);
    assert.ok(files.length > 4);
    for (const file of files) assert.ok(readFileSync(join(root, file)).length > 0, file);
  });
});
