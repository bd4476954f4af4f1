import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { endBrowser, keepBrowser } from './shared-browser.ts';

/**
 * Runs the files of the queue that `run-tests.ts` has made, each as one test with all of its own within it, one after
 * the other: what they import is loaded once. Several processes take from one queue.
 */
const queue = process.env.BOURSE_TEST_QUEUE ?? '';
const files = JSON.parse(readFileSync(join(queue, 'files.json'), 'utf8')) as string[];

/** Whether no other process has taken the file at that place of the queue; from now on it is ours. */
function take(index: number): boolean {
  try {
    writeFileSync(join(queue, `${index}.taken`), '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

// A test may wait for what does not keep a process alive by itself, such as a timer of a part of the server.
const awake = setInterval(() => undefined, 60_000);
keepBrowser();
for (const [index, file] of files.entries()) {
  if (!take(index)) continue;
  await test(relative(process.cwd(), file), async () => void (await import(file)));
  writeFileSync(join(queue, `${index}.done`), '');
}
await endBrowser();
clearInterval(awake);
// A test that failed may have left a server open, which would keep the process for ever.
setTimeout(() => process.exit(), 5000).unref();
