import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Store } from '../store/interface.ts';
import { isEveryAddress } from './reachable-url.ts';

/** As in an upgrade of one server after the other. */
export function tellOfNewerMigrations(
  { newerMigrations }: Pick<Store, 'newerMigrations'>,
  logger: Pick<Logger, 'info' | 'warn'>,
): void {
  if (newerMigrations.length === 0) return;
  logger.info(
    { newerMigrations },
    'a newer version has extended the database; this version continues to work with it',
  );
}

/** Only the operator knows the address that players use. */
export function warnOfUnsetBaseUrl(
  { host, baseUrl }: Pick<Config, 'host' | 'baseUrl'>,
  url: string,
  logger: Pick<Logger, 'info' | 'warn'>,
): void {
  if (baseUrl !== undefined || !isEveryAddress(host)) return;
  logger.warn(
    `BOURSE_BASE_URL is not set: URLs in answers and in ads begin with ${url}; set it to the address at which players reach this server`,
  );
}
