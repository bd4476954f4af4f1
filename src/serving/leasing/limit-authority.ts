import type { Config } from '../../config.ts';
import type { LimitAuthority } from '../../leases/authority.ts';
import type { Store } from '../../store/interface.ts';
import { createValkeyAuthority } from '../../valkey/authority.ts';
import { installationName } from '../installation-name.ts';
import { type ConnectValkeyOptions, connectValkey } from '../shared-cache/connect-valkey.ts';

/** The part of the configuration that says who shares out limits. */
export type AuthorityConfig = Pick<Config, 'databaseUrl' | 'limitsUrl'>;

/** Whether processes share the limits of objects: those on a database server do. */
export const areLimitsShared = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): boolean =>
  databaseUrl.startsWith('postgres');

/** What whoever shares out limits is reached with. */
export interface AuthorityOptions extends Pick<ConnectValkeyOptions, 'threadGroup' | 'logger'> {
  readonly config: AuthorityConfig;
  readonly store: Pick<Store, 'secret'>;
  readonly byDatabase: () => LimitAuthority;
}

/**
 * Who shares out limits among the processes: the Valkey that `BOURSE_LIMITS_URL` names, or the database. Asked by the
 * first thread alone; undefined in others, and where a process is alone. Rejects with a `ConfigurationError` where the
 * setting is wrong.
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
