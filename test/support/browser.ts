import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

/** What the package unpacks itself into, and the libraries of a Linux that has less than Chromium wants. */
interface Unpacked {
  readonly executable: string;
  readonly libraries: string;
  readonly fonts: string;
}

const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));

/** Folder of the package whose module this is. */
function packageFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(join(folder, 'bin')) ? folder : packageFolder(folder);
}

const inFolder = (folder: string): Unpacked => ({
  executable: join(folder, 'chromium'),
  libraries: join(folder, 'al2023', 'lib'),
  fonts: join(folder, 'fonts'),
});

/**
 * Unpacks Chromium once for all tests of this checkout. The package does so into the folder for temporary files, and
 * brings its libraries only where its environment looks like the one that it was made for; so it runs in one of ours.
 */
async function unpacked(): Promise<Unpacked> {
  const folder = packageFolder(entry);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const cache = join(folder, '..', '..', '.cache');
  const home = join(cache, `chromium-${version}`);
  if (existsSync(home)) return inFolder(home);
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, 'chromium-'));
  const script = `import(${JSON.stringify(entry)}).then((module) => module.default.executablePath())`;
  const env = { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
  await promisify(execFile)(process.execPath, ['-e', script], { env });
  configureFonts(inFolder(home), fresh);
  try {
    renameSync(fresh, home);
  } catch (error) {
    // Another test was quicker.
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
  return inFolder(home);
}

/**
 * The package's own configuration of fonts names fixed folders, which are not ours, and without any font Chromium ends.
 * Written where it was unpacked to, before that goes to its place.
 */
function configureFonts({ fonts }: Unpacked, fresh: string): void {
  const elements = [`<dir>${fonts}</dir>`, `<cachedir>${join(fonts, 'cache')}</cachedir>`];
  const document = `<?xml version="1.0"?>\n<fontconfig>${elements.join('')}</fontconfig>\n`;
  writeFileSync(join(inFolder(fresh).fonts, 'fonts.conf'), document);
}

/** Starts a headless Chromium, which comes with the development dependencies; `close` ends it. */
export async function startBrowser(): Promise<Browser> {
  const { executable, libraries, fonts } = await unpacked();
  return chromium.launch({
    executablePath: executable,
    // Its sandbox needs what containers do not give, and root may not use it.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    env: { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: fonts } as Record<string, string>,
  });
}
