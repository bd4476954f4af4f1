import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';

/** Runs the files of a queue one after the other in this process, each as one test; several processes share a queue. */
const folder = process.env.BOURSE_TEST_QUEUE ?? '';
const files = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as string[];

function isMine(index: number): boolean {
  try {
    closeSync(openSync(join(folder, String(index)), 'wx'));
    return true;
  } catch {
    return false;
  }
}

for (const [index, file] of files.entries()) {
  if (!isMine(index)) continue;
  const c = process.cpuUsage();
  const t = performance.now();
  await test(relative(process.cwd(), file), async () => void (await import(file)));
  const u = process.cpuUsage(c);
  (globalThis as any).gc?.();
  console.log(
    `CPU\t${((performance.now() - t) / 1000).toFixed(2)}\t${((u.user + u.system) / 1e6).toFixed(2)}\t${(process.memoryUsage.rss() / 1e6).toFixed(0)} ${(process.memoryUsage().heapUsed / 1e6).toFixed(0)} ${(process.memoryUsage().arrayBuffers / 1e6).toFixed(0)}\t${relative(process.cwd(), file)}`,
  );
}
