import { randomUUIDv7 } from 'node:crypto';
import { currencyAt, type Floor, floorOf, type RatedAt } from '../currency.ts';
import { memoizeWeak } from '../memoize-weak.ts';
import { floorMicrosOf } from '../money.ts';
import type { Device, Inventory, Opportunity } from '../opportunity.ts';
import type { Caller } from '../reading/caller.ts';
import { deviceOf } from '../reading/device.ts';
import { isIabName } from '../reading/iab-name.ts';
import { invalidAgentOf } from '../reading/invalid-agent.ts';
import { parseForwardedAddress, parseIpAddress } from '../reading/ip-address.ts';
import type { ZoneQuery } from '../reading/query.ts';
import { refererMatches, siteHost } from '../reading/site-host.ts';
import { clientOf } from '../reading/ssai-servers.ts';
import type { UserAgent } from '../reading/user-agent.ts';
import { refuse } from '../reasons.ts';
import type { Supply } from '../snapshot/supply.ts';
import { viewerIdsOf } from '../viewer-ids.ts';
import type { DeliveryContext } from './delivery-endpoint.ts';
import { invalidPercentOf } from './invalid-percent.ts';
import { privacyOf } from './privacy-of.ts';

const pixelsMax = 99_999;
const codeMax = 999;

/** IAB names; the request separates them by commas. */
function categoriesOf(supply: Supply, query: ZoneQuery): readonly string[] {
  const listed = query.known('category');
  const { IabCategories = [] } = supply.settings;
  if (listed === '') return IabCategories;
  const names = listed.split(',').map((name) => name.trim());
  return [...new Set([...IabCategories, ...names.filter(isIabName)])];
}

/** `""` if it names none. */
const ownSite = memoizeWeak(({ settings }: Supply) => siteHost(settings.SiteDomain ?? ''));

/** The referer; `""` if it is of another site than the placement's, as in a player's frame. */
const pageOf = (referer: string, site: string) => (refererMatches(referer, site) ? referer : '');

/** By the request's parameters, else the tag's fields, else the referer. */
function inventoryOf(supply: Supply, query: ZoneQuery, referer: string): Inventory {
  const { AppBundle = '', AppName = '', AppStoreUrl = '', Keywords = '' } = supply.settings;
  const appBundle = query.known('app_bundle') || AppBundle;
  const appName = query.known('app_name') || AppName;
  const isApp = appBundle !== '' || appName !== '';
  const siteUrl = query.known('site_url');
  const page = siteUrl || (isApp ? '' : pageOf(referer, ownSite(supply)));
  const domain = siteHost(siteUrl) || ownSite(supply) || siteHost(page);
  const isWeb = domain !== '' && (siteUrl !== '' || !isApp);
  const webOrApp = isApp ? 'app' : '';
  return {
    environment: isWeb ? 'web' : webOrApp,
    domain,
    pageUrl: page,
    appBundle,
    appName,
    appStoreUrl: query.known('app_store_url') || AppStoreUrl,
    partnerDomain: '',
    categories: categoriesOf(supply, query),
    keywords: Keywords,
  };
}

function readDevice(query: ZoneQuery, agent: UserAgent): Device {
  return deviceOf(agent, {
    os: query.known('os'),
    osVersion: query.known('osv'),
    type: query.integer('device_type', codeMax) ?? 0,
    make: query.known('device_make'),
    model: query.known('device_model'),
    language: query.known('lang'),
    ifa: query.known('ifa'),
  });
}

const noFloor: Floor = { floorCpmMicros: 0 };

/** The greater of the object's and the request's, both in its currency. Without its rate, `admit` refuses. */
export function ownFloorOf(
  supply: Supply,
  askedCpm: number,
  at: RatedAt,
): Floor & Pick<Opportunity, 'requestFloor'> {
  const { Currency, Bidfloor = 0 } = supply.settings;
  const foreign = currencyAt(Currency, 'Currency', at);
  const known = foreign && !('reason' in foreign) ? foreign : undefined;
  const requestFloor = askedCpm === 0 ? noFloor : floorOf(askedCpm, known);
  if (known) return { ...floorOf(Math.max(Bidfloor, askedCpm), known), requestFloor };
  return { floorCpmMicros: Math.max(supply.floorCpmMicros, floorMicrosOf(askedCpm)), requestFloor };
}

/** From the zone URL's macros, the placement's fields, and the caller. */
export function readPlacement(
  supply: Supply,
  query: ZoneQuery,
  asking: Caller,
  context: DeliveryContext,
): Omit<Opportunity, 'media' | 'video'> {
  const caller = clientOf(supply, asking);
  const { Width = 0, Height = 0, AdPosition = 0, Secure } = supply.settings;
  const userAgent = query.known('ua') || caller.userAgent;
  const agent = context.readUserAgent(userAgent);
  const ip = parseForwardedAddress(query.known('ip')) ?? parseIpAddress(caller.ip);
  const inventory = inventoryOf(supply, query, caller.referer);
  const timeMs = context.services.now();
  const rates = context.services.rates?.current();
  return {
    auctionId: randomUUIDv7(),
    timeMs,
    inventory,
    device: readDevice(query, agent),
    userAgent,
    ip,
    country: ip ? context.countryOf(ip) : '',
    region: '',
    latitude: undefined,
    longitude: undefined,
    width: query.integer('width', pixelsMax) || Width,
    height: query.integer('height', pixelsMax) || Height,
    position: query.integer('pos', codeMax) || AdPosition,
    subId: '',
    userId: '',
    viewerIdsOf: viewerIdsOf(caller.cookie, timeMs),
    query: '',
    ...(rates && { rates }),
    ...ownFloorOf(supply, query.amount('bidfloor') ?? 0, { rates, timeMs }),
    tmaxMs: supply.tmaxMs,
    isSecure: Secure === 1,
    supplyChain: undefined,
    privacy: privacyOf(query, caller),
    sellerId: supply.account.sellerId,
    ...(caller.isPrefetch && { refusal: refuse('prefetch') }),
    invalid: invalidAgentOf(caller, userAgent, agent),
    invalidTrafficPercent: invalidPercentOf(supply, inventory, timeMs, context),
    crawled: context.crawled,
    unfilled: query.unfilled,
  };
}
