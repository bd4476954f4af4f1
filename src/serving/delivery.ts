import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { type Config, ConfigurationError, type Region, regionNamed } from '../config.ts';
import { type AdPlace, type OwnLines, ownLines } from '../exchange/crawl/own-lines.ts';
import { createOutbound } from '../exchange/demand/outbound/create-outbound.ts';
import { createExchange, type Exchange } from '../exchange/exchange.ts';
import { counter, type Figure } from '../exchange/figures/figure.ts';
import { createSteadyClock } from '../exchange/limits/steady-clock.ts';
import { nanosOf } from '../exchange/money.ts';
import { type CountryOf, openGeoIp } from '../exchange/reading/geo-ip.ts';
import type { Testers } from '../exchange/testing.ts';
import { createWorth } from '../exchange/worth/worth.ts';
import { may } from '../identity/roles.ts';
import type { LimitAuthority } from '../leases/authority.ts';
import type { Claims } from '../statistics/claims.ts';
import { createEventSink } from '../statistics/event-sink.ts';
import type { KeptDays } from '../statistics/forgetting.ts';
import type { Store } from '../store/interface.ts';
import type { KeptSingly } from './analytics.ts';
import { attach } from './attach.ts';
import { startCrawling } from './crawling.ts';
import { createFaultLog } from './fault-log.ts';
import { followForAll } from './followed-feed.ts';
import type { KeptEvents } from './kept-events.ts';
import { holdObjects } from './leasing/held-objects.ts';
import { type Leasing, startLeasing } from './leasing/leasing.ts';
import { createResolving } from './leasing/resolving.ts';
import { startLimitSync } from './limit-sync.ts';
import { watchMeasurement } from './measurement.ts';
import { startSampling } from './sampling.ts';
import { shareConfiguration } from './shared-configuration.ts';
import type { ThreadGroup } from './thread-group.ts';
import { watchTrackerKeys } from './tracker-keys.ts';

/** The part of the configuration that the delivery plane needs. */
export type DeliveryConfig = Pick<
  Config,
  | 'allowPrivateDemand'
  | 'crawlProxy'
  | 'trustedProxies'
  | 'region'
  | 'callCost'
  | 'explorePercent'
  | 'keepSamplesDays'
>;

/** What the delivery plane of a thread is started with. */
export interface DeliveryOptions {
  readonly config: DeliveryConfig;
  readonly store: Store;
  readonly threadGroup: ThreadGroup;
  readonly logger: Logger;
  readonly regions: () => readonly Region[];
  readonly countryOf: CountryOf;
  /** Whether a URL of demand may lead to a private address though others may not. */
  readonly isHarmless: (url: string) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How many days rows of cubes are kept; `standardKeptDays` by default. */
  readonly keptDays?: KeptDays;
  /** Where single auctions and events are kept, if they are. */
  readonly keptSingly?: KeptSingly | undefined;
  /** Where billable events are kept until the database has them; absent where each waits for it. */
  readonly keptEvents?: KeptEvents | undefined;
  /** Who shares out limits among processes; absent where this one is alone. */
  readonly authority?: LimitAuthority | undefined;
  /** Who knows what other machines of the region have claimed; absent where nobody does. */
  readonly claims?: Claims | undefined;
}

/** The delivery plane of a thread, with its figures. */
export interface Delivery
  extends Pick<
    Exchange,
    'servedRevision' | 'figures' | 'untilServed' | 'explain' | 'testing' | 'auctions' | 'health'
  > {
  /** What is published of a seller of ours, as far as it is known. */
  readonly ownLines: (sellerId: string, places: readonly AdPlace[]) => OwnLines;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Lets the doors take their requests before the server's own listener sees them. */
  attachTo(server: Server): void;
  /** Writes what was counted; to be called when no request is under way any more. */
  close(): Promise<void>;
}

const nowhere: CountryOf = () => '';

const setAsideFigure = (value: number): Figure =>
  counter(
    'bourse_counts_set_aside_total',
    'Counts that the database refused for their values; the log has each of them',
    [{ labels: {}, value }],
  );

/** Looks up countries; without a database all are `''`. Rejects with a `ConfigurationError`. */
export async function openCountries({
  geoIpDatabase: path,
}: Pick<Config, 'geoIpDatabase'>): Promise<CountryOf> {
  if (path === undefined) return nowhere;
  return openGeoIp(path).catch((error: Error) => {
    throw new ConfigurationError(error.message, { cause: error });
  });
}

