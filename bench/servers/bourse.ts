import { join } from 'node:path';
import { type Api, logIn } from '../data/api.ts';
import { type Command, type ServerProcess, startServer } from './server-process.ts';

/** Mail address of the administrator that every Bourse of the bench is started with. */
export const mail = 'bench@example.com';
export const password = 'bench bench bench';
const ownCheckout = join(import.meta.dirname, '..', '..');

/** How a start may differ from a user's; `threads` is the number of threads that serve. */
export interface StartOptions {
  readonly port?: number;
  readonly nodeOptions?: readonly string[];
  readonly threads?: number;
  readonly databaseUrl?: string | undefined;
  /** Folder of the checkout whose Bourse is started; by default this one. */
  readonly checkout?: string;
  /** Whether demand may live on this machine. */
  readonly allowPrivateDemand?: boolean;
}

/** The command by which a user starts Bourse, by default on a database file in `folder`; all else has its defaults. */
export function bourseCommand(
  folder: string,
  {
    port = 0,
    nodeOptions = [],
    threads,
    databaseUrl = `sqlite:${join(folder, 'bourse.db')}`,
    checkout = ownCheckout,
    allowPrivateDemand = false,
  }: StartOptions = {},
): Command {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BOURSE_'));
  return {
    name: 'bourse',
    args: [
      ...nodeOptions,
      join(checkout, 'bin', 'bourse.js'),
      'serve',
      ...(threads === undefined ? [] : ['--threads', String(threads)]),
    ],
    environment: {
      ...Object.fromEntries(inherited),
      BOURSE_PORT: String(port),
      BOURSE_DATABASE_URL: databaseUrl,
      BOURSE_OUTBOX: join(folder, 'outbox'),
      BOURSE_ADMIN_MAIL: mail,
      BOURSE_ADMIN_PASSWORD: password,
      ...(allowPrivateDemand ? { BOURSE_ALLOW_PRIVATE_DEMAND: '1' } : {}),
    },
  };
}

/** A running Bourse, with its administrator logged in. */
export interface BourseServer {
  readonly server: ServerProcess;
  readonly api: Api;
}

/** Starts Bourse, by default on a file in `folder`. */
export async function startBourse(folder: string, options: StartOptions = {}): Promise<BourseServer> {
  const server = await startServer(bourseCommand(folder, options), folder);
  return { server, api: await logIn(server.url, mail, password) };
}
