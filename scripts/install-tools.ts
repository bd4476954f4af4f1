import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { debianTools, toolPath, toolsFolder } from '../test/support/debian-tools.ts';

/**
 * `npm run install:tools`: fetches the programs that check examples in `deploy/`, as far as the machine has none, from
 * Debian's packages: 19 MB for promtool, 10 for nginx and Caddy. Nothing is installed: the one file of each is taken out
 * of its package. Package lists are read from the machine's, or else into a folder of the script's own.
 */

const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });

/** Downloads a package into a folder, and answers its file. */
function download(name: string, folder: string): string {
  const own = ['lists/partial', 'cache/archives/partial'].map((part) => join(folder, part));
  for (const path of own) mkdirSync(path, { recursive: true });
  // As root, apt would download as a user who may not write here.
  const always = ['-q', '-o', 'APT::Sandbox::User=root'];
  const [lists, cache] = [
    `Dir::State::lists=${join(folder, 'lists')}`,
    `Dir::Cache=${join(folder, 'cache')}`,
  ];
  const apart = ['-o', lists, '-o', cache];
  try {
    run('apt-get', ['download', ...always, name], folder);
  } catch {
    run('apt-get', ['update', ...always, ...apart], folder);
    run('apt-get', ['download', ...always, ...apart, name], folder);
  }
  const file = readdirSync(folder).find((one) => one.endsWith('.deb'));
  if (file === undefined) throw new Error(`apt-get has downloaded no package ${name}`);
  return join(folder, file);
}

for (const [name, { from, file }] of Object.entries(debianTools)) {
  if (toolPath(name as keyof typeof debianTools) !== undefined) continue;
  mkdirSync(toolsFolder, { recursive: true });
  const folder = mkdtempSync(join(toolsFolder, 'fetch-'));
  try {
    run('dpkg-deb', ['-x', download(from, folder), join(folder, 'unpacked')], folder);
    mkdirSync(dirname(join(toolsFolder, file)), { recursive: true });
    // It comes into place by one renaming, so that half a file is none.
    renameSync(join(folder, 'unpacked', file), join(toolsFolder, file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(
  Object.keys(debianTools)
    .map((name) => `${name} for tests is ${toolPath(name as keyof typeof debianTools)}`)
    .join('\n'),
);
