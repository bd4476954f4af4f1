import { once } from 'node:events';
import { appendFileSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { run } from 'node:test';
import { dot, spec } from 'node:test/reporters';
import { inspect, parseArgs } from 'node:util';
import { sharedPostgres } from './postgres.ts';
import { areAllDrawn, seed } from './seed.ts';
import { isOfRun, type Run, slowKinds } from './slow-kinds.ts';

/**
 * Runs the test files that patterns name: first those that share processes (`shared-run.ts`), then those that do not.
 * `--only short` leaves out what `npm test` leaves to `npm run test:long`, which runs `--only long`: the long files, and
 * those that draw cases once more, with all of them. With `--on-postgres`, PostgreSQL is the database of every server
 * that they start.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'on-postgres': { type: 'boolean', default: false },
    only: { type: 'string' },
    dots: { type: 'boolean' },
    timeout: { type: 'string' },
  },
});
const timeoutMs = Number(values.timeout ?? 600_000);
const linesOfReason = 30;
const root = resolve(import.meta.dirname, '../..');
const nameOf = (path: string) => relative(root, resolve(path)).replaceAll(sep, '/');

const wanted: Run = { isOnPostgres: values['on-postgres'], only: values.only };
/** The tests of the API, which have a second half on PostgreSQL. */
const ofApi = ['test/management/**/*.test.ts', 'test/openapi/answers.test.ts', 'test/sdk/**/*.test.ts'];
const patterns = positionals.length === 0 && wanted.isOnPostgres ? ofApi : positionals;
const all = globSync(patterns).map(nameOf).sort();
const names = all.filter((name) => isOfRun(name, wanted));
const inOrder = slowKinds.flatMap(({ files }) => files).filter((name) => names.includes(name));
const alone = new Set(slowKinds.flatMap(({ isAlone, files }) => (isAlone ? files : [])));
const slow = inOrder.filter((name) => alone.has(name));
const shared = [...new Set([...inOrder, ...names])]
  .filter((name) => !alone.has(name))
  .map((name) => resolve(root, name));
// A test waits for others now and then: one process more than there are cores keeps them busy.
const processes = Math.max(2, availableParallelism()) + 1;
const workers = Math.min(processes, shared.length);

/** Appends a failure to the file that `run-scripts.ts` shows at its end, when it runs this. */
function noteFailure(name: string, file: string | undefined, cause: unknown): void {
  const path = process.env.BOURSE_TEST_FAILURES;
  if (path === undefined) return;
  const reason = inspect(cause).split('\n').slice(0, linesOfReason).join('\n    ');
  const where = file === undefined ? 'no file' : nameOf(file);
  const draws = areAllDrawn || values.only === 'long' ? ' BOURSE_TEST_DRAWN=all' : '';
  const flags = wanted.isOnPostgres ? ' --on-postgres' : '';
  const again = `BOURSE_TEST_SEED=${seed}${draws} npx node test/support/run-tests.ts${flags} ${where}`;
  appendFileSync(path, `${name} (${where})\n    ${reason}\n    again: ${again}\n`);
}

const folder = mkdtempSync(join(tmpdir(), 'bourse-tests-'));
writeFileSync(join(folder, 'files.json'), JSON.stringify(shared));
const postgres = await sharedPostgres();
console.log(`Seed ${seed}; BOURSE_TEST_SEED=${seed} repeats the run`);
Object.assign(process.env, {
  BOURSE_TEST_QUEUE: folder,
  BOURSE_TEST_SEED: String(seed),
  BOURSE_TEST_SHARED_POSTGRES: postgres.url,
  ...(values.only === 'long' ? { BOURSE_TEST_DRAWN: 'all' } : {}),
  ...(values['on-postgres'] ? { BOURSE_TEST_POSTGRES: postgres.url } : {}),
  // What one process has compiled, the others load.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'bourse-compiled-tests'),
});
try {
  const stream = run({
    files: [
      ...Array.from({ length: workers }, () => join(import.meta.dirname, 'shared-run.ts')),
      ...slow.map((name) => resolve(root, name)),
    ],
    concurrency: processes,
    timeout: timeoutMs,
  });
  stream.on('test:fail', ({ name, file, details: { error } }) => {
    process.exitCode = 1;
    // Those around it fail for it.
    if (!('failureType' in error) || error.failureType !== 'subtestsFailed')
      noteFailure(name, file, error.cause);
  });
  const report = values.dots ? stream.compose(dot) : stream.compose(spec);
  report.pipe(process.stdout);
  await once(report, 'end');
  // A file that ends its process takes those behind it along, whatever its exit code.
  for (const [index, path] of shared.entries()) {
    if (existsSync(join(folder, `${index}.done`))) continue;
    console.error(`${nameOf(path)} did not come to its end`);
    noteFailure('does not come to its end', path, undefined);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
  await postgres.remove();
}
