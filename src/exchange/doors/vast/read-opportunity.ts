import { randomUUID } from 'node:crypto';
import { cpmMicrosOf } from '../../money.ts';
import type { Inventory, Opportunity, VideoPlacement } from '../../opportunity.ts';
import { deviceOf } from '../../reading/device.ts';
import { parseIpAddress } from '../../reading/ip-address.ts';
import { siteHost } from '../../reading/site-host.ts';
import type { Supply } from '../../snapshot/supply.ts';
import type { Caller } from '../../trackers/match.ts';
import type { DoorContext } from '../door.ts';
import type { ZoneQuery } from '../query.ts';

/** Fields of a VAST Tag that tell of its inventory (specification 2.5), as stored. */
interface TagFields {
  readonly SiteDomain: string;
  readonly AppName: string;
  readonly AppBundle: string;
  readonly AppStoreUrl: string;
  readonly Keywords: string;
  readonly IabCategories: readonly string[];
  readonly Mimes: readonly string[];
  readonly AdPosition: number;
  readonly Width: number;
  readonly Height: number;
  readonly Linearity: number;
  readonly Placement: number;
  readonly Secure: number;
}

const pixelsMax = 99_999;
const secondsMax = 86_400;
const codeMax = 999;
const iabName = /^IAB\d{1,2}(-\d{1,2})?$/;

/** IAB names of the tag and of the request, which may separate them by commas. */
function categoriesOf(tag: TagFields, query: ZoneQuery): string[] {
  const told = query.text('category').split(',');
  return [
    ...new Set([
      ...tag.IabCategories,
      ...told.map((name) => name.trim()).filter((name) => iabName.test(name)),
    ]),
  ];
}

/** Where the ad would be shown: as the request tells, else as the tag does, else the page that sent it. */
function inventoryOf(tag: TagFields, query: ZoneQuery, referer: string): Inventory {
  const appBundle = query.text('app_bundle') || tag.AppBundle;
  const appName = query.text('app_name') || tag.AppName;
  const isApp = appBundle !== '' || appName !== '';
  const pageUrl = query.text('site_url') || (isApp ? '' : referer);
  const domain = siteHost(pageUrl) || tag.SiteDomain;
  const isWeb = domain !== '' && (query.text('site_url') !== '' || !isApp);
  const webOrApp = isApp ? 'app' : '';
  return {
    environment: isWeb ? 'web' : webOrApp,
    domain,
    pageUrl,
    appBundle,
    appName,
    appStoreUrl: query.text('app_store_url') || tag.AppStoreUrl,
    categories: categoriesOf(tag, query),
    keywords: tag.Keywords,
  };
}

function videoOf(tag: TagFields, query: ZoneQuery): VideoPlacement {
  return {
    linearity: query.integer('linearity', 2) || tag.Linearity,
    placement: query.integer('placement', codeMax) || tag.Placement,
    position: query.integer('pos', codeMax) || tag.AdPosition,
    minDuration: query.integer('minduration', secondsMax) ?? 0,
    maxDuration: query.integer('maxduration', secondsMax) ?? 0,
    startDelay: query.integer('startdelay', secondsMax, -2),
    mimes: tag.Mimes,
    series: query.text('series'),
    season: query.text('season'),
    context: query.text('context'),
  };
}

function readDevice(query: ZoneQuery, userAgent: string, context: DoorContext) {
  return deviceOf(context.readUserAgent(userAgent), {
    os: query.text('os'),
    osVersion: query.text('osv'),
    type: query.integer('device_type', codeMax) ?? 0,
    make: query.text('device_make'),
    model: query.text('device_model'),
    language: query.text('lang'),
    ifa: query.text('ifa'),
  });
}

/** The opportunity of a request to a VAST zone URL (specification 2.5): its macros, the tag's fields, the caller. */
export function readOpportunity(
  supply: Supply,
  query: ZoneQuery,
  caller: Caller,
  context: DoorContext,
): Opportunity {
  const tag = supply.document as unknown as TagFields;
  const userAgent = query.text('ua') || caller.userAgent;
  const ip = parseIpAddress(query.text('ip')) ?? parseIpAddress(caller.ip);
  const inventory = inventoryOf(tag, query, caller.referer);
  const timeMs = context.services.now();
  const place = inventory.appBundle || inventory.domain;
  return {
    auctionId: randomUUID(),
    timeMs,
    media: 'video',
    inventory,
    device: readDevice(query, userAgent, context),
    userAgent,
    ip,
    country: ip ? context.countryOf(ip) : '',
    region: '',
    latitude: undefined,
    longitude: undefined,
    width: query.integer('width', pixelsMax) || tag.Width,
    height: query.integer('height', pixelsMax) || tag.Height,
    video: videoOf(tag, query),
    subId: '',
    userId: '',
    query: '',
    floorCpmMicros: Math.max(supply.floorCpmMicros, cpmMicrosOf(query.amount('bidfloor') ?? 0)),
    tmaxMs: supply.tmaxMs,
    isSecure: tag.Secure === 1,
    supplyChain: undefined,
    sellerId: supply.account.sellerId,
    invalidTrafficPercent: context.reports.quality.invalidPercent(
      { kind: supply.kind, id: supply.id, place },
      timeMs,
    ),
  };
}
