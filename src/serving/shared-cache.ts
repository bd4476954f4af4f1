import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { counter, gauge, type Metric } from '../exchange/metrics/metric.ts';
import { createLoginLimiter, type LoginLimiter } from '../identity/login-limiter.ts';
import { connectValkey } from '../region/connect-valkey.ts';
import { shareLoginFailures } from '../region/login-failures.ts';
import { shareTokenRates } from '../region/token-rates.ts';
import { shareViewerCounts } from '../region/viewer-counts.ts';
import type { Claims } from '../statistics/claims.ts';
import { installationName } from '../store/installation-name.ts';
import type { Store } from '../store/interface.ts';
import { createValkeyClaims } from '../valkey/claims.ts';
import type { ValkeyConnection } from '../valkey/connection.ts';
import { createRecentFailures } from '../valkey/recent-failures.ts';
import { shareLoginLimiter } from './shared-login-limiter.ts';
import type { ThreadGroup } from './thread-group.ts';

export type SharedCacheConfig = Pick<Config, 'valkeyUrl'>;

export interface SharedCacheOptions {
  readonly config: SharedCacheConfig;
  readonly store: Pick<Store, 'secret'>;
  readonly threadGroup: ThreadGroup;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly now: () => number;
}

/** Shared by a region's servers; a process alone has its own. */
export interface SharedCacheParts {
  readonly claims: Claims | undefined;
  /** With the region's limits and rates. */
  readonly threadGroup: ThreadGroup;
  /** Of all threads and the region. */
  readonly loginLimiter: LoginLimiter;
  metrics(): Metric[];
  close(): Promise<void>;
}

const figuresOf = (connection: ValkeyConnection): Metric[] => [
  gauge('bourse_valkey_up', 'Whether Valkey answers: 1 or 0', connection.isUp() ? 1 : 0),
  counter(
    'bourse_valkey_failures_total',
    'Commands that Valkey did not answer in time, or answered with an error',
    [{ labels: {}, value: connection.failures() }],
  ),
];

/** By `BOURSE_VALKEY_URL`; without it, everything is the process's own. Rejects with a `ConfigurationError`. */
export async function joinSharedCache(options: SharedCacheOptions): Promise<SharedCacheParts> {
  const { config, store, threadGroup, now } = options;
  const connection = await connectValkey(config.valkeyUrl, {
    ...options,
    setting: 'BOURSE_VALKEY_URL',
    whileAway: 'this server counts on its own what the servers of a region share',
  });
  const steadyMs = () => performance.now();
  const loginLimiter = shareLoginLimiter(createLoginLimiter({ now: steadyMs }), threadGroup.channel);
  if (!connection) {
    return {
      claims: undefined,
      threadGroup,
      loginLimiter,
      metrics: () => [],
      close: () => Promise.resolve(),
    };
  }
  const installation = await installationName(store, 'valkey');
  const shared = { connection, installation };
  const tokenRates = shareTokenRates(threadGroup.tokenRates, { ...shared, process: threadGroup.process });
  const addresses = shareViewerCounts(threadGroup.limits, shared);
  const failures = createRecentFailures(shared);
  return {
    claims: createValkeyClaims({ ...shared, now }),
    threadGroup: { ...threadGroup, tokenRates, limits: addresses.limits },
    loginLimiter: shareLoginFailures(loginLimiter, failures, steadyMs),
    metrics: () => figuresOf(connection),
    async close() {
      await Promise.all([tokenRates.close(), addresses.close()]);
      connection.close();
    },
  };
}
