import { setTimeout as delay } from 'node:timers/promises';
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { KeptSingly } from './analytics/keep-singly.ts';
import { type Config, onlyRegion } from './config.ts';
import { openConsole } from './console-pages/built-console.ts';
import { registerConsole } from './console-pages/console-pages.ts';
import { watchDatabaseClock } from './database-clock.ts';
import { assembleEdge } from './edge-assembly.ts';
import { createCallerOf } from './exchange/reading/caller.ts';
import type { GeoIpFile } from './exchange/reading/geo-ip.ts';
import { createFaultLog } from './fault-log.ts';
import { createIdentity } from './identity/identity.ts';
import type { FirstAdministrator } from './identity/people.ts';
import { createShipmentConsumer } from './management/edge/consume-shipments.ts';
import { createHostCheck } from './management/http/console-host.ts';
import type { OverloadDetector } from './management/http/overload.ts';
import { logRequests } from './management/http/request-log.ts';
import { createManagementServer } from './management/server.ts';
import { collectMetrics } from './management/service/metrics.ts';
import { areLimitsShared, closeOnFailure, openParts, type PartsConfig } from './opening.ts';
import type { OutboxPart } from './outbox/slots.ts';
import { createAlerting } from './serving/alerting.ts';
import { attachHandler } from './serving/attach-handler.ts';
import { createAutoFloors } from './serving/auto-floors.ts';
import { countInStore } from './serving/counting.ts';
import { openCountries } from './serving/countries.ts';
import { type DeliveryConfig, startDelivery } from './serving/delivery.ts';
import { watchDemonstrations } from './serving/demonstration.ts';
import { assertAddressFree, canSharePort, closeServer, listen, urlOf } from './serving/listen.ts';
import { createLoginNotices } from './serving/login-notices.ts';
import { createReconciling } from './serving/reconciling.ts';
import { createSending, type SendingConfig } from './serving/sending.ts';
import { shareExchange } from './serving/shared-exchange.ts';
import { shareMetrics } from './serving/shared-metrics.ts';
import { tellOfNewerMigrations, warnOfUnsetBaseUrl } from './serving/start-news.ts';
import { stopInSteps } from './serving/stopping.ts';
import {
  joinThreadGroup,
  type ThreadGroup,
  type ThreadGroupMemory,
  threadGroupMemory,
} from './serving/thread-group.ts';
import type { Store } from './store/interface.ts';
import { followForAll } from './threads/followed-feed.ts';
import { readyMessage, startThreads, threadServesText } from './threads/threads.ts';

export interface Bourse {
  /** As `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Of a first start: logs in as its administrator, once, within 15 minutes (reference, A17). */
  readonly loginLink: string | undefined;
  /** Resolves once the statistics have what the first thread has counted until now. */
  flush(): Promise<void>;
  /** Drains (`/readyz` is 503), finishes what is under way and closes the store, in all threads. */
  close(): Promise<void>;
}

/** Without where it listens, its threads and its log. */
export type ExchangeConfig = DeliveryConfig &
  Pick<Config, 'keepSamplesDays'> &
  SendingConfig &
  PartsConfig &
  Partial<Pick<Config, 'consoleUrl'>> &
  Pick<Config, 'geoIpDatabase' | 'regions' | 'adminMail' | 'adminPassword' | 'apiRateLimit'> &
  Pick<
    Config,
    'keepFinestDays' | 'keepTrafficHoursDays' | 'keepHoursDays' | 'keepTrafficDays' | 'keepAlertsDays'
  >;

/** `entry`: URL of the module for the threads after the first. */
export interface ThreadsConfig {
  readonly count: number;
  readonly entry: string;
}

export interface ThreadStart {
  readonly number: number;
  readonly config: Config;
  /** Where the first thread listens. */
  readonly url: string;
  /** URL of an edge's home. */
  readonly home: string | undefined;
  readonly hasConsole: boolean;
  readonly groupMemory: ThreadGroupMemory;
  /** The first thread's part of the outbox of single auctions, if any. */
  readonly outboxPart: OutboxPart | undefined;
  /** The first thread's part of the log. */
  readonly logPart: OutboxPart | undefined;
  /** As the first thread has read it. */
  readonly geoIpFile: GeoIpFile;
}

