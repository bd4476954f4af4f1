import type { Logger } from 'pino';
import { type Config, ConfigurationError, onlyRegion } from './config.ts';
import { createEdgeAsHome } from './edge/edge-as-home.ts';
import { type FollowedHome, startFollowingHome } from './edge/followed-home.ts';
import { createHomeClient, type HomeClient } from './edge/home-client.ts';
import { consumeLog } from './event-log/consume-log.ts';
import { type EventLog, type EventLogConfig, openEventLog } from './event-log/event-log.ts';
import { createCallerOf } from './exchange/reading/caller.ts';
import type { GeoIpFile } from './exchange/reading/geo-ip.ts';
import { createEdgeBearers } from './identity/bearers.ts';
import { createEdgeServer } from './management/edge-server.ts';
import type { OverloadDetector } from './management/http/overload.ts';
import { logRequests } from './management/http/request-log.ts';
import { collectMetrics } from './management/service/metrics.ts';
import { closeOnFailure } from './opening.ts';
import type { OutboxPart } from './outbox/slots.ts';
import { countForHome } from './serving/counting.ts';
import { openCountries } from './serving/countries.ts';
import { type DeliveryConfig, startDelivery } from './serving/delivery.ts';
import { createAge, createEdgeSource, shareNews } from './serving/edge-source.ts';
import { homeReceiver } from './serving/home-receiver.ts';
import { closeServer } from './serving/listen.ts';
import { shareMetrics } from './serving/shared-metrics.ts';
import type { ThreadGroup } from './serving/thread-group.ts';

export type EdgeConfig = DeliveryConfig &
  EventLogConfig &
  Pick<Config, 'geoIpDatabase' | 'regions' | 'apiRateLimit' | 'edgeKey' | 'edgeFolder' | 'edgeMaxAge'>;

export interface EdgeAssemblyOptions {
  readonly home: string;
  readonly logger: Logger;
  /** Known once the server listens. */
  readonly baseUrl: () => string;
  readonly threadGroup: ThreadGroup;
  /** Whether this thread sheds load; by default by its event loop. */
  readonly overloadDetector?: OverloadDetector | undefined;
  /** The first thread's part of the log. */
  readonly logPart?: OutboxPart | undefined;
  /** As the first thread has read it. */
  readonly geoIpFile?: GeoIpFile | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly now?: (() => number) | undefined;
  /** How long counts add up in memory; a second by default. */
  readonly flushMs?: number | undefined;
}

const msPerMinute = 60_000;

function clientOf({ edgeKey: key }: EdgeConfig, url: string): HomeClient {
  if (key !== undefined) return createHomeClient({ url, key });
  throw new ConfigurationError(
    'BOURSE_EDGE_KEY is not set; run `bourse edge add` at the home to print a key',
  );
}

function openLog(
  config: EdgeConfig,
  options: Omit<EdgeAssemblyOptions, 'now'> & {
    readonly now: () => number;
    readonly client: HomeClient;
  } & Pick<FollowedHome, 'kept'>,
): Promise<EventLog> {
  const { threadGroup, logger, logPart, now, client, kept } = options;
  const { process, claims } = threadGroup;
  return openEventLog({
    config,
    threadGroup,
    logger,
    now,
    part: logPart,
    folderName: `edge-${kept.known()?.home}`,
    waitsForEvents: false,
    consume: ({ root, own, onFailure }) =>
      consumeLog({
        process,
        root,
        own,
        claims,
        receiver: homeReceiver(client),
        onFailure,
        now,
      }),
  });
}

/** What this thread reads of its home, and how to stop it. */
async function openHome(config: EdgeConfig, options: EdgeAssemblyOptions, now: () => number) {
  const { home, logger, threadGroup, signal } = options;
  const client = clientOf(config, home);
  const news = shareNews(threadGroup.channel);
  const { number } = threadGroup;
  const following = { config, home, client, number, logger, onNews: news.tell, now, signal };
  const followed = await closeOnFailure(client, startFollowingHome(following));
  const close = async () => {
    await followed.close();
    await client.close();
  };
  const { kept } = followed;
  const log = await closeOnFailure({ close }, openLog(config, { ...options, now, client, kept }));
  return {
    kept,
    log,
    client,
    news,
    async close() {
      // Counts go home first.
      await log.close();
      await close();
    },
  };
}

/** Whether the configuration is too old, and how the server reports it. */
function createAgeLimit(home: string, age: () => number, { edgeMaxAge }: Pick<Config, 'edgeMaxAge'>) {
  const isOutdated = () => age() > edgeMaxAge * msPerMinute;
  return {
    isOutdated,
    trouble: async () =>
      isOutdated()
        ? `This edge has not heard from its home ${home} for ${Math.floor(age() / msPerMinute)} minutes; auctions are refused after ${edgeMaxAge} (BOURSE_EDGE_MAX_AGE)`
        : undefined,
  };
}

/**
 * An edge, wired, not listening. Rejects with a `ConfigurationError` for a wrong setting or a refusal by its home;
 * without a copy it waits for the home.
 */
export async function assembleEdge(config: EdgeConfig, options: EdgeAssemblyOptions) {
  const { baseUrl, home, logger, threadGroup, now = Date.now } = options;
  const countries = await openCountries(config, options.geoIpFile);
  const opened = await openHome(config, options, now);
  const { kept, log, client, news } = opened;
  const age = createAge(kept, now);
  const { isOutdated, trouble } = createAgeLimit(home, age, config);
  const source = createEdgeSource(kept, { onChange: news.onChange, client });
  const regions = () => config.regions ?? [{ name: onlyRegion, url: baseUrl() }];
  const counting = countForHome({ log, logger, now, flushMs: options.flushMs });
  const delivery = await closeOnFailure(
    opened,
    startDelivery({
      config,
      source,
      counting,
      threadGroup,
      logger,
      regions,
      countries,
      now,
      isOutdated,
      isHarmless: source.isMockDsp,
    }),
  );
  const callerOf = createCallerOf(config.trustedProxies);
  const bearerOf = createEdgeBearers(() => kept.sharedState().edgeKeys);
  const app = createEdgeServer({
    logger,
    home,
    trouble,
    overloadDetector: options.overloadDetector,
    bearerOf: ({ headers }) => bearerOf(headers.authorization),
    clientAddress: (request) => callerOf(request).ip,
    rateLimit: { perSecond: config.apiRateLimit, rates: threadGroup.tokenRates, now },
    bodyBudget: threadGroup.bodyBudget,
    edgeHome: createEdgeAsHome({ kept, onChange: news.onChange, client, now }),
    isStopping: threadGroup.isStopping,
    metrics: () => figures(),
  });
  logRequests(app);
  delivery.attachTo(app.server);
  const serving = { ...delivery, number: threadGroup.number };
  const figures = shareMetrics(collectMetrics(app, undefined, serving), threadGroup.channel);
  const close = async () => {
    await closeServer(app);
    try {
      await delivery.close();
    } finally {
      await opened.close();
      threadGroup.channel.close();
    }
  };
  return { app, flush: counting.flush, close, logPart: log.part, geoIpFile: countries.file };
}
