import { randomUUIDv7 } from 'node:crypto';
import { mediaOf } from '../../../protocols/openrtb/imp-media.ts';
import type { Device } from '../../../protocols/openrtb/objects/audience.ts';
import type { Imp } from '../../../protocols/openrtb/objects/imp.ts';
import type { BidRequest } from '../../../protocols/openrtb/objects/request.ts';
import type { ValidRequest } from '../../../protocols/openrtb/read-bid-request.ts';
import { hostOf } from '../../auction/bid-rules/ad-domains.ts';
import { categoryName } from '../../auction/bid-rules/categories.ts';
import { floorMicrosOf } from '../../money.ts';
import type {
  Blocks,
  IpAddress,
  Media,
  Opportunity,
  OriginalImpression,
  SupplyChain,
} from '../../opportunity.ts';
import { ownHost } from '../../own-host.ts';
import type { Caller } from '../../reading/caller.ts';
import { iabTaxonomy } from '../../reading/iab-name.ts';
import { parseForwardedAddress } from '../../reading/ip-address.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { mediaFlags } from '../../targeting/media.ts';
import type { DeliveryContext } from '../delivery-endpoint.ts';
import { invalidPercentOf } from '../invalid-percent.ts';
import { privacyIn } from '../privacy-of.ts';
import { audienceOf } from './audience-of.ts';
import { mediumPart } from './imp-part.ts';
import { inventoryOf, pageOf } from './inventory-of.ts';

export interface ImpOpportunity {
  readonly imp: Imp;
  readonly opportunity: Opportunity;
}

const usd = 'USD';
/** Whatever the request allows. */
const tmaxMsMax = 5000;
/** Reserved for network and our own work if `TmaxAdjust` is 0 (reference, B20). */
const keptMsStandard = 20;

function timeOf({ tmax }: BidRequest, supply: Supply): Pick<Opportunity, 'tmaxMs' | 'refusal'> {
  const wholeMs = Math.min(tmax || supply.tmaxMs, tmaxMsMax);
  const keptMs = supply.settings.TmaxAdjust || keptMsStandard;
  if (wholeMs > keptMs) return { tmaxMs: wholeMs - keptMs };
  const refusal = refuse('insufficient_time', { field: 'TmaxAdjust', wanted: keptMs, met: wholeMs });
  return { tmaxMs: 0, refusal };
}

function supplyChainOf({ source }: BidRequest, baseUrl: string): SupplyChain | undefined {
  const chain = source?.schain;
  if (chain === undefined) return undefined;
  const own = ownHost(baseUrl).toLowerCase();
  const nodes = chain.nodes.map(({ hp, ...node }) => ({
    ...node,
    hp: hp === 0 ? (0 as const) : (1 as const),
  }));
  return { ...chain, nodes, hasOwnNode: nodes.some(({ asi }) => asi.toLowerCase() === own) };
}

function blocksOf(request: BidRequest, imp: Imp, cattax: number): Blocks | undefined {
  const { acat, bcat, badv, bapp, wseat, bseat } = request;
  const { banner, video, audio, native } = imp;
  const battr = [banner, video, audio, native].flatMap((medium) => medium?.battr ?? []);
  const lists = [acat, bcat, badv, bapp, wseat, bseat, battr];
  if (lists.every((list) => !list || list.length === 0)) return undefined;
  return {
    allowedCategories: new Set(acat?.map(categoryName)),
    categories: new Set(bcat?.map(categoryName)),
    cattax,
    domains: new Set(badv?.map(hostOf).filter((host) => host !== '')),
    apps: new Set(bapp),
    attributes: new Set(battr),
    allowedSeats: new Set(wseat),
    seats: new Set(bseat),
  };
}

type Addresses = Pick<Device, 'ip' | 'ipv6'>;

/** OpenRTB 2.6 section 3.2.18 has a member for each kind of address. */
function addressMember(ip: IpAddress | undefined): Addresses | undefined {
  if (ip === undefined) return undefined;
  return ip.version === 4 ? { ip: ip.text } : { ipv6: ip.text };
}

/** Puts addresses into the members for their kinds, without ports; other text stays. */
function withAddresses(device: Device): Device {
  const { ip, ipv6, ...rest } = device;
  const first = ip ? (addressMember(parseForwardedAddress(ip)) ?? { ip }) : {};
  const second = ipv6 ? (addressMember(parseForwardedAddress(ipv6)) ?? { ipv6 }) : {};
  const both = { ...second, ...first, ...(second.ipv6 && { ipv6: second.ipv6 }) };
  return both.ip === ip && both.ipv6 === ipv6 ? device : { ...rest, ...both };
}

