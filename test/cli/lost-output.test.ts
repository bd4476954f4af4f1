import assert from 'node:assert/strict';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { bourseProcess } from './bourse-process.ts';

const { run, start } = bourseProcess();
const hasFullDevice = existsSync('/dev/full');
const full = hasFullDevice ? openSync('/dev/full', 'w') : 'ignore';
const skip = !hasFullDevice && 'there is no /dev/full';

before(async () => assert.equal((await run(['team', 'add', '--name', 'Only'])).code, 0));
after(() => {
  if (typeof full === 'number') closeSync(full);
});

describe('a command whose output is not wanted any more', { concurrency: 2 }, () => {
  const commands: readonly (readonly string[])[] = [
    ['export', '--team', '1'],
    ['team', 'add', '--name', 'Second'],
  ];
  for (const args of commands) {
    test(`bourse ${args.join(' ')}`, async () => {
      const child = start(args, ['ignore', 'pipe', 'pipe']);
      child.stdout?.destroy();
      const [said, [code]] = await Promise.all([child.stderr && text(child.stderr), once(child, 'close')]);
      assert.deepEqual({ said, code }, { said: '', code: 1 });
    });
  }

  test('that finds no room says so, and fails', { skip }, async () => {
    const child = start(['export', '--team', '1'], ['ignore', full, 'pipe']);
    const [said, [code]] = await Promise.all([child.stderr && text(child.stderr), once(child, 'close')]);
    assert.match(String(said), /^The output is incomplete: ENOSPC.*\n$/);
    assert.equal(code, 1);
  });
});

/** The URL in the first line of a server's log, or of what it prints. */
async function urlIn(stream: NodeJS.ReadableStream | null | undefined): Promise<string> {
  let read = '';
  for await (const part of stream ?? []) {
    read += part;
    const [url] = /http:\/\/[\d.]+:\d+/.exec(read) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`it ended before it served: ${read}`);
}

describe('a server', { concurrency: 2 }, () => {
  test('serves on where nobody reads what it prints, in the log neither', async () => {
    const child = start(['serve', '--threads', '2'], ['ignore', 'pipe', 'pipe']);
    child.stdout?.destroy();
    const ended = once(child, 'close');
    // Reading ends, and so does the pipe, with the first line of the log.
    const url = await urlIn(child.stderr);
    for (let asked = 0; asked < 5; asked += 1) {
      assert.equal((await fetch(`${url}/api/nothing`, { method: 'POST' })).status, 404);
    }
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });

  test('serves on where its log finds no room', { skip }, async () => {
    const child = start(['serve', '--threads', '2'], ['ignore', 'pipe', full]);
    const ended = once(child, 'close');
    const url = await urlIn(child.stdout);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });
});
