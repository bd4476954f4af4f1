import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import {
  builtFolder,
  noteFailure,
  projectFolder,
  sourcesHash,
} from '../../src/console-pages/built-console.ts';

/**
 * Builds the console into the folder that its sources name, whole or not at all, and removes the oldest of other sources.
 * With `--alone` all of other sources go, as for a package. Ends well also where it can't be built, as the rest of the program needs no console: `/` says why then.
 */
const root = projectFolder;
const hash = sourcesHash(root) ?? 'none';
const built = builtFolder(root);
const folder = join(built, hash);
/** Of other sources: a server that started before goes on with its own. */
const keptMax = process.argv.includes('--alone') ? 0 : 2;

/** Every file again with Brotli, so that no request pays for it. */
function compress(assets: string): void {
  for (const name of globSync('*.{js,css,svg}', { cwd: assets })) {
    const plain = readFileSync(join(assets, name));
    const packed = brotliCompressSync(plain);
    if (packed.length < plain.length) writeFileSync(join(assets, `${name}.br`), packed);
  }
}

async function buildWhole(): Promise<void> {
  mkdirSync(built, { recursive: true });
  const fresh = mkdtempSync(join(built, '.new-'));
  try {
    const outDir = join(fresh, 'out');
    await build({
      configFile: join(root, 'console', 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir },
    });
    renameSync(join(outDir, 'console', 'assets'), join(outDir, 'assets'));
    rmSync(join(outDir, 'console'), { recursive: true });
    compress(join(outDir, 'assets'));
    if (!existsSync(folder)) renameSync(outDir, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function removeOthers(): void {
  const made = (name: string) => statSync(join(built, name)).mtimeMs;
  const old = readdirSync(built).filter((name) => name !== hash && !name.startsWith('.new-'));
  for (const name of old.sort((one, other) => made(other) - made(one)).slice(keptMax)) {
    rmSync(join(built, name), { recursive: true, force: true });
  }
}

try {
  if (!existsSync(folder)) await buildWhole();
  removeOthers();
} catch (error) {
  noteFailure(root, hash, error instanceof Error ? (error.stack ?? error.message) : String(error));
  console.error('The console could not be built; the rest of Bourse works without it.', error);
}