const callsPerMillion = 1_000_000;
const percent = 100;
const testsPerSecond = 5;

/** Who may test: active users who may change their team's objects, so many times a second in all threads together. */
function createTesters({ store, threadGroup, now }: DeliveryOptions): Testers {
  return {
    async mayTest({ userId, teamId }) {
      const user = await store.identity.user(userId);
      return user?.teamId === teamId && user.status === 0 && may(user.role, 'write');
    },
    take: ({ userId }) => threadGroup.testRates.count(userId, now()) <= testsPerSecond,
  };
}

const worthOf = ({ config, threadGroup }: DeliveryOptions) =>
  createWorth(threadGroup.outcomes, {
    callNanos: nanosOf(config.callCost / callsPerMillion),
    exploredShare: config.explorePercent / percent,
  });

/** Holds shares of limits for all threads of this process, in the first of them. */
async function shareLimits(
  { authority, threadGroup: { shares, limits }, store, now, logger }: DeliveryOptions,
  exchange: Pick<Exchange, 'servedRevision' | 'limited'>,
): Promise<Leasing | undefined> {
  if (!authority || !shares) return undefined;
  const steadyMs = createSteadyClock();
  return startLeasing({
    ...{ authority, shares, now, logger, steadyMs },
    objects: holdObjects({ shares, counted: limits.counted, random: Math.random, steadyMs }),
    resolving: createResolving(store.statistics),
    revision: exchange.servedRevision,
    limited: exchange.limited,
  });
}

/** Starts the delivery plane of this thread. */
export async function startDelivery(options: DeliveryOptions): Promise<Delivery> {
  const { config, store, threadGroup, logger, now, isHarmless, countryOf, keptDays, keptSingly } = options;
  const { keptEvents, claims } = options;
  const region = () => regionNamed(options.regions(), config.region);
  const { name: regionName } = region();
  const counting = await startLimitSync(options);
  const measurement = await watchMeasurement(store, threadGroup);
  const trackerKeys = await watchTrackerKeys(store);
  const onFault = createFaultLog(logger, () => performance.now());
  const events = createEventSink({
    ...{ store, now, onFailure: onFault, facts: keptSingly?.facts },
    ...(keptDays && { keptDays }),
    ...{ outbox: keptEvents?.outbox, claims },
  });
  const baseUrl = () => region().url;
  const crawling = startCrawling({ threadGroup, logger, now, proxy: config.crawlProxy, url: baseUrl });
  const exchange = await createExchange({
    feed: store.isOnServer ? followForAll(store.feed, threadGroup) : store.feed,
    events,
    limits: threadGroup.limits,
    quality: threadGroup.quality,
    worth: worthOf(options),
    outbound: createOutbound({ allowPrivate: config.allowPrivateDemand, isHarmless }),
    countryOf,
    crawled: crawling.crawled,
    keyring: trackerKeys.keyring,
    ...{ now, random: Math.random, baseUrl },
    region: regionName,
    trustedProxies: config.trustedProxies,
    measurementUrlOf: measurement.urlOf,
    testers: createTesters(options),
    log: logger,
    sharing: shareConfiguration(threadGroup),
    onFault,
  });
  const leasing = await shareLimits(options, exchange);
  const sampling = startSampling({
    ...{ store, logger, now, keepDays: config.keepSamplesDays, take: exchange.takeBidSamples },
  });
  return {
    ...exchange,
    figures: () => [
      ...exchange.figures(),
      ...crawling.figures(),
      ...(keptSingly?.figures() ?? []),
      ...(keptEvents?.figures() ?? []),
      ...(leasing?.figures() ?? []),
      setAsideFigure(events.setAside()),
    ],
    async untilServed(revision, waitMs) {
      const isServed = await exchange.untilServed(revision, waitMs);
      if (isServed) await leasing?.untilTurned(waitMs);
      return isServed;
    },
    attachTo: (server) => attach(server, exchange.handle),
    ownLines: (sellerId, places) => ownLines(crawling.crawled, sellerId, places),
    now,
    async close() {
      await exchange.close();
      await leasing?.close();
      crawling.close();
      measurement.close();
      trackerKeys.close();
      await counting.close();
      await sampling.close();
      await events.close();
    },
  };
}
