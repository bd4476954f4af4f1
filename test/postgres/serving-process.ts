import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runToEnd, type SpawnedServer, spawnServer } from '../spawned-server.ts';
import { tokenOf } from '../support/server.ts';

const program = fileURLToPath(new URL('../../bin/bourse.js', import.meta.url));
const administrator = { mail: 'ada@example.com', password: 'correct horse battery' };

/** `bourse serve` as a process of its own, on a database that may go away. */
export interface ServingProcess extends SpawnedServer {
  /** Access token of the administrator. */
  readonly token: string;
  /** Ends it by SIGTERM; answers its code. */
  stop(): Promise<number | null>;
}

function environment(databaseUrl: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(BOURSE_|NODE_TEST)/.test(name));
  return {
    ...Object.fromEntries(kept),
    BOURSE_PORT: '0',
    BOURSE_DATABASE_URL: databaseUrl,
    BOURSE_ADMIN_MAIL: administrator.mail,
    BOURSE_ADMIN_PASSWORD: administrator.password,
    BOURSE_LOG_LEVEL: 'error',
  };
}

/** Starts `bourse serve` at a free port and logs in. */
export async function startServing(
  databaseUrl: string,
  args: readonly string[] = [],
  more: NodeJS.ProcessEnv = {},
): Promise<ServingProcess> {
  const options = { env: { ...environment(databaseUrl), ...more } };
  const spawned = await spawnServer(process.execPath, [program, 'serve', ...args], options);
  const stop = async () => {
    spawned.process.kill('SIGTERM');
    return (await spawned.ended).code;
  };
  try {
    return {
      ...spawned,
      stop,
      token: await tokenOf(spawned.url, administrator.mail, administrator.password),
    };
  } catch (error) {
    spawned.process.kill('SIGKILL');
    await once(spawned.process, 'close');
    throw error;
  }
}

/** Runs `bourse serve` where it cannot serve, to its end. */
export function serveInVain(databaseUrl: string) {
  return runToEnd(process.execPath, [program, 'serve'], { env: environment(databaseUrl) });
}
