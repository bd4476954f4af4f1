import type { Config } from '../../config.ts';
import type { LimitAuthority } from '../../leases/authority.ts';
import type { Store } from '../../store/interface.ts';
import { createValkeyAuthority } from '../../valkey/authority.ts';
import { installationName } from '../installation-name.ts';
import { type ConnectValkeyOptions, connectValkey } from '../shared-cache/connect-valkey.ts';

export type AuthorityConfig = Pick<Config, 'databaseUrl' | 'limitsUrl'>;

/** True on a database server. */
export const areLimitsShared = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): boolean =>
  databaseUrl.startsWith('postgres');

export interface AuthorityOptions extends Pick<ConnectValkeyOptions, 'threadGroup' | 'logger'> {
  readonly config: AuthorityConfig;
  readonly store: Pick<Store, 'secret'>;
  readonly byDatabase: () => LimitAuthority;
}

/**
 * The Valkey of `BOURSE_LIMITS_URL`, or the database. Undefined except in the first thread, and for a single process.
 * Rejects with a `ConfigurationError` for a wrong setting.
 */
export async function openAuthority(options: AuthorityOptions): Promise<LimitAuthority | undefined> {
  const { config, threadGroup, store, byDatabase } = options;
  if (threadGroup.number > 0 || !areLimitsShared(config)) return undefined;
  const connection = await connectValkey(config.limitsUrl, {
    ...options,
    setting: 'BOURSE_LIMITS_URL',
    whileAway: 'limits cannot be shared out',
  });
  if (!connection) return byDatabase();
  const authority = createValkeyAuthority({
    connection,
    installation: await installationName(store, 'valkey'),
  });
  return {
    ...authority,
    async close() {
      await authority.close();
      connection.close();
    },
  };
}
