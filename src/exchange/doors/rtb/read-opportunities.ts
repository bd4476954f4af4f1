import { randomUUID } from 'node:crypto';
import { passedMembers } from '../../../protocols/openrtb/passed-members.ts';
import {
  mediaOf,
  type ReceivedImp,
  type ReceivedRequest,
} from '../../../protocols/openrtb/received-request.ts';
import { readSupplyChain } from '../../../protocols/openrtb/supply-chain.ts';
import { hostOf } from '../../auction/bid-rules/ad-domains.ts';
import { categoryName } from '../../auction/bid-rules/categories.ts';
import { floorMicrosOf } from '../../money.ts';
import type { Blocks, Media, Opportunity, SupplyChain } from '../../opportunity.ts';
import { ownHost } from '../../own-host.ts';
import { iabTaxonomy } from '../../reading/iab-name.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { mediaFlags } from '../../targeting/media.ts';
import type { Caller } from '../../trackers/match.ts';
import type { DoorContext } from '../door.ts';
import { invalidPercentOf } from '../invalid-percent.ts';
import { audienceOf, privacyOf } from './audience-of.ts';
import { mediumPart } from './imp-part.ts';
import { inventoryOf } from './inventory-of.ts';

/** An impression with the opportunity read from it. */
export interface ImpOpportunity {
  readonly imp: ReceivedImp;
  readonly opportunity: Opportunity;
}

const usd = 'USD';
/** Longest time for an auction, whatever the request allows. */
const tmaxMsMax = 5000;

/** The request's supply chain, and whether this exchange is in it already. An invalid chain counts as absent. */
function supplyChainOf({ source }: ReceivedRequest, baseUrl: string): SupplyChain | undefined {
  const chain = readSupplyChain(source?.schain ?? source?.ext?.schain);
  if (chain === undefined) return undefined;
  const own = ownHost(baseUrl).toLowerCase();
  const nodes = chain.nodes.map(({ hp, ...node }) => ({
    ...node,
    hp: hp === 0 ? (0 as const) : (1 as const),
  }));
  return { ...chain, nodes, hasOwnNode: nodes.some(({ asi }) => asi.toLowerCase() === own) };
}

/** What the request blocks or restricts; undefined if nothing. */
function blocksOf(request: ReceivedRequest, imp: ReceivedImp, cattax: number): Blocks | undefined {
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

/** Members that no rule of ours needs, but that are passed on to bidders. */
const passedOfRequest = (request: ReceivedRequest) => {
  const { device, user, site, app } = request;
  return {
    request: passedMembers.request(request),
    source: passedMembers.source(request.source),
    device: passedMembers.device(device),
    geo: passedMembers.geo(device?.geo),
    user: passedMembers.user(user),
    site: passedMembers.site(site),
    app: passedMembers.app(app),
    content: passedMembers.content(app?.content ?? site?.content),
  };
};

const passedOfImp = (imp: ReceivedImp) => ({
  imp: passedMembers.imp(imp),
  banner: passedMembers.banner(imp.banner),
  video: passedMembers.video(imp.video),
  audio: passedMembers.audio(imp.audio),
  native: passedMembers.native(imp.native),
});

/** Why no demand can serve an impression: it wants another currency, or only deals, which we do not have. */
function refusalOf({ cur }: ReceivedRequest, imp: ReceivedImp): Refusal | undefined {
  const currencies = (cur ?? []).map((code) => code.toUpperCase());
  if (currencies.length > 0 && !currencies.includes(usd)) {
    return refuse('currency_not_accepted', { field: 'cur', wanted: usd, met: cur });
  }
  const floorCurrency = imp.bidfloorcur || usd;
  if ((imp.bidfloor ?? 0) > 0 && floorCurrency.toUpperCase() !== usd) {
    return refuse('currency_not_accepted', { field: 'bidfloorcur', wanted: usd, met: floorCurrency });
  }
  return imp.pmp?.private_auction === 1 ? refuse('private_auction', { field: 'pmp', met: 1 }) : undefined;
}

/**
 * Auction type of the request; any value but 2 counts as 1. If the request has none it is 2 (OpenRTB 2.6 section
 * 3.2.1), except for header bidding in browsers: its auctions are first price, and its scripts leave the type out.
 */
function auctionTypeOf({ at }: ReceivedRequest, isBrowser: boolean): 1 | 2 {
  return (at ?? (isBrowser ? 1 : 2)) === 2 ? 2 : 1;
}

/** What all impressions of a request have in common. */
function sharedPart(
  supply: Supply,
  request: ReceivedRequest,
  caller: Caller,
  timeMs: number,
  context: DoorContext,
) {
  const browser = supply.document.HeaderBidJs === 1 ? caller : undefined;
  const adjustMs = Number(supply.document.TmaxAdjust ?? 0);
  const inventory = inventoryOf(supply, request, browser?.referer ?? '');
  // The spread comes first because V8 then copies the object as a whole, and not member by member.
  return {
    ...audienceOf(request, browser, context),
    timeMs,
    inventory,
    subId: '',
    query: request.site?.search ?? '',
    tmaxMs: Math.max(0, Math.min(request.tmax || supply.tmaxMs, tmaxMsMax) - adjustMs),
    supplyChain: supplyChainOf(request, context.services.baseUrl()),
    privacy: privacyOf(request),
    sellerId: supply.account.sellerId,
    invalidTrafficPercent: invalidPercentOf(supply, inventory, timeMs, context),
    crawled: context.crawled,
    auctionType: auctionTypeOf(request, browser !== undefined),
    isOffer: true,
    isTest: request.test === 1,
  } as const;
}

/**
 * An impression that takes several media is auctioned as one of them: the first that the endpoint's flags allow and for
 * which there is connected demand. If none is both, the first that is allowed, else its first medium.
 */
function chosen(supply: Supply, imp: ReceivedImp, opportunityAs: (media: Media) => Opportunity): Opportunity {
  const media = mediaOf(imp);
  const enabled = media.filter((name) => supply.document[mediaFlags[name]] === 1);
  const possible = (enabled.length > 0 ? enabled : media).map(opportunityAs);
  const first = possible[0] ?? opportunityAs('banner');
  if (possible.length < 2) return first;
  return possible.find((opportunity) => supply.candidates.select(opportunity).length > 0) ?? first;
}

/** The opportunities of a bid request, one an impression (OpenRTB 2.6 section 3.2). */
export function readOpportunities(
  supply: Supply,
  request: ReceivedRequest,
  caller: Caller,
  timeMs: number,
  context: DoorContext,
): ImpOpportunity[] {
  const shared = sharedPart(supply, request, caller, timeMs, context);
  const content = request.app?.content ?? request.site?.content;
  const passed = passedOfRequest(request);
  const cattax = Number(passed.request?.cattax ?? iabTaxonomy);
  return request.imp.map((imp, index) => {
    const refusal = refusalOf(request, imp);
    const blocks = blocksOf(request, imp, cattax);
    const part = {
      ...shared,
      passed: { ...passed, ...passedOfImp(imp) },
      auctionId: randomUUID(),
      floorCpmMicros: Math.max(supply.floorCpmMicros, floorMicrosOf(imp.bidfloor ?? 0)),
      isSecure: imp.secure === 1,
      isInterstitial: imp.instl === 1,
      impression: index === 0 ? 'first' : 'further',
      ...(refusal && { refusal }),
      ...(blocks && { blocks }),
    } as const;
    const opportunityAs = (media: Media): Opportunity => ({ ...part, ...mediumPart(imp, media, content) });
    return { imp, opportunity: chosen(supply, imp, opportunityAs) };
  });
}
