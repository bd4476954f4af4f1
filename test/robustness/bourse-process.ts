import { fileURLToPath } from 'node:url';
import { type SpawnedServer, spawnServer } from '../spawned-server.ts';
import { tokenOf } from '../support/server.ts';
import { type Api, apiOf } from './api.ts';

const bourse = fileURLToPath(new URL('../../bin/bourse.js', import.meta.url));
const administrator = { mail: 'ada@example.com', password: 'correct horse battery' };

/** A server of the whole exchange in a process of its own. */
export interface BourseProcess extends SpawnedServer {
  readonly api: Api;
  /** Kills it outright, as a power cut would, and waits for its end. */
  kill(): Promise<void>;
}

/** Starts `bourse serve` on a SQLite file, at a free port, and logs in as its administrator. */
export async function startBourseProcess(databasePath: string): Promise<BourseProcess> {
  const spawned = await spawnServer(process.execPath, [bourse, 'serve'], {
    env: {
      ...process.env,
      BOURSE_PORT: '0',
      BOURSE_DATABASE_URL: `sqlite:${databasePath}`,
      BOURSE_ADMIN_MAIL: administrator.mail,
      BOURSE_ADMIN_PASSWORD: administrator.password,
      BOURSE_LOG_LEVEL: 'warn',
      BOURSE_ALLOW_PRIVATE_DEMAND: '1',
    },
  });
  const kill = async () => {
    spawned.process.kill('SIGKILL');
    await spawned.ended;
  };
  try {
    const token = await tokenOf(spawned.url, administrator.mail, administrator.password);
    return { ...spawned, api: apiOf(spawned.url, token), kill };
  } catch (error) {
    await kill();
    throw error;
  }
}
