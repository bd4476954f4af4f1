import { randomUUIDv7 } from 'node:crypto';
import { mediaOf, standardMedia } from '../../../protocols/openrtb/imp-media.ts';
import type { Device } from '../../../protocols/openrtb/objects/audience.ts';
import type { Imp } from '../../../protocols/openrtb/objects/imp.ts';
import type { BidRequest } from '../../../protocols/openrtb/objects/request.ts';
import type { ValidRequest } from '../../../protocols/openrtb/read-bid-request.ts';
import { hostOf } from '../../auction/bid-rules/ad-domains.ts';
import { categoryName } from '../../auction/bid-rules/categories.ts';
import {
  currencyAt,
  type ForeignCurrency,
  floorOf,
  type RatedAt,
  refuseCurrency,
  usd,
} from '../../currency.ts';
import type {
  Blocks,
  IpAddress,
  Media,
  MediumVariant,
  Opportunity,
  OriginalImpression,
  SupplyChain,
} from '../../opportunity.ts';
import { ownHost } from '../../own-host.ts';
import type { Caller } from '../../reading/caller.ts';
import { iabTaxonomy } from '../../reading/iab-name.ts';
import { parseForwardedAddress } from '../../reading/ip-address.ts';
import { isRefusal, type Refusal, refuse } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { mediaFlags } from '../../targeting/media.ts';
import { viewerIdsOf } from '../../viewer-ids.ts';
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

type RequestBlocks = Omit<Blocks, 'attributes'>;

/** Undefined if nothing is blocked in any medium. */
function blocksOf(request: BidRequest): RequestBlocks | undefined {
  const { acat, bcat, badv, bapp, wseat, bseat, cattax = iabTaxonomy, imp } = request;
  const attributes = imp.flatMap((one) => standardMedia.flatMap((medium) => one[medium]?.battr ?? []));
  const lists = [acat, bcat, badv, bapp, wseat, bseat, attributes];
  if (lists.every((list) => !list || list.length === 0)) return undefined;
  return {
    allowedCategories: new Set(acat?.map(categoryName)),
    categories: new Set(bcat?.map(categoryName)),
    cattax,
    domains: new Set(badv?.map(hostOf).filter((host) => host !== '')),
    apps: new Set(bapp),
    allowedSeats: new Set(wseat),
    seats: new Set(bseat),
  };
}

function blocksIn(blocks: RequestBlocks, imp: Imp, media: Media): Blocks {
  return { ...blocks, attributes: new Set(media === 'pop' ? undefined : imp[media]?.battr) };
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

/** USD (undefined) if the request takes it, else the first of its currencies that has a rate. */
function answerIn({ cur = [] }: BidRequest, at: RatedAt): ForeignCurrency | Refusal | undefined {
  const codes = cur.map((code) => code.toUpperCase());
  if (codes.length === 0 || codes.includes(usd)) return undefined;
  for (const code of codes) {
    const known = currencyAt(code, 'cur', at);
    if (known && !('reason' in known)) return known;
  }
  return refuseCurrency('cur', cur);
}

const hasFloor = ({ bidfloor = 0, video, audio }: Imp) =>
  bidfloor > 0 ||
  [video, audio].some((stream) => stream?.mincpmpersec || stream?.durfloors?.some((one) => one.bidfloor));

/** Undefined for USD, and where there is no floor. */
function floorCurrency(imp: Imp, at: RatedAt): ForeignCurrency | Refusal | undefined {
  const code = imp.bidfloorcur?.toUpperCase();
  return hasFloor(imp) ? currencyAt(code, 'bidfloorcur', at) : undefined;
}

const refusalIn = (found: ForeignCurrency | Refusal | undefined): Refusal | undefined =>
  found && isRefusal(found) ? found : undefined;

const knownIn = (found: ForeignCurrency | Refusal | undefined): ForeignCurrency | undefined =>
  found && !isRefusal(found) ? found : undefined;

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
  const rates = context.services.rates?.current();
  const answer = answerIn(request, { rates, timeMs });
  const foreign = knownIn(answer);
  // The spread comes first because V8 then copies the whole object at once.
  const shared = {
    ...audience,
    timeMs,
    inventory,
    subId: '',
    viewerIdsOf: viewerIdsOf(browser?.cookie ?? '', timeMs, {
      text: request.user?.buyeruid ?? '',
      demandId: supply.settings.BuyerUidOf ?? 0,
      sealer: context.matchSealer,
    }),
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
    ...(rates && { rates }),
    ...(foreign && { answerIn: foreign }),
  } as const;
  return { shared, said: saidBy(request, browser, audience.ip), answer };
}

/** Those that the endpoint's flags allow; without any, the first, which targeting refuses. */
function allowedMedia(supply: Supply, imp: Imp): readonly [Media, ...Media[]] {
  const media = mediaOf(imp);
  const [first = media[0] ?? 'banner', ...others] = media.filter(
    (name) => supply.settings[mediaFlags[name]] === 1,
  );
  return [first, ...others];
}

/** One per impression (OpenRTB 2.6 section 3.2). */
export function readOpportunities(
  supply: Supply,
  { request, unfilled }: Pick<ValidRequest, 'request' | 'unfilled'>,
  caller: Caller,
  timeMs: number,
  context: DeliveryContext,
): ImpOpportunity[] {
  const { shared, said, answer } = sharedPart(supply, request, caller, timeMs, context);
  const blocks = blocksOf(request);
  return request.imp.map((imp, index) => {
    const currency = floorCurrency(imp, shared);
    const foreign = knownIn(currency);
    const refusal = refusalIn(answer) ?? refusalIn(currency);
    const floor = floorOf(imp.bidfloor ?? 0, foreign);
    const microsOf = (cpm: number) => floorOf(cpm, foreign).floorCpmMicros;
    const [media, ...further] = allowedMedia(supply, imp);
    const part = {
      ...shared,
      original: { request: said, imp },
      validSeconds: imp.exp ?? 0,
      auctionId: randomUUIDv7(),
      ...floor,
      multiplier: imp.qty?.multiplier ?? 1,
      isSecure: imp.secure === 1,
      impression: index === 0 ? 'first' : 'further',
      ...(refusal && { refusal }),
      ...(blocks && { blocks: blocksIn(blocks, imp, media) }),
      unfilled,
    } as const;
    const opportunity: Opportunity = { ...part, ...mediumPart(imp, media, microsOf) };
    if (further.length === 0) return { imp, opportunity };
    const variants = [media, ...further].map(
      (one): MediumVariant => ({
        sizes: undefined,
        lengthFloors: undefined,
        blocks: blocks && blocksIn(blocks, imp, one),
        ...mediumPart(imp, one, microsOf),
      }),
    );
    return { imp, opportunity: { ...opportunity, variants } };
  });
}