/** What the request says, completed by what is known of a browser that asks for itself. */
function saidBy(
  request: BidRequest,
  browser: Caller | undefined,
  ip: IpAddress | undefined,
): OriginalImpression['request'] {
  const { device: sent = {}, site, regs } = request;
  const device = withAddresses(sent);
  if (browser === undefined) return device === sent ? request : { ...request, device };
  const page = pageOf(request, browser.referer);
  const isPlaced = device.ip !== undefined || device.ipv6 !== undefined;
  const ua = device.ua || browser.userAgent;
  return {
    ...request,
    device: { ...device, ...(ua && { ua }), ...(!isPlaced && addressMember(ip)) },
    ...(page && { site: { ...site, page } }),
    // Whoever sees the header must pass it on.
    ...(browser.hasGpc && { regs: { ...regs, ext: { ...regs?.ext, gpc: '1' } } }),
  };
}

/** It wants another currency. */
function refusalOf({ cur }: BidRequest, imp: Imp): Refusal | undefined {
  const currencies = (cur ?? []).map((code) => code.toUpperCase());
  if (currencies.length > 0 && !currencies.includes(usd)) {
    return refuse('currency_not_accepted', { field: 'cur', wanted: usd, met: cur });
  }
  const floorCurrency = imp.bidfloorcur || usd;
  if ((imp.bidfloor ?? 0) > 0 && floorCurrency.toUpperCase() !== usd) {
    return refuse('currency_not_accepted', { field: 'bidfloorcur', wanted: usd, met: floorCurrency });
  }
  return undefined;
}

/** Anything but 2 counts as 1. Absent is 2 (OpenRTB 2.6 section 3.2.1), except in header bidding, where it is 1. */
function auctionTypeOf({ at }: BidRequest, isBrowser: boolean): 1 | 2 {
  return (at ?? (isBrowser ? 1 : 2)) === 2 ? 2 : 1;
}

function sharedPart(
  supply: Supply,
  request: BidRequest,
  caller: Caller,
  timeMs: number,
  context: DeliveryContext,
) {
  const browser = supply.settings.HeaderBidJs === 1 ? caller : undefined;
  const inventory = inventoryOf(supply, request, browser?.referer ?? '');
  const audience = audienceOf(request, browser, context);
  // The spread comes first because V8 then copies the whole object at once.
  const shared = {
    ...audience,
    timeMs,
    inventory,
    subId: '',
    query: request.site?.search ?? '',
    ...timeOf(request, supply),
    supplyChain: supplyChainOf(request, context.services.baseUrl()),
    privacy: privacyIn(request, browser),
    sellerId: supply.account.sellerId,
    invalidTrafficPercent: invalidPercentOf(supply, inventory, timeMs, context),
    crawled: context.crawled,
    auctionType: auctionTypeOf(request, browser !== undefined),
    isOffer: true,
    isTest: request.test === 1,
  } as const;
  return { shared, said: saidBy(request, browser, audience.ip) };
}

/** The first medium that is allowed and has demand, else the first allowed, else the first. */
function chosen(supply: Supply, imp: Imp, opportunityAs: (media: Media) => Opportunity): Opportunity {
  const media = mediaOf(imp);
  const enabled = media.filter((name) => supply.settings[mediaFlags[name]] === 1);
  const possible = (enabled.length > 0 ? enabled : media).map(opportunityAs);
  const first = possible[0] ?? opportunityAs('banner');
  if (possible.length < 2) return first;
  return possible.find((opportunity) => supply.candidates.select(opportunity).length > 0) ?? first;
}

/** One per impression (OpenRTB 2.6 section 3.2). */
export function readOpportunities(
  supply: Supply,
  { request, unfilled }: Pick<ValidRequest, 'request' | 'unfilled'>,
  caller: Caller,
  timeMs: number,
  context: DeliveryContext,
): ImpOpportunity[] {
  const { shared, said } = sharedPart(supply, request, caller, timeMs, context);
  const { cattax = iabTaxonomy } = request;
  return request.imp.map((imp, index) => {
    const refusal = refusalOf(request, imp);
    const blocks = blocksOf(request, imp, cattax);
    const part = {
      ...shared,
      original: { request: said, imp },
      validSeconds: imp.exp ?? 0,
      auctionId: randomUUIDv7(),
      floorCpmMicros: Math.max(supply.floorCpmMicros, floorMicrosOf(imp.bidfloor ?? 0)),
      multiplier: imp.qty?.multiplier ?? 1,
      isSecure: imp.secure === 1,
      impression: index === 0 ? 'first' : 'further',
      ...(refusal && { refusal }),
      ...(blocks && { blocks }),
      unfilled,
    } as const;
    const opportunityAs = (media: Media): Opportunity => ({ ...part, ...mediumPart(imp, media) });
    return { imp, opportunity: chosen(supply, imp, opportunityAs) };
  });
}
