import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createLineWriter } from '../../src/cli/line-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-log-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** What a file holds after `work` on lines to it. */
async function fileAfter(
  name: string,
  work: (lines: ReturnType<typeof createLineWriter>) => unknown,
): Promise<string> {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  await work(createLineWriter(file));
  closeSync(file);
  return readFileSync(path, 'utf8');
}

const numbered = Array.from({ length: 2000 }, (_, index) => `${index} häufig\n`);

test('lines are written whole and in order, long ones too', async () => {
  const lines = [...numbered, `${'x'.repeat(100_000)}\n`, 'last\n'];
  const text = await fileAfter('order', (file) => {
    for (const line of lines) file.write(line);
    return file.drained();
  });
  assert.equal(text, lines.join(''));
});

test('lines that wait when the process ends are written before', async () => {
  const text = await fileAfter('end', async (file) => {
    for (const line of numbered) file.write(line);
    file.flush();
    await file.drained();
  });
  // The first one was under way already, and is in its own time.
  assert.deepEqual(text.split('\n').toSorted(), numbered.join('').split('\n').toSorted());
});

test('no more waits than 16 MiB', async () => {
  const line = `${'y'.repeat(2 ** 20 - 1)}\n`;
  const text = await fileAfter('bound', (file) => {
    for (let count = 0; count < 30; count += 1) file.write(line);
    return file.drained();
  });
  // One is under way beside those that wait.
  assert.equal(text.length, 17 * 2 ** 20);
});

test('lines that cannot be written are lost, and nobody waits for them or fails', async () => {
  const lines = createLineWriter(openSync(folder, 'r'));
  lines.write('lost\n');
  await lines.drained();
  lines.write('lost\n');
  lines.write('lost\n');
  lines.flush();
  await lines.drained();
});
