import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

interface Tool {
  /** Debian's package that has it. */
  readonly from: string;
  readonly file: string;
  /** Where it is in its package, if elsewhere. */
  readonly packed?: string;
  /** Packages of libraries that it needs, and that not every machine has. */
  readonly libraries?: readonly string[];
}

/** A program that tests may need: those that check examples in `deploy/`, and a server for what several machines share. */
export type DebianTool = 'promtool' | 'nginx' | 'caddy' | 'redis-server';

export const debianTools: Readonly<Record<DebianTool, Tool>> = {
  promtool: { from: 'prometheus', file: 'usr/bin/promtool' },
  nginx: { from: 'nginx', file: 'usr/sbin/nginx' },
  caddy: { from: 'caddy', file: 'usr/bin/caddy' },
  'redis-server': {
    // One file with two names: in its own package the server is only a link to this one.
    from: 'redis-tools',
    packed: 'usr/bin/redis-check-rdb',
    file: 'usr/bin/redis-server',
    libraries: ['libatomic1', 'libjemalloc2', 'liblzf1'],
  },
};

/** Where `scripts/install-tools.ts` puts those that the machine lacks, once for all checkouts. */
export const toolsFolder: string = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'bourse-tools',
);

/** Where it puts libraries of fetched programs. */
export const librariesFolder: string = join(toolsFolder, 'usr/lib');

/** The path of a program: the machine's own, or the fetched one; undefined where there is neither. */
export function toolPath(name: DebianTool): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = [...folders, '/usr/sbin'].map((folder) => join(folder, name));
  return [...places, join(toolsFolder, debianTools[name].file)].find((path) => existsSync(path));
}

/** Why a test that needs a program is skipped; false where it is there, and in CI, where it must be. */
export function skipWithout(name: DebianTool): string | false {
  if (process.env.CI === 'true' || toolPath(name) !== undefined) return false;
  return `there is no ${name}: \`npm run install:tools\` fetches it`;
}

/** The path of a program that a test needs. Throws where it is missing. */
export function neededTool(name: DebianTool): string {
  const path = toolPath(name);
  if (path === undefined) throw new Error(`there is no ${name}: \`npm run install:tools\` fetches it`);
  return path;
}
