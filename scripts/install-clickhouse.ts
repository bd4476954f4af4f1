import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { chdbFolder, chdbVersion, isAbsent } from '../test/clickhouse/engine-folder.ts';

/**
 * `npm run install:clickhouse`: fetches ClickHouse's engine for the tests, where it is absent: 170 MB from npm's
 * registry, 550 on disk. It comes into place by one renaming, so that half an installation is none.
 */
if (isAbsent) {
  const fresh = `${chdbFolder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    execFileSync('npm', ['install', '--prefix', fresh, `chdb@${chdbVersion}`, ...options], {
      stdio: 'inherit',
    });
    renameSync(fresh, chdbFolder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (isAbsent) throw error;
  }
}
console.log(`ClickHouse for tests is in ${chdbFolder}`);