export interface AssemblyOptions {
  /** Whether the console is served at `/`; by default that leads to the API reference. */
  readonly hasConsole?: boolean;
  readonly logger: Logger;
  /** Known once the server listens. */
  readonly baseUrl: () => string;
  /** By default this thread is alone. */
  readonly threadGroup?: ThreadGroup;
  /** Whether this thread sheds load; by default by its event loop. */
  readonly overloadDetector?: OverloadDetector | undefined;
  /** See `ThreadStart`. */
  readonly outboxPart?: OutboxPart | undefined;
  readonly logPart?: OutboxPart | undefined;
  readonly geoIpFile?: GeoIpFile | undefined;
  /** How long counts add up in memory; a second by default. */
  readonly flushMs?: number | undefined;
  /** See `StartOptions`. */
  readonly now?: (() => number) | undefined;
}

/** In their order. */
export const startSteps = ['port', 'store', 'administrator', 'listening', 'threads'] as const;

export type StartStep = (typeof startSteps)[number];

export interface StartOptions
  extends Pick<AssemblyOptions, 'logger' | 'overloadDetector' | 'hasConsole' | 'flushMs'> {
  readonly threads?: ThreadsConfig;
  /** The home of this edge; absent for a server with a database. */
  readonly home?: string | undefined;
  /** Tests set it; then what writes statistics runs in this thread, as a clock cannot be handed to another one. */
  readonly now?: (() => number) | undefined;
  /** Called with the administrator that this start made, before anyone can ask the server. */
  readonly onAdministrator?: (administrator: FirstAdministrator) => void;
  /** Ends the start at its next step. */
  readonly signal?: AbortSignal;
  /** Tests stop a start at each step. */
  readonly onStep?: (step: StartStep) => void;
  readonly wait?: (ms: number) => Promise<unknown>;
}

const keptDaysOf = (config: ExchangeConfig) => ({
  finest: config.keepFinestDays,
  trafficHours: config.keepTrafficHoursDays,
  hours: config.keepHoursDays,
  traffic: config.keepTrafficDays,
});

/** Settings of the administrator that a first start makes. */
const firstOf = ({ adminMail: mail, adminPassword: password }: ExchangeConfig) => ({
  ...(mail === undefined ? {} : { mail }),
  ...(password === undefined ? {} : { password }),
});

function worksOf(
  config: ExchangeConfig,
  {
    exchange,
    baseUrl,
    ...parts
  }: Omit<Parameters<typeof createAlerting>[0], 'keepDays' | 'exchange'> &
    Pick<AssemblyOptions, 'baseUrl'> & { readonly exchange: ReturnType<typeof shareExchange> },
) {
  return [
    createAlerting({ ...parts, exchange, keepDays: config.keepAlertsDays }),
    createSending({ ...parts, config, baseUrl: () => config.consoleUrl ?? baseUrl() }),
    createReconciling({ ...parts, config }),
    createAutoFloors({ ...parts, exchange }),
  ];
}

function takeShipmentsInto({ feed, statistics }: Store, kept: KeptSingly | undefined, logger: Logger) {
  const onFault = createFaultLog(logger, () => performance.now());
  return createShipmentConsumer({
    feed,
    statistics,
    leaveTo: kept?.part.id,
    now: Date.now,
    onSetAside: (error, record) =>
      onFault(error, `counts of an edge have values that are not accepted; they are set aside: ${record}`),
  });
}

/** At the console's host only the API answers. */
function keepConsoleApart(app: FastifyInstance, consoleUrl: string): void {
  const isForConsole = createHostCheck(consoleUrl);
  attachHandler(app.server, (request, response) => {
    const isTaken = isForConsole(request);
    if (isTaken) app.routing(request, response);
    return isTaken;
  });
}

