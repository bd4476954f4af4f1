import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { lostCitationsIn, outsideCitationsIn } from './tidy/cited-pages.ts';
import { deadFiles } from './tidy/dead-files.ts';
import { emptyComments } from './tidy/empty-comments.ts';
import { emptyNames } from './tidy/file-names.ts';
import { type Finding, inLines } from './tidy/finding.ts';
import { forbiddenPackages, type PackageBan } from './tidy/forbidden-packages.ts';
import { hiddenFiles } from './tidy/hidden-files.ts';
import { importCycles } from './tidy/import-cycles.ts';
import { strayImports } from './tidy/import-directions.ts';
import { readImportTables } from './tidy/import-tables.ts';
import { type Bounds, longFiles, longFunctions } from './tidy/lengths.ts';
import { namesThatIndex, readProgram } from './tidy/names-that-index.ts';
import { readSources, type Source } from './tidy/source.ts';
import { uncheckedCasts } from './tidy/unchecked-casts.ts';

const bans: readonly PackageBan[] = [
  {
    rooms: ['fields', 'entities', 'reference', 'answers'],
    packages: ['node:'],
    because: 'the console runs in a browser',
  },
  { rooms: ['exchange'], packages: ['kysely', 'pg', 'node:sqlite'], because: 'delivery asks no database' },
  {
    rooms: ['simulation'],
    packages: ['kysely', 'pg', 'node:sqlite', 'fastify'],
    because: 'a simulation meets the exchange by HTTP alone',
  },
];

const bounds: Bounds = { fileStatementsMax: 320, functionStatementsMax: 72 };
const emptyWords = /^(.*-)?(utils?|helpers?|common|misc)$|^types?$/;
/** The console's own files, but those that build it. */
const inBrowser = /^console\/(?!build\/|dist\/|vite)/;
const entries = ['src/cli/main.ts'];

const root = dirname(import.meta.dirname);
const mayImport = readImportTables(root);
const rooms = ['assets', 'bench', 'bin', 'deploy', 'docs', 'scripts', 'sdk', 'src', 'test'];
const isTest = ({ path }: Source) => path.endsWith('.test.ts');
const house = readSources(root, ['src', 'console']).filter((source) => !isTest(source));
const shipped = [...house, ...readSources(root, ['bin', 'sdk', 'bench'])];
const tests = readSources(root, ['test', 'console']).filter(
  ({ path }) => path.startsWith('test/') || path.endsWith('.test.ts'),
);

const rules: readonly [string, () => Finding[]][] = [
  ['rooms and their parts import only what ARCHITECTURE.md lets them', () => strayImports(house, mayImport)],
  ['rooms leave alone the packages that are not for them', () => forbiddenPackages(house, bans)],
  ['no imports run in a circle', () => importCycles(house)],
  ['files stay short', () => longFiles([...shipped, ...tests], bounds)],
  ['functions stay short', () => longFunctions([...shipped, ...tests], bounds)],
  ['names say what is in a file', () => emptyNames([...shipped, ...tests], emptyWords)],
  ['doc comments say more than the name', () => emptyComments([...shipped, ...tests])],
  [
    'pages and points that comments cite exist',
    () => lostCitationsIn(root, ['src', 'test', 'bench', 'console', 'scripts']),
  ],
  ['comments cite what readers have', () => outsideCitationsIn(root, ['src'])],
  [
    'no name from outside indexes a plain object',
    () => namesThatIndex(readProgram(root, 'src'), root, 'src'),
  ],
  [
    'the console casts no answer',
    () =>
      uncheckedCasts(readProgram(root, '.', 'console/tsconfig.json'), root, (path) => inBrowser.test(path)),
  ],
  ['every file in src is used', () => deadFiles(shipped, entries)],
  ['commits hold every file', () => hiddenFiles(root, rooms)],
];

for (const [name, check] of rules) {
  test(name, () => {
    const findings = check();
    assert.equal(findings.length, 0, `\n${inLines(findings)}\n`);
  });
}
