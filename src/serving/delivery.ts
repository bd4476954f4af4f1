import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { type Config, type Region, regionNamed } from '../config.ts';
import { startCrawling } from '../crawler/crawling.ts';
import type { LimitedKind } from '../entities/kinds.ts';
import { type AdPlace, type OwnLines, ownLines } from '../exchange/crawl/own-lines.ts';
import { createOutbound } from '../exchange/demand/outbound/create-outbound.ts';
import { createExchange, type Exchange } from '../exchange/exchange.ts';
import { createSteadyClock } from '../exchange/limits/steady-clock.ts';
import { nanosOf } from '../exchange/money.ts';
import type { Rates } from '../exchange/rates.ts';
import type { Testers } from '../exchange/testing.ts';
import { createValueModel } from '../exchange/value-model/value-model.ts';
import { createFaultLog } from '../fault-log.ts';
import { hasRight } from '../identity/roles.ts';
import type { LimitAuthority } from '../leases/authority.ts';
import { createCountedOf } from '../quotas/counted-limits.ts';
import { type Leasing, startLeasing } from '../quotas/leasing.ts';
import { createLocalQuotas } from '../quotas/local-quotas.ts';
import { createResolving } from '../quotas/resolving.ts';
import { createTimedWork, type TimedWork } from '../shared/timed-work.ts';
import type { User } from '../store/identity/interface.ts';
import type { Store } from '../store/interface.ts';
import { attachHandler } from './attach-handler.ts';
import type { Counting } from './counting.ts';
import type { Countries } from './countries.ts';
import { shareConfiguration } from './shared-configuration.ts';
import { watchTeams } from './teams.ts';
import type { ThreadGroup } from './thread-group.ts';
import { watchTrackerKeys } from './tracker-keys.ts';

export type DeliveryConfig = Pick<
  Config,
  'allowPrivateDemand' | 'crawlProxy' | 'trustedProxies' | 'region' | 'callCost' | 'explorePercent'
> &
  Partial<Pick<Config, 'gvlFile' | 'ratesFile'>> &
  Pick<Config, 'ratesUrl' | 'ratesDays'>;

/** The installation's database, or what an edge knows of it. */
export interface DeliverySource extends Pick<Store, 'feed' | 'trackerKeys'> {
  readonly identity: Pick<Store['identity'], 'allTeamSettings'> & {
    /** To tell whether a user may test. */
    user(id: number): Promise<Pick<User, 'teamId' | 'status' | 'role'> | undefined>;
  };
}

export interface LimitSharing {
  readonly authority: LimitAuthority;
  readonly statistics: Parameters<typeof createResolving>[0] & Parameters<typeof createCountedOf>[0];
}

export interface DeliveryOptions {
  readonly config: DeliveryConfig;
  readonly source: DeliverySource;
  readonly counting: Counting;
  readonly threadGroup: ThreadGroup;
  readonly logger: Logger;
  readonly regions: () => readonly Region[];
  readonly countries: Pick<Countries, 'countryOf' | 'metrics'>;
  /** Whether this URL may lead to a private address though others may not. */
  readonly isHarmless: (url: string) => boolean;
  readonly now: () => number;
  /** Whether the configuration is too old for auctions; absent = never. */
  readonly isOutdated?: () => boolean;
  /** Shares limits among processes; absent if this one is alone. */
  readonly sharing?: LimitSharing | undefined;
}

export interface Delivery
  extends Pick<
    Exchange,
    | 'servedRevision'
    | 'metrics'
    | 'untilServed'
    | 'autoFloorRules'
    | 'floorsOf'
    | 'explain'
    | 'readConsent'
    | 'testing'
    | 'auctions'
    | 'health'
  > {
  /** What is published about one of our sellers. */
  readonly ownLines: (sellerId: string, places: readonly AdPlace[]) => OwnLines;
  readonly rates: Rates;
  readonly now: () => number;
  /** The endpoints see requests before the server's own listener. */
  attachTo(server: Server): void;
  /** Ends `counting` too; to be called when no request is under way. */
  close(): Promise<void>;
}

const callsPerMillion = 1_000_000;
const percent = 100;
const testsPerSecond = 5;