/** Wired, not listening. Rejects for a wrong setting or without a database. */
export async function assemble(config: ExchangeConfig, options: AssemblyOptions) {
  const { baseUrl, logger, flushMs } = options;
  const keptDays = keptDaysOf(config);
  const { threadGroup: threads = joinThreadGroup(threadGroupMemory(1, areLimitsShared(config)), 0) } =
    options;
  const now = options.now ?? Date.now;
  // First, because a first start creates the database: a wrong setting must leave nothing behind.
  const countries = await openCountries(config, options.geoIpFile);
  const parts = await openParts(config, {
    ...options,
    threadGroup: threads,
    now,
    keptDays,
    isClockGiven: options.now !== undefined,
  });
  const { store, kept, log, sharedCache, authority } = parts;
  const { threadGroup } = sharedCache;
  const hasMail = config.smtpUrl !== undefined;
  const onUserLimited = hasMail ? createLoginNotices({ ...store, now, logger }) : undefined;
  const identity = createIdentity({ store, now, loginLimiter: sharedCache.loginLimiter, onUserLimited });
  const regions = () => config.regions ?? [{ name: onlyRegion, url: baseUrl() }];
  const counts = { config, store, threadGroup, logger, now, keptSingly: kept, log, flushMs };
  const counting = countInStore({ ...counts, claims: sharedCache.claims });
  const [clock, demonstrations] = await closeOnFailure(
    store,
    Promise.all([
      watchDatabaseClock({ store, threadGroup, logger, now }),
      watchDemonstrations(store, threadGroup),
    ]),
  );
  const delivery = await closeOnFailure(
    store,
    startDelivery({
      source: store.isOnServer ? { ...store, feed: followForAll(store.feed, threadGroup) } : store,
      config,
      counting,
      threadGroup,
      logger,
      regions,
      countries,
      now,
      isHarmless: demonstrations.isMockDsp,
      sharing: authority && { authority, statistics: store.statistics },
    }),
  );
  const exchange = shareExchange(delivery, threadGroup.channel);
  const callerOf = createCallerOf(config.trustedProxies);
  const app = createManagementServer({
    ...options,
    store: { ...store, trouble: () => clock.trouble() ?? store.trouble() },
    identity,
    now,
    regions,
    exchange,
    consoleUrl: config.consoleUrl,
    clientAddress: (request) => callerOf(request).ip,
    rateLimit: { perSecond: config.apiRateLimit, rates: threadGroup.tokenRates, now },
    bodyBudget: threadGroup.bodyBudget,
    metrics: () => figures(),
    isStopping: threadGroup.isStopping,
    takeShipment: takeShipmentsInto(store, kept, logger),
    keptDays,
    hasMail,
    addHome: options.hasConsole ? (routes) => registerConsole(routes, openConsole()) : undefined,
  });
  logRequests(app);
  demonstrations.attachTo(app.server, exchange, now);
  // Attached last, asked first: most requests are for the exchange.
  delivery.attachTo(app.server);
  if (config.consoleUrl !== undefined) keepConsoleApart(app, config.consoleUrl);
  const figures = shareMetrics(
    collectMetrics(app, store, {
      ...delivery,
      number: threadGroup.number,
      metrics: () => [...delivery.metrics(), ...sharedCache.metrics(), ...clock.metrics()],
    }),
    threadGroup.channel,
  );
  const works = worksOf(config, { store, now, keptDays, logger, exchange, baseUrl });
  // One thread per process is enough.
  if (threadGroup.number === 0) for (const work of works) work.start();
  const ensureAdministrator = () => identity.ensureAdministrator(firstOf(config));
  const close = async () => {
    await closeServer(app);
    await Promise.all([clock, demonstrations, ...works].map((work) => work.close()));
    try {
      await delivery.close();
    } finally {
      await store.close();
      threadGroup.channel.close();
    }
  };
  const shared = { outboxPart: kept?.part, logPart: log.part, geoIpFile: countries.file };
  const { flush } = counting;
  return { app, store, identity, regions, ensureAdministrator, flush, close, ...shared };
}

/** If its sources have changed; `/` says so meanwhile. */
async function prepareConsole(logger: Logger): Promise<void> {
  const console = openConsole();
  await console.prepare();
  const state = console.state();
  if (state.kind === 'failed')
    logger.warn({ reason: state.reason }, 'there is no console; open / to see why');
}

/** One if the system lets only one listen at a port. */
async function supportedThreads(config: Config, { count }: ThreadsConfig, logger: Logger): Promise<number> {
  if (count === 1) return 1;
  if (await canSharePort(config)) return count;
  logger.warn('this system lets only one thread listen on a port; that thread serves alone');
  return 1;
}

function startOtherThreads(
  start: Omit<ThreadStart, 'number'>,
  entry: string,
  threadGroup: ThreadGroup,
  logger: Logger,
) {
  const numbers = Array.from({ length: threadGroup.threadsMax - 1 }, (_, index) => index + 1);
  return startThreads({ numbers, entry, data: start, threadGroup, logger });
}

