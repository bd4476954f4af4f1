import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export type ConsoleState =
  | { readonly kind: 'ready'; readonly folder: string }
  | { readonly kind: 'building' }
  | { readonly kind: 'failed'; readonly reason: string };

/** The sources', or the installed package's. */
export const projectFolder = resolve(import.meta.dirname, '../..');

const sources = [
  'console/**/*.{ts,tsx,css,html,svg}',
  'src/{fields,entities,reference}/**/*.ts',
  'src/management/config/config-text.ts',
  'src/statistics/asking/**/*.ts',
  'docs/guide/{*.md,pictures/*.png}',
  'package-lock.json',
];

/** Undefined without sources, as in the package. */
export function sourcesHash(root: string): string | undefined {
  if (!existsSync(join(root, 'console', 'index.html'))) return undefined;
  const hash = createHash('sha256');
  const paths = globSync(sources, { cwd: root, exclude: ['console/dist/**', 'console/**/*.test.ts'] }).sort();
  for (const path of paths)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** One folder per sources hash, next to the reason if one cannot be built. */
export const builtFolder = (root: string): string => join(root, 'console', 'dist');
const reasonFile = (root: string, hash: string) => join(builtFolder(root), `${hash}.failed`);

/** For everybody who serves these sources. */
export function noteFailure(root: string, hash: string, reason: string): void {
  mkdirSync(builtFolder(root), { recursive: true });
  writeFileSync(reasonFile(root, hash), reason);
}

const reasonCharactersMax = 4000;
const outputCharactersMax = 100_000;

/** In a process of its own, which swaps it in whole; records a failure. */
async function build(root: string, hash: string): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'console', 'build', 'build.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-outputCharactersMax);
    });
  }
  child.unref();
  try {
    await once(child, 'close');
  } catch (error) {
    output += String(error);
  }
  const isTold = existsSync(join(builtFolder(root), hash)) || existsSync(reasonFile(root, hash));
  if (!isTold) noteFailure(root, hash, output.slice(-reasonCharactersMax));
}

export interface BuiltConsole {
  readonly state: () => ConsoleState;
  /** Builds it if its sources have changed; never rejects. */
  readonly prepare: () => Promise<void>;
}

/** Built before it was packed. */
function packedConsole(root: string): BuiltConsole {
  const built = builtFolder(root);
  const [name] = existsSync(built) ? readdirSync(built).filter((entry) => /^[0-9a-f]{16}$/.test(entry)) : [];
  const state: ConsoleState =
    name === undefined
      ? { kind: 'failed', reason: 'It is missing from the package of the program.' }
      : { kind: 'ready', folder: join(built, name) };
  return { state: () => state, prepare: async () => undefined };
}

/** Only the console built from the current sources. */
export function openConsole(root: string = projectFolder): BuiltConsole {
  const hash = sourcesHash(root);
  if (hash === undefined) return packedConsole(root);
  const folder = join(builtFolder(root), hash);
  return {
    state() {
      if (existsSync(folder)) return { kind: 'ready', folder };
      const failed = reasonFile(root, hash);
      return existsSync(failed)
        ? { kind: 'failed', reason: readFileSync(failed, 'utf8') }
        : { kind: 'building' };
    },
    async prepare() {
      if (existsSync(folder)) return;
      rmSync(reasonFile(root, hash), { force: true });
      await build(root, hash);
    },
  };
}
