import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startPostgres } from './postgres.ts';

/** Runs the tests that the arguments name with PostgreSQL as the database of every server that they start. */
const server = await startPostgres();
try {
  const child = spawn(process.execPath, ['--test', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, BOURSE_TEST_POSTGRES: server.url },
  });
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
} finally {
  await server.remove();
}
