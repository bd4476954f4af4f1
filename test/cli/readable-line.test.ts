import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { readableLine } from '../../src/cli/readable-line.ts';

const time = new Date(2026, 2, 4, 14, 3, 7).getTime();
const lines: readonly (readonly [record: object, line: string])[] = [
  [{ level: 30, time, thread: 0, msg: 'thread serves' }, '14:03:07 INFO  thread serves  thread=0\n'],
  [{ level: 40, time, msg: 'BOURSE_BASE_URL is not set' }, '14:03:07 WARN  BOURSE_BASE_URL is not set\n'],
  [
    { level: 30, time, path: '/api/tag/add', status: 200, bare: 'a b', list: [1, 'x'], msg: 'request' },
    '14:03:07 INFO  request  path=/api/tag/add status=200 bare="a b" list=[1,"x"]\n',
  ],
  [
    {
      level: 50,
      time,
      err: { type: 'Error', message: 'no', stack: 'Error: no\n    at x' },
      msg: 'it failed',
    },
    '14:03:07 ERROR it failed\n    Error: no\n        at x\n',
  ],
  [{ level: 50, time, err: { code: 7 }, msg: 'it failed' }, '14:03:07 ERROR it failed\n    {"code":7}\n'],
  [{ level: 35, time }, '14:03:07 35    \n'],
  [
    { level: 30, time, path: '/\u001b]0;x\u0007', agent: 'a\u009b2J\u007f', msg: 'b\u001b[2J\nc' },
    '14:03:07 INFO  b\\x1b[2J\\nc  path=/\\x1b]0;x\\x07 agent=a\\x9b2J\\x7f\n',
  ],
];

describe('a record on a terminal is', () => {
  for (const [record, line] of lines) {
    test(JSON.stringify(line), () => assert.equal(readableLine(`${JSON.stringify(record)}\n`), line));
  }

  test('as it is, where it is no record', () =>
    assert.equal(readableLine('no \u001bJSON\n'), 'no \\x1bJSON\n'));
});

const skip = spawnSync('script', ['--version']).status !== 0 && 'there is no script(1) to make a terminal';
test('the server logs readable lines on a terminal', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-terminal-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  // Ctrl-C goes to all that run in the terminal: with no shell left beside the server, the end is the server's.
  const command = `exec ${process.execPath} ${join(import.meta.dirname, '../../bin/bourse.js')} serve --threads 2`;
  const env = { ...process.env, BOURSE_PORT: '0', BOURSE_DATABASE_URL: `sqlite:${join(folder, 'b.db')}` };
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  // Each tells of itself when it serves, in whatever order.
  const haveBoth = () => ['thread=0', 'thread=1'].every((thread) => output.includes(thread));
  terminal.stdout.setEncoding('utf8').on('data', (text) => {
    const hadBoth = haveBoth();
    output += text;
    // Ctrl-C, as the terminal sends it.
    if (!hadBoth && haveBoth()) terminal.stdin.write('\u0003');
  });
  const [code] = await once(terminal, 'close');
  assert.equal(code, 0, output);
  assert.match(output, /^\d\d:\d\d:\d\d INFO {2}thread serves {2}thread=0 url=http:\S+\r$/m);
  assert.match(output, /^(\^C)?\d\d:\d\d:\d\d INFO {2}stopping {2}signal=SIGINT\r$/m);
  assert.doesNotMatch(output, /\{"level"/);
});
