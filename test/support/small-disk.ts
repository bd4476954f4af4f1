import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A file system of its own, of 8 MiB, which goes with the tests; undefined where this user may mount none. */
export function smallDisk(): string | undefined {
  const path = mkdtempSync(join(tmpdir(), 'bourse-small-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', path]);
  after(() => {
    if (status === 0) spawnSync('umount', [path]);
    rmSync(path, { recursive: true, force: true });
  });
  return status === 0 ? path : undefined;
}
