import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { type Bourse, type StartOptions, startBourse } from '../../src/main.ts';
import { tokenOf } from '../support/server.ts';
import { unhurried } from '../support/unhurried.ts';
import { type Caller, callerOf } from './caller.ts';

const administrator = { mail: 'ada@example.com', password: 'correct horse battery' };

/** Two servers on one database, each with its own connections and its own memory. */
export interface ServerPair {
  readonly urls: readonly [string, string];
  /** Calls of the same user, under the same token, to the one and to the other. */
  readonly callers: readonly [Caller, Caller];
  close(): Promise<void>;
}

/** Starts a server on a database that others may be starting on as well. */
export function startOn(
  databaseUrl: string,
  options: Pick<StartOptions, 'onAdministrator'> = {},
): Promise<Bourse> {
  const { config } = readConfig({});
  const { mail: adminMail, password: adminPassword } = administrator;
  return startBourse(
    { ...config, port: 0, baseUrl: 'https://exchange.example', databaseUrl, adminMail, adminPassword },
    { logger: pino({ level: 'silent' }), overloadDetector: unhurried, ...options },
  );
}

/** A new token of the administrator, from that server. */
export const logIn = (url: string) => tokenOf(url, administrator.mail, administrator.password);

export async function startPair(databaseUrl: string): Promise<ServerPair> {
  const [a, b] = await Promise.all([startOn(databaseUrl), startOn(databaseUrl)]);
  const token = await logIn(a.url);
  return {
    urls: [a.url, b.url],
    callers: [callerOf(a.url, token), callerOf(b.url, token)],
    close: async () => {
      await Promise.all([a.close(), b.close()]);
    },
  };
}
