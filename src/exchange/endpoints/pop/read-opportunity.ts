import { randomUUIDv7 } from 'node:crypto';
import type { Device, Inventory, Opportunity } from '../../opportunity.ts';
import type { Caller } from '../../reading/caller.ts';
import { deviceOf } from '../../reading/device.ts';
import { invalidAgentOf } from '../../reading/invalid-agent.ts';
import { parseForwardedAddress, parseIpAddress } from '../../reading/ip-address.ts';
import type { ZoneQuery } from '../../reading/query.ts';
import { siteHost } from '../../reading/site-host.ts';
import type { UserAgent } from '../../reading/user-agent.ts';
import { refuse } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { viewerIdsOf } from '../../viewer-ids.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { invalidPercentOf } from '../invalid-percent.ts';
import { ownFloorOf } from '../placement.ts';
import { privacyOf } from '../privacy-of.ts';

interface Visitor extends Caller {
  /** BCP 47; `""` = unknown. */
  readonly language: string;
}

/** Feeds are for sites, never for apps. */
function inventoryOf(pageUrl: string): Inventory {
  const domain = siteHost(pageUrl);
  return {
    environment: domain === '' ? '' : 'web',
    domain,
    pageUrl,
    appBundle: '',
    appName: '',
    appStoreUrl: '',
    partnerDomain: '',
    categories: [],
    keywords: '',
  };
}

function readDevice(agent: UserAgent, language: string): Device {
  const undeclared = { os: '', osVersion: '', type: 0, make: '', model: '', ifa: '' };
  return deviceOf(agent, { ...undeclared, language });
}

function opportunityOf(
  supply: Supply,
  query: ZoneQuery,
  visitor: Visitor,
  context: DeliveryContext,
): Opportunity {
  const ip = parseIpAddress(visitor.ip);
  const inventory = inventoryOf(query.known('url') || visitor.referer);
  const timeMs = context.services.now();
  const rates = context.services.rates?.current();
  const { settings, account } = supply;
  const agent = context.readUserAgent(visitor.userAgent);
  return {
    auctionId: randomUUIDv7(),
    timeMs,
    media: 'pop',
    inventory,
    device: readDevice(agent, visitor.language),
    userAgent: visitor.userAgent,
    ip,
    country: ip ? context.countryOf(ip) : '',
    region: '',
    latitude: undefined,
    longitude: undefined,
    width: 0,
    height: 0,
    video: undefined,
    subId: query.known('subid', true),
    userId: query.known('uid'),
    viewerIdsOf: viewerIdsOf(visitor.cookie, timeMs),
    query: query.known('query', true),
    ...(rates && { rates }),
    ...ownFloorOf(supply, 0, { rates, timeMs }),
    tmaxMs: supply.tmaxMs,
    isSecure: settings.Secure === 1,
    supplyChain: undefined,
    privacy: privacyOf(query, visitor),
    sellerId: account.sellerId,
    ...(visitor.isPrefetch && { refusal: refuse('prefetch') }),
    invalid: invalidAgentOf(visitor, visitor.userAgent, agent),
    invalidTrafficPercent: invalidPercentOf(supply, inventory, timeMs, context),
    crawled: context.crawled,
    unfilled: query.unfilled,
  };
}

/** From the URL, in which a publisher's server describes its visitor, else from the caller. */
export function readFeedRequest(
  supply: Supply,
  query: ZoneQuery,
  caller: Caller,
  context: DeliveryContext,
): Opportunity {
  const visitor = {
    ...caller,
    ip: parseForwardedAddress(query.known('user_ip'))?.text ?? caller.ip,
    userAgent: query.known('ua') || caller.userAgent,
    language: query.known('lang'),
  };
  return opportunityOf(supply, query, visitor, context);
}

/** By RFC 9110 §12.5.4; `""` if there is none. */
function preferredLanguage(header: string | undefined): string {
  return header?.split(/[,;]/, 1)[0]?.trim() ?? '';
}

/** The caller is the visitor, whatever the URL says. */
export function readDirectRequest(
  supply: Supply,
  query: ZoneQuery,
  caller: Caller & { readonly acceptLanguage?: string | undefined },
  context: DeliveryContext,
): Opportunity {
  const visitor = { ...caller, language: preferredLanguage(caller.acceptLanguage) };
  return { ...opportunityOf(supply, query, visitor, context), isDirect: true };
}
