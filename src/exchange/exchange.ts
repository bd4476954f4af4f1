import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConsentReading, SentConsent } from '../answers/consent-reading.ts';
import type { Explanation } from '../answers/explanation.ts';
import { isSupply, type LimitedKind } from '../entities/kinds.ts';
import type { EventSink } from '../statistics/events.ts';
import type { AuctionServices } from './auction/auction.ts';
import { createTargetingRefusals } from './auction/targeting-refusals.ts';
import { createUsualBids } from './auction/usual-bids.ts';
import { learnFromCalls } from './auction/weigh.ts';
import { compileExchange } from './compile-exchange.ts';
import type { ConfigurationFeed } from './configuration.ts';
import { createConsentReader } from './consent/viewer-consent.ts';
import type { CrawlFindings } from './crawl/crawl-findings.ts';
import { kinds } from './demand/kinds.ts';
import type { Outbound } from './demand/outbound.ts';
import type { AskedRequest, DeliveryContext, DeliveryEndpoint } from './endpoints/delivery-endpoint.ts';
import { deliveryEndpoints, readExplainedRequest } from './endpoints/delivery-endpoints.ts';
import { type BidSamples, createBidSamples } from './explain/bid-samples.ts';
import { explain } from './explain/explain.ts';
import { createHealth, type Health } from './explain/object-health.ts';
import { readConsent } from './explain/read-consent.ts';
import { createRecentAuctions, type RecentAuctions } from './explain/recent-auctions.ts';
import type { InventoryQuality } from './limits/inventory-quality.ts';
import type { AuctionLimits } from './limits/limits.ts';
import { measureDelivery } from './metrics/delivery-metrics.ts';
import { gauge, type Metric } from './metrics/metric.ts';
import type { Rates } from './rates.ts';
import { createCallerOf } from './reading/caller.ts';
import type { CountryOf } from './reading/geo-ip.ts';
import { createUserAgentReader } from './reading/user-agent.ts';
import type { Draft } from './snapshot/drafting.ts';
import type { FloorRule } from './snapshot/floor-rule.ts';
import type { FloorRules } from './snapshot/floor-rules.ts';
import type { Limited } from './snapshot/limited.ts';
import { createLiveSnapshot, type ExchangeLog } from './snapshot/live-snapshot.ts';
import type { Planned } from './snapshot/planned.ts';
import type { ThreadSharing } from './snapshot/sharing.ts';
import type { Team } from './team.ts';
import { createTesting, type Testers, type Testing } from './testing.ts';
import { createMatchSealer } from './trackers/sealed-matches.ts';
import type { Keyring } from './trackers/token-keys.ts';
import { createTokenSealer } from './trackers/token-sealer.ts';
import { createTokens } from './trackers/tokens.ts';
import type { ValueModel } from './value-model/value-model.ts';
import type { VendorLists } from './vendor-lists.ts';
import { createViewerHash } from './viewer-hash.ts';

export interface ExchangeOptions {
  readonly feed: ConfigurationFeed;
  readonly events: EventSink;
  readonly limits: AuctionLimits;
  readonly quality: InventoryQuality;
  readonly valueModel: ValueModel;
  readonly outbound: Outbound;
  readonly countryOf: CountryOf;
  readonly crawled: CrawlFindings;
  readonly vendorLists: VendorLists;
  readonly rates: Rates;
  /** The same for all processes of the installation. */
  readonly keyring: Keyring;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to less than 1. */
  readonly random: () => number;
  readonly region: string;
  /** Where players reach this region; known once the server listens. */
  readonly baseUrl: () => string;
  /** See `AuctionServices`. */
  readonly teamOf: (id: number) => Team;
  /** See `AuctionServices`. */
  readonly isOutdated?: (() => boolean) | undefined;
  /** How many of our own reverse proxies are in front of the server. */
  readonly trustedProxies: number;
  readonly testers: Testers;
  readonly log: ExchangeLog;
  /** The process's other threads; absent = none. */
  readonly sharing?: ThreadSharing;
  /** Called for every failed request. */
  readonly onFault: (error: unknown, what: string) => void;
}

/** Without a request, the last one seen is explained. */
export interface ExplainRequest {
  readonly teamId: number;
  readonly kind: string;
  readonly id: number;
  readonly request?: AskedRequest | undefined;
  /** The object, or one of demand, with unsaved values; the caller has checked them and the team. */
  readonly draft?: Draft | undefined;
}

export interface Exchange {
  /** False, with nothing done, if no endpoint has the path. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  servedRevision(): number;
  /** As served now; undefined if gone. */
  limited(kind: LimitedKind, id: number): Limited | undefined;
  /** With what they know of their traffic. */
  planned(): Iterable<Planned>;
  /** The active rules that are for a supply object. */
  readonly floorsOf: FloorRules['of'];
  /** Of all teams, the active ones that set their floor by the evidence. */
  autoFloorRules(): Pick<FloorRule, 'id' | 'teamId'>[];
  metrics(): Metric[];
  /** True once it is served, false if it is not within `waitMs`. */
  untilServed(revision: number, waitMs: number): Promise<boolean>;
  /** Undefined if the team has no such object; `unseen` if no request is given and this thread has seen none. */
  explain(request: ExplainRequest): Promise<Explanation | 'unseen' | undefined>;
  /** What strings say, and what a team's partners may do with them. */
  readConsent(teamId: number, sent: SentConsent, vendors: readonly number[]): ConsentReading;
  /** Calls demand, but counts nothing with us. */
  readonly testing: Pick<Testing, 'pass' | 'run' | 'fire'>;
  auctions: RecentAuctions['of'];
  readonly health: Health['of'];
  /** Bids sampled since the last call. */
  readonly takeBidSamples: BidSamples['take'];
  /** Sends the notices that are left. */
  close(): Promise<void>;
}

