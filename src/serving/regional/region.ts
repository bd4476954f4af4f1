import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { type Config, ConfigurationError } from '../../config.ts';
import { counter, type Figure, gauge } from '../../exchange/figures/figure.ts';
import { createLoginLimiter, type LoginLimiter, loginFailures } from '../../identity/login-limiter.ts';
import type { Claims } from '../../statistics/claims.ts';
import type { Store } from '../../store/interface.ts';
import { createValkeyClaims } from '../../valkey/claims.ts';
import { createValkeyConnection, type ValkeyConnection } from '../../valkey/connection.ts';
import { createRecentFailures } from '../../valkey/recent-failures.ts';
import { ValkeyMisfit } from '../../valkey/valkey-error.ts';
import { shareLoginLimiter } from '../shared-login-limiter.ts';
import type { ThreadGroup } from '../thread-group.ts';
import { shareAddresses } from './addresses.ts';
import { shareLoginFailures } from './login-failures.ts';
import { shareTokenRates } from './token-rates.ts';

/** The part of the configuration that sharing in a region needs. */
export type RegionConfig = Pick<Config, 'valkeyUrl'>;

/** What sharing in a region is started with. */
export interface RegionOptions {
  readonly config: RegionConfig;
  readonly store: Pick<Store, 'secret'>;
  readonly threadGroup: ThreadGroup;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What the servers of a region have in common, as a thread sees it; alone, it is what its own process has. */
export interface RegionalParts {
  /** Where a Valkey is named: the connection of this thread, and the installation's name there. */
  readonly valkey: { readonly connection: ValkeyConnection; readonly installation: string } | undefined;
  readonly claims: Claims | undefined;
  /** The threads, with limits and rates that are those of the region. */
  readonly threadGroup: ThreadGroup;
  /** Counts failed logins of all threads, and of the region. */
  readonly loginLimiter: LoginLimiter;
  figures(): Figure[];
  close(): Promise<void>;
}

const settingName = 'BOURSE_VALKEY_URL';

/** Connects, and looks whether the setting is right. Where the server is away the start goes on, and says so. */
async function connect({
  config,
  threadGroup,
  logger,
}: RegionOptions): Promise<ValkeyConnection | undefined> {
  const { valkeyUrl: address } = config;
  if (!address) return undefined;
  const place = `${address.host}:${address.port}`;
  // One thread speaks for all.
  const isFirst = threadGroup.number === 0;
  let isAway = false;
  const tellAway = (reason: Error) => {
    if (isFirst && !isAway) {
      logger.warn(
        { reason: reason.message },
        `the Valkey at ${place} is away; what the servers of a region share, this one counts by itself`,
      );
    }
    isAway = true;
  };
  const connection = createValkeyConnection({
    address,
    onAway: tellAway,
    onUp(advice) {
      if (isFirst && isAway) logger.info(`the Valkey at ${place} is there`);
      isAway = false;
      if (isFirst && advice !== undefined) logger.warn(`the Valkey at ${place}: ${advice}`);
    },
  });
  const reason = await connection.firstTry;
  if (reason instanceof ValkeyMisfit) {
    connection.close();
    throw new ConfigurationError(`${settingName}: the server at ${place} cannot be used: ${reason.message}`, {
      cause: reason,
    });
  }
  if (reason) tellAway(reason);
  return connection;
}

const nameLength = 16;

/** The name under which several installations on one server are told apart. */
async function installationOf(store: RegionOptions['store']): Promise<string> {
  const secret = await store.secret('valkey');
  return createHash('sha256').update(secret).digest('hex').slice(0, nameLength);
}

const figuresOf = (connection: ValkeyConnection): Figure[] => [
  gauge('bourse_valkey_up', 'Whether Valkey answers: 1 or 0', connection.isUp() ? 1 : 0),
  counter('bourse_valkey_failures_total', 'Commands that Valkey did not answer in time, or by an error', [
    { labels: {}, value: connection.failures() },
  ]),
];

/**
 * Has this process share with others of its region what `BOURSE_VALKEY_URL` is for; without it, everything is its own.
 * Rejects with a `ConfigurationError` where the setting is wrong.
 */
export async function joinRegion(options: RegionOptions): Promise<RegionalParts> {
  const { store, threadGroup, now } = options;
  const connection = await connect(options);
  const steadyMs = () => performance.now();
  const loginLimiter = shareLoginLimiter(createLoginLimiter({ now: steadyMs }), threadGroup.peers);
  if (!connection) {
    return {
      ...{ valkey: undefined, claims: undefined, threadGroup, loginLimiter },
      figures: () => [],
      close: () => Promise.resolve(),
    };
  }
  const installation = await installationOf(store);
  const shared = { connection, installation };
  const tokenRates = shareTokenRates(threadGroup.tokenRates, { ...shared, process: threadGroup.process });
  const addresses = shareAddresses(threadGroup.limits, shared);
  const failures = createRecentFailures({ ...shared, ...loginFailures });
  return {
    valkey: shared,
    claims: createValkeyClaims({ ...shared, now }),
    threadGroup: { ...threadGroup, tokenRates, limits: addresses.limits },
    loginLimiter: shareLoginFailures(loginLimiter, failures, steadyMs),
    figures: () => figuresOf(connection),
    async close() {
      await Promise.all([tokenRates.close(), addresses.close()]);
      connection.close();
    },
  };
}
