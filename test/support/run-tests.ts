import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { startPostgres } from './postgres.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'on-postgres': { type: 'boolean' }, timeout: { type: 'string' } },
});
const files = globSync(positionals).sort();
const slow: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'bourse-tests-'));
writeFileSync(join(folder, 'files.json'), JSON.stringify(files.map((file) => resolve(file))));
process.env.BOURSE_TEST_QUEUE = folder;
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'bourse-compiled-tests');
const server = await startPostgres();
process.env.BOURSE_TEST_SHARED_POSTGRES = server.url;
if (values['on-postgres']) process.env.BOURSE_TEST_POSTGRES = server.url;
const concurrency = Math.max(2, availableParallelism());
const worker = join(import.meta.dirname, 'shared-run.ts');
const stream = run({
  files: [...Array.from({ length: concurrency }, () => worker), ...slow],
  concurrency,
  timeout: Number(values.timeout ?? 600_000),
});
stream.on('test:fail', () => {
  process.exitCode = 1;
});
const out = stream.compose(spec);
out.pipe(process.stdout);
await once(out, 'end');
rmSync(folder, { recursive: true });
await server.remove();
