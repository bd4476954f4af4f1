import type { Logger } from 'pino';
import { type Config, ConfigurationError } from '../config.ts';
import type { NumberedThread } from '../threads/thread-channel.ts';
import { createValkeyConnection, type ValkeyConnection } from '../valkey/connection.ts';
import { UnusableValkey } from '../valkey/valkey-error.ts';

export interface ConnectValkeyOptions {
  readonly threadGroup: Pick<NumberedThread, 'number'>;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly setting: string;
  /** What happens while the server is away, for the log. */
  readonly whileAway: string;
}

/**
 * Rejects with a `ConfigurationError` for a wrong setting. If the server is away the start goes on, with a warning. No
 * address, no connection.
 */
export async function connectValkey(
  address: Config['valkeyUrl'],
  { threadGroup, logger, setting, whileAway }: ConnectValkeyOptions,
): Promise<ValkeyConnection | undefined> {
  if (!address) return undefined;
  const place = `${address.host}:${address.port}`;
  // One thread speaks for all.
  const isFirst = threadGroup.number === 0;
  let isAway = false;
  const tellAway = (reason: Error) => {
    if (isFirst && !isAway)
      logger.warn({ reason: reason.message }, `the Valkey at ${place} is unavailable; ${whileAway}`);
    isAway = true;
  };
  const connection = createValkeyConnection({
    address,
    onAway: tellAway,
    onUp(advice) {
      if (isFirst && isAway) logger.info(`the Valkey at ${place} is available`);
      isAway = false;
      if (isFirst && advice !== undefined) logger.warn(`the Valkey at ${place}: ${advice}`);
    },
  });
  const reason = await connection.firstTry;
  if (reason instanceof UnusableValkey) {
    connection.close();
    throw new ConfigurationError(`${setting}: the server at ${place} cannot be used: ${reason.message}`, {
      cause: reason,
    });
  }
  if (reason) tellAway(reason);
  return connection;
}
