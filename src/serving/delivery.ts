import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Region } from '../config.ts';
import { createOutbound } from '../exchange/demand/outbound/create-outbound.ts';
import { createExchange, type Exchange } from '../exchange/exchange.ts';
import { type CountryOf, openGeoIp } from '../exchange/reading/geo-ip.ts';
import { createEventSink } from '../statistics/event-sink.ts';
import type { Store } from '../store/interface.ts';
import { attach } from './attach.ts';
import { startCounting } from './counting.ts';
import { startCrawling } from './crawling.ts';
import type { Crew } from './crew.ts';

/** What of the configuration the delivery plane needs. */
export interface DeliveryConfig {
  readonly geoIpDatabase: string | undefined;
  readonly allowPrivateDemand: boolean;
  readonly crawlProxy: string | undefined;
  readonly trustedProxies: number;
  /** Name of the region that this process serves; the first one where it is undefined. */
  readonly region: string | undefined;
}

/** What the delivery plane of a thread is started with. */
export interface DeliveryOptions {
  readonly config: DeliveryConfig;
  readonly store: Store;
  readonly crew: Crew;
  readonly logger: Logger;
  readonly regions: () => readonly Region[];
  /** Whether a URL of demand may lead to a private address all the same. */
  readonly isHarmless: (url: string) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The delivery plane of a thread, with what it counts. */
export interface Delivery
  extends Pick<Exchange, 'servedRevision' | 'figures' | 'untilServed' | 'explain' | 'auctions'> {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Takes the requests for its doors, before the server's own listener sees them. */
  attachTo(server: Server): void;
  /** Writes what was counted; to be called when no request is under way any more. */
  close(): Promise<void>;
}

const secretName = 'trackers';
const nowhere: CountryOf = () => '';

/** The region that this process serves. */
function regionOf({ regions, config }: DeliveryOptions): Region {
  const all = regions();
  const region = config.region === undefined ? all[0] : all.find(({ name }) => name === config.region);
  if (region) return region;
  const names = all.map(({ name }) => name).join(', ');
  throw new Error(`BOURSE_REGION names no region of BOURSE_REGIONS; those are ${names}`);
}

/** Starts the delivery plane of this thread. Rejects with a readable error where the configuration is wrong. */
export async function startDelivery(options: DeliveryOptions): Promise<Delivery> {
  const { config, store, crew, logger, now, isHarmless } = options;
  const region = regionOf(options);
  const countryOf = config.geoIpDatabase === undefined ? nowhere : await openGeoIp(config.geoIpDatabase);
  const counting = await startCounting(options);
  const onFailure = (error: unknown) =>
    logger.error({ err: error }, 'counts could not be written; they are kept');
  const events = createEventSink({ store, now, onFailure });
  const crawling = startCrawling({
    crew,
    logger,
    now,
    proxy: config.crawlProxy,
    url: () => regionOf(options).url,
  });
  const exchange = await createExchange({
    feed: store.feed,
    events,
    limits: crew.limits,
    quality: crew.quality,
    outbound: createOutbound({ allowPrivate: config.allowPrivateDemand, isHarmless }),
    countryOf,
    crawled: crawling.crawled,
    secret: await store.secret(secretName),
    now,
    random: Math.random,
    region: region.name,
    baseUrl: () => regionOf(options).url,
    trustedProxies: config.trustedProxies,
    log: logger,
  });
  return {
    ...exchange,
    figures: () => [...exchange.figures(), ...crawling.figures()],
    attachTo: (server) => attach(server, exchange.handle),
    now,
    async close() {
      await exchange.close();
      crawling.close();
      await counting.close();
      await events.close();
    },
  };
}