/** Active users who may change their team's objects, up to a rate over all threads. */
function createTesters({ source, threadGroup, now }: DeliveryOptions): Testers {
  return {
    async mayTest({ userId, teamId }) {
      const user = await source.identity.user(userId);
      return user?.teamId === teamId && user.status === 0 && hasRight(user.role, 'write');
    },
    take: ({ userId }) => threadGroup.testRates.count(userId, now()) <= testsPerSecond,
  };
}

const worthOf = ({ config, threadGroup }: DeliveryOptions) =>
  createValueModel(threadGroup.outcomes, {
    callNanos: nanosOf(config.callCost / callsPerMillion),
    exploredShare: config.explorePercent / percent,
  });

const freeEveryMs = 60_000;

/** In the first thread, for all of this process. */
async function holdLimits(
  { sharing, threadGroup: { quotas }, now, logger }: DeliveryOptions,
  { servedRevision, limited }: Pick<Exchange, 'servedRevision' | 'limited'>,
): Promise<{ readonly leasing: Leasing | undefined; readonly freeing: TimedWork }> {
  const steadyMs = createSteadyClock();
  const objects = createLocalQuotas({ quotas, limited, random: Math.random, steadyMs });
  const freeing = createTimedWork(freeEveryMs, objects.freeIdle);
  freeing.start();
  if (!sharing) return { leasing: undefined, freeing };
  const leasing = await startLeasing({
    authority: sharing.authority,
    quotas,
    now,
    logger,
    steadyMs,
    countedOf: createCountedOf(sharing.statistics),
    objects,
    resolving: createResolving(sharing.statistics, ({ kind, id }) => limited(kind as LimitedKind, id)?.days),
    revision: servedRevision,
  });
  return { leasing, freeing };
}

export async function startDelivery(options: DeliveryOptions): Promise<Delivery> {
  const { config, source, counting, threadGroup, logger, now, isHarmless, countries, isOutdated } = options;
  const region = () => regionNamed(options.regions(), config.region);
  const { name: regionName } = region();
  const [teams, trackerKeys] = await Promise.all([watchTeams(source, threadGroup), watchTrackerKeys(source)]);
  const onFault = createFaultLog(logger, () => performance.now());
  const baseUrl = () => region().url;
  const { crawlProxy: proxy, gvlFile, ratesUrl, ratesFile, ratesDays } = config;
  const rates = { ratesUrl, ratesFile, ratesDays };
  const crawling = startCrawling({ threadGroup, logger, now, proxy, gvlFile, ...rates, url: baseUrl });
  const outbound = createOutbound({ allowPrivate: config.allowPrivateDemand, isHarmless });
  const exchange = await createExchange({
    feed: source.feed,
    events: counting.events,
    limits: threadGroup.limits,
    quality: threadGroup.quality,
    valueModel: worthOf(options),
    outbound,
    countryOf: countries.countryOf,
    crawled: crawling.findings,
    vendorLists: crawling.vendorLists,
    rates: crawling.rates,
    keyring: trackerKeys.keyring,
    now,
    random: Math.random,
    baseUrl,
    region: regionName,
    trustedProxies: config.trustedProxies,
    teamOf: teams.of,
    isOutdated,
    testers: createTesters(options),
    log: logger,
    sharing: shareConfiguration(threadGroup),
    onFault,
  });
  const resuming = await counting.resumeLimits?.(exchange.planned);
  const { leasing, freeing } = threadGroup.number === 0 ? await holdLimits(options, exchange) : {};
  const notices = counting.sendNotices?.(outbound);
  const sampling = counting.keepSamples?.(exchange.takeBidSamples);
  const following = counting.followTraffic?.(exchange.planned);
  return {
    ...exchange,
    metrics: () => [
      ...exchange.metrics(),
      ...crawling.metrics(),
      ...counting.metrics(),
      ...countries.metrics(),
      ...(leasing?.metrics() ?? []),
    ],
    async untilServed(revision, waitMs) {
      const isServed = await exchange.untilServed(revision, waitMs);
      if (isServed) await leasing?.untilRoundEnds(waitMs);
      return isServed;
    },
    attachTo: (server) => attachHandler(server, exchange.handle),
    ownLines: (sellerId, places) => ownLines(crawling.findings, sellerId, places),
    rates: crawling.rates,
    now,
    async close() {
      await exchange.close();
      await freeing?.close();
      await leasing?.close();
      crawling.close();
      await teams.close();
      await trackerKeys.close();
      await sampling?.close();
      await following?.close();
      await notices?.close();
      await resuming?.close();
      await counting.close();
    },
  };
}
