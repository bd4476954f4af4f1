import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './postgres.ts';

/** Runs the tests that the arguments name; with `--on-postgres` first, PostgreSQL is the database of every server that they start. */
const [first = '', ...rest] = process.argv.slice(2);
const isOnPostgres = first === '--on-postgres';
const server = isOnPostgres ? await startPostgres() : undefined;
try {
  const child = spawn(process.execPath, ['--test', ...(isOnPostgres ? rest : [first, ...rest])], {
    stdio: 'inherit',
    env: {
      // Each test file is a process: what one has compiled, the others load.
      NODE_COMPILE_CACHE: join(tmpdir(), 'bourse-compiled-tests'),
      ...process.env,
      ...(server === undefined ? {} : { BOURSE_TEST_POSTGRES: server.url }),
    },
  });
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
} finally {
  await server?.remove();
}
