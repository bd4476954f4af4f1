import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type DebianTool,
  debianTools,
  librariesFolder,
  toolPath,
  toolsFolder,
} from '../test/support/debian-tools.ts';

/**
 * `npm run install:tools`: fetches programs that tests run, as far as the machine has none, from Debian's packages: 19 MB
 * for promtool, 10 for nginx and Caddy, 2 for a Redis server. Nothing is installed: the one file of each is taken out of
 * its package, and the libraries out of theirs. Package lists are read from the machine's, or else into a folder of the
 * script's own.
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

/** Puts a file into its place by one renaming, so that half a file is none. */
function place(file: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(file, to);
}

/** Takes the files that match out of a package. */
function take(name: string, pattern: RegExp, target: (path: string) => string): void {
  mkdirSync(toolsFolder, { recursive: true });
  const folder = mkdtempSync(join(toolsFolder, 'fetch-'));
  const within = join(folder, 'unpacked');
  try {
    run('dpkg-deb', ['-x', download(name, folder), within], folder);
    const files = readdirSync(within, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((path) => pattern.test(path))) {
      // A library's name is a link to its file.
      copyFileSync(join(within, file), join(folder, 'copy'));
      place(join(folder, 'copy'), target(file));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const names = Object.keys(debianTools) as DebianTool[];
for (const name of names) {
  if (toolPath(name) !== undefined) continue;
  const { from, file, packed = file, libraries = [] } = debianTools[name];
  for (const library of libraries) {
    take(library, /\.so\.\d+$/, (path) => join(librariesFolder, basename(path)));
  }
  take(from, new RegExp(`^${packed}$`), () => join(toolsFolder, file));
}
console.log(names.map((name) => `${name} for tests is ${toolPath(name)}`).join('\n'));
