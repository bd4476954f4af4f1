import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { licences } from './support/licences.ts';

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const manifest: { allowScripts: Record<string, boolean> } = read('package.json');
const lockfile: { packages: Record<string, LockedPackage> } = read('package-lock.json');
const locked = Object.entries(lockfile.packages).filter(([path]) => path !== '');

/** Tools of development under other free licences; nothing of them is shipped. */
const developmentOnly: Readonly<Record<string, string>> = {
  'node_modules/argparse': 'Python-2.0',
  // MIT, in the form of old packages, which lockfiles leave out.
  'node_modules/dom-walk': 'none',
  'node_modules/pako': '(MIT AND Zlib)',
};

/** What development tools may have beside those, as long as nothing of them is built into what ships. */
const toolsLicence = 'MPL-2.0';

test('the lockfile names no download host: packages come from whichever registry is set', () => {
  const named = locked.filter(([, { resolved = '' }]) => resolved.startsWith('http')).map(([path]) => path);
  assert.deepEqual(named, []);
});

test('every locked package is held to its content', () => {
  assert.deepEqual(
    locked.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path),
    [],
  );
});

test('package.json decides on every install script', () => {
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  const decided = Object.keys(manifest.allowScripts).map((name) => `node_modules/${name}`);
  assert.deepEqual(scripted, decided);
});

test('dependencies have a licence that we may ship', () => {
  const isAllowed = (licence: string) =>
    licence
      .replace(/[()]/g, '')
      .split(' OR ')
      .some((choice) => licences.includes(choice));
  const others = locked
    .filter(([path, { license = 'none' }]) => !isAllowed(license) && developmentOnly[path] !== license)
    .filter(([, { license, dev = false }]) => !(dev && license === toolsLicence))
    .map(([path, { license }]) => `${path}: ${license}`);
  assert.deepEqual(others, []);
});