/** Endpoints promise never to fail; if one does, the process must survive. */
async function serveAt(
  endpoint: DeliveryEndpoint,
  request: IncomingMessage,
  response: ServerResponse,
  context: DeliveryContext,
): Promise<void> {
  try {
    await endpoint.serve(request, response, context);
  } catch (error) {
    context.onFault(error);
    response.destroy();
  }
}

/** Whether it is the path, or lies below a path that ends in `/`. */
function isUnder(url: string, path: string): boolean {
  if (!url.startsWith(path)) return false;
  return path.endsWith('/') || url.length === path.length || '?#'.includes(url.charAt(path.length));
}

function createDoorkeeper(context: DeliveryContext, testing: Testing) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { url = '' } = request;
    const endpoint = deliveryEndpoints.find(({ path }) => isUnder(url, path));
    if (!endpoint) return false;
    if (testing.handle(endpoint, request, response)) return true;
    void serveAt(endpoint, request, response, context);
    return true;
  };
}

function servicesOf(
  options: ExchangeOptions,
  outbound: Outbound,
  floorsOf: AuctionServices['floorsOf'],
): AuctionServices {
  const { limits, valueModel, now, random, region, baseUrl, teamOf, vendorLists, rates, isOutdated } =
    options;
  const targetingRefusals = createTargetingRefusals(options.events);
  return {
    limits,
    valueModel,
    outbound,
    kinds,
    targetingRefusals,
    now,
    random,
    region,
    baseUrl,
    teamOf,
    consent: createConsentReader(vendorLists),
    hashViewer: createViewerHash(options.keyring),
    rates,
    floorsOf,
    isOutdated,
  };
}

function ageFigure(ageMs: number): Metric {
  const help = 'Time since the slowest thread last confirmed that it serves the current configuration';
  return gauge('bourse_snapshot_age_seconds', help, ageMs / 1000);
}

/** Resolves once the configuration is loaded; rejects if it cannot be. */
export async function createExchange(options: ExchangeOptions): Promise<Exchange> {
  const { feed, log, quality, countryOf, crawled } = options;
  const { sharing } = options;
  const live = await createLiveSnapshot({ feed, compile: compileExchange, log, sharing });
  const recent = createRecentAuctions(() => performance.now());
  const counted = measureDelivery({
    outbound: options.outbound,
    events: options.events,
    tokens: createTokens(options.keyring),
    now: () => performance.now(),
  });
  const bids = createBidSamples(options.random);
  const floorsOf: Exchange['floorsOf'] = (supply) => live.current().floorsOf(supply);
  const services = servicesOf(options, counted.outbound, floorsOf);
  const health = createHealth(live.current, services);
  const context: DeliveryContext = {
    snapshot: live.current,
    services,
    reports: { events: counted.events, quality, usualBids: createUsualBids() },
    tokens: counted.tokens,
    matchSealer: createMatchSealer(createTokenSealer(options.keyring)),
    callerOf: createCallerOf(options.trustedProxies),
    readUserAgent: createUserAgentReader(),
    countryOf,
    crawled,
    onAuction(auction) {
      counted.note(auction);
      learnFromCalls(auction);
      recent.note(auction);
      bids.note(auction);
      health.note(auction);
    },
    onFault: (error) => options.onFault(error, 'a delivery request failed'),
  };
  const testing = createTesting({ ...options, context, lastSeen: recent.lastSeen });
  return {
    handle: createDoorkeeper(context, testing),
    testing,
    servedRevision: () => live.current().revision,
    limited: (kind, id) => live.current().limited(kind, id),
    planned: () => live.current().planned(),
    floorsOf,
    autoFloorRules: () =>
      [...live.current().floorRules()]
        .filter(({ isActive, settings }) => isActive && settings.Auto === 1)
        .map(({ id, teamId }) => ({ id, teamId })),
    metrics: () => [...counted.figures(), ageFigure(live.ageMs())],
    untilServed: live.untilServed,
    async explain({ teamId, kind, id, request, draft }) {
      const known = isSupply(kind) ? live.current().supply(kind, id) : undefined;
      if (known?.teamId !== teamId) return undefined;
      const supply = (draft && (await live.drafted(known.kind, id, draft))) ?? known;
      const opportunity = request ? readExplainedRequest(supply, request, context) : recent.lastSeen(supply);
      if (!opportunity) return request ? undefined : 'unseen';
      return explain(supply, opportunity, services);
    },
    readConsent: (teamId, sent, vendors) =>
      readConsent(sent, vendors, services.teamOf(teamId).consent, {
        consent: services.consent,
        lists: options.vendorLists,
      }),
    auctions: recent.of,
    health: health.of,
    takeBidSamples: bids.take,
    async close() {
      await live.close();
      await options.outbound.close();
    },
  };
}
