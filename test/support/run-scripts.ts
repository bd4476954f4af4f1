import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs the npm scripts that the arguments name, one after the other, each whatever became of those before; fails if one
 * fails.
 */
for (const script of process.argv.slice(2)) {
  const npm = spawn('npm', ['run', script], { stdio: 'inherit', shell: process.platform === 'win32' });
  const [code, signal] = await once(npm, 'exit');
  if (code !== 0) process.exitCode = 1;
  // Ctrl-C is meant for all of them.
  if (signal !== null) break;
}