/** An exchange with its database, or an edge, which has no administrator. */
async function assembleAny(
  config: Config,
  options: AssemblyOptions & Pick<Parameters<typeof assembleEdge>[1], 'threadGroup' | 'signal'>,
  home: string | undefined,
) {
  if (home === undefined) return assemble(config, options);
  const edge = await assembleEdge(config, { ...options, home });
  return {
    ...edge,
    store: { newerMigrations: [] },
    identity: undefined,
    outboxPart: undefined,
    ensureAdministrator: async () => undefined,
  };
}

const singleThread: ThreadsConfig = { count: 1, entry: '' };

/**
 * Listens once all else is there, first in this thread, then in the others. Rejects with a readable error and leaves
 * nothing open if the database or the address fails; with the signal's reason if that ends it.
 */
export async function startBourse(config: Config, options: StartOptions): Promise<Bourse> {
  const { logger, threads = singleThread, overloadDetector, flushMs, signal, home, now } = options;
  const hasConsole = options.hasConsole === true && home === undefined;
  const step = (name: StartStep) => {
    options.onStep?.(name);
    signal?.throwIfAborted();
  };
  step('port');
  // Before the database, which a first start creates: a port in use must leave nothing behind.
  await assertAddressFree(config);
  const count = await supportedThreads(config, threads, logger);
  const memory = threadGroupMemory(count, home !== undefined || areLimitsShared(config));
  const threadGroup = joinThreadGroup(memory, 0);
  // Known once the server listens.
  let url = '';
  step('store');
  const baseUrl = () => config.baseUrl ?? url;
  const parts = { logger, baseUrl, threadGroup, overloadDetector, flushMs, hasConsole, signal, now };
  const exchange = await assembleAny(config, parts, home);
  const { app } = exchange;
  tellOfNewerMigrations(exchange.store, logger);
  try {
    step('administrator');
    const administrator = await exchange.ensureAdministrator();
    // At once: even if the port is taken meanwhile, a generated password has been shown.
    if (administrator) options.onAdministrator?.(administrator);
    step('listening');
    if (count > 1) await assertAddressFree(config);
    await listen(app, config, count > 1);
    url = urlOf(app, config.host);
    logger.info({ thread: 0, url }, threadServesText);
    warnOfUnsetBaseUrl(config, url, logger);
    const secret = administrator && (await exchange.identity?.addLoginLink(administrator.mail));
    const loginLink = secret && `${config.consoleUrl ?? baseUrl()}/#link=${secret}`;
    // From here on there is a server to close.
    if (hasConsole) void prepareConsole(logger);
    options.onStep?.('threads');
    const others = startOtherThreads(
      {
        config,
        url,
        home,
        hasConsole,
        groupMemory: memory,
        outboxPart: exchange.outboxPart,
        logPart: exchange.logPart,
        geoIpFile: exchange.geoIpFile,
      },
      threads.entry,
      threadGroup,
      logger,
    );
    const close = () =>
      stopInSteps({
        logger,
        threadGroup,
        drainSeconds: config.drainSeconds,
        wait: options.wait ?? delay,
        closePort: () => Promise.all([others.close(), closeServer(app)]),
        closeRest: exchange.close,
      });
    return { url, loginLink, flush: exchange.flush, close };
  } catch (error) {
    await exchange.close();
    throw error;
  }
}

/** Until the first thread ends it. */
export async function serveInThread(
  { number, config, url, home, hasConsole, groupMemory: memory, ...shared }: ThreadStart,
  logger: Logger,
) {
  const starter = parentPort as MessagePort;
  const finish = Promise.withResolvers<void>();
  let mustFinish = false;
  starter.once('message', () => {
    mustFinish = true;
    finish.resolve();
  });
  const threadGroup = joinThreadGroup(memory, number);
  const baseUrl = () => config.baseUrl ?? url;
  const parts = { ...shared, logger, baseUrl, threadGroup, hasConsole };
  const exchange = await assembleAny(config, parts, home);
  if (!mustFinish) {
    // Joins before its first request, so that answers about all threads include this one.
    threadGroup.markReady();
    await listen(exchange.app, { host: config.host, port: Number(new URL(url).port || 80) }, true);
    starter.postMessage(readyMessage);
  }
  await finish.promise;
  await exchange.close();
}
