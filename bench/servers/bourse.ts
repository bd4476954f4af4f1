import { join } from 'node:path';
import { type Api, logIn } from '../data/api.ts';
import { type Command, type ServerProcess, startServer } from './server-process.ts';

const mail = 'bench@example.com';
const password = 'bench bench bench';
const program = join(import.meta.dirname, '..', '..', 'bin', 'bourse.js');

/** The command a user starts Bourse with, by default on a file in `folder`, everything else as it is by default. */
export function bourseCommand(
  folder: string,
  {
    port = 0,
    nodeOptions = [] as readonly string[],
    databaseUrl = `sqlite:${join(folder, 'bourse.db')}`,
  } = {},
): Command {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BOURSE_'));
  return {
    name: 'bourse',
    args: [...nodeOptions, program, 'serve'],
    environment: {
      ...Object.fromEntries(inherited),
      BOURSE_PORT: String(port),
      BOURSE_DATABASE_URL: databaseUrl,
      BOURSE_ADMIN_MAIL: mail,
      BOURSE_ADMIN_PASSWORD: password,
    },
  };
}

/** A running Bourse, with its administrator logged in. */
export interface BourseServer {
  readonly server: ServerProcess;
  readonly api: Api;
}

/** Starts Bourse, by default on a file in `folder`. */
export async function startBourse(
  folder: string,
  nodeOptions: readonly string[],
  databaseUrl?: string,
): Promise<BourseServer> {
  const command = bourseCommand(folder, { nodeOptions, ...(databaseUrl && { databaseUrl }) });
  const server = await startServer(command, folder);
  return { server, api: await logIn(server.url, mail, password) };
}
