import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs the npm scripts that the arguments name, one after the other, each whatever became of those before; fails if one
 * fails, and tells at its end which tests did: they stand thousands of lines above.
 */
const folder = mkdtempSync(join(tmpdir(), 'bourse-failures-'));
const failures = join(folder, 'failures');
writeFileSync(failures, '');
for (const script of process.argv.slice(2)) {
  const env = { ...process.env, BOURSE_TEST_FAILURES: failures };
  const npm = spawn('npm', ['run', script], { stdio: 'inherit', env, shell: process.platform === 'win32' });
  const [code, signal] = await once(npm, 'exit');
  if (code !== 0) process.exitCode = 1;
  // Ctrl-C is meant for all of them.
  if (signal !== null) break;
}
const text = readFileSync(failures, 'utf8');
if (text !== '') console.error(`\nFailed:\n${text}`);
rmSync(folder, { recursive: true });
