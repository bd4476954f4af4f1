import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { openConfiguredStore } from '../../src/store/configured-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'bourse-folder-'));
after(() => rmSync(folder, { recursive: true, force: true }));

suite('the folder of the database', () => {
  test('is made, with those above it', async () => {
    const path = join(folder, 'a', 'b', 'bourse.db');
    await (await openConfiguredStore(`sqlite:${path}`)).close();
    assert.ok(existsSync(path));
  });

  const file = join(folder, 'file');
  writeFileSync(file, '');
  const impossible: readonly (readonly [where: string, path: string, says: string])[] = [
    ['below /proc', '/proc/nowhere/at/all/bourse.db', 'the folder /proc/nowhere cannot be created: '],
    [
      'below a file',
      join(file, 'sub', 'bourse.db'),
      `the folder ${join(file, 'sub')} cannot be created: ENOTDIR`,
    ],
    [
      'that is a file',
      join(file, 'bourse.db'),
      `the file ${join(file, 'bourse.db')} cannot be created: ENOTDIR`,
    ],
  ];
  const skip = process.platform !== 'linux' && 'paths of Linux';
  for (const [where, path, says] of impossible) {
    test(`${where}: the reason is told`, { skip }, async () => {
      const message = `BOURSE_DATABASE_URL: the database cannot be opened: ${says}`;
      await assert.rejects(openConfiguredStore(`sqlite:${path}`), (error: Error) =>
        error.message.startsWith(message),
      );
    });
  }
});
