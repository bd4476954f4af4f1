import type { FloorUse } from '../../statistics/events.ts';
import { amountIn, currencyAt, type Floor, type ForeignPrice, floorOf, refuseCurrency } from '../currency.ts';
import { cpmUsdMax } from '../demand/bid-price.ts';
import type { Bid } from '../demand/demand-kind.ts';
import { inMedium, mediaIn, withMedia } from '../media-variants.ts';
import { memoizeWeak } from '../memoize-weak.ts';
import { type CpmMicros, cpmMicrosOf } from '../money.ts';
import { nonEmptyLines } from '../non-empty-lines.ts';
import type { Opportunity } from '../opportunity.ts';
import { isRefusal, type Refusal } from '../reasons.ts';
import type { MetRule, RuleFloor, RuleFloors } from '../rule-floors.ts';
import type { Demand } from '../snapshot/demand.ts';
import type { FloorRule } from '../snapshot/floor-rule.ts';
import { byPriority } from '../snapshot/floor-rules.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { FloorIndex } from '../targeting/index/floor-index.ts';
import type { Auction, Candidate } from './auction.ts';
import { blockedParent, hostOf } from './bid-rules/ad-domains.ts';

/** Of an impression and medium; those with conditions on bids come before one that is for all. */
const rulesMax = 16;

const domainsOf = memoizeWeak(
  ({ settings }: FloorRule) => new Set(nonEmptyLines(settings.AdvertiserDomains).map(hostOf)),
);

const isForAll = (rule: FloorRule) => rule.bidders === undefined && domainsOf(rule).size === 0;

export const isForDemand = ({ bidders }: FloorRule, { kind, id }: Pick<Demand, 'kind' | 'id'>) =>
  bidders === undefined || (kind === 'DspRtbEp' && bidders.has(id));

function isForBid(rule: FloorRule, { demand, adDomains }: Pick<Bid, 'demand' | 'adDomains'>): boolean {
  if (!isForDemand(rule, demand)) return false;
  const domains = domainsOf(rule);
  return (
    domains.size === 0 || adDomains.some((domain) => blockedParent(hostOf(domain), domains) !== undefined)
  );
}

/** Whether the rule sets the bid's floor, or would if the request were not in its control group. */
export const decides = (rule: FloorRule, bid: Pick<Bid, 'demand' | 'adDomains'>, met: readonly MetRule[]) =>
  met.find((one) => (!one.isControl || one.rule === rule) && isForBid(one.rule, bid))?.rule === rule;

const [wordBits, percent] = [2 ** 32, 100];
/** Of a version 7 UUID these are random. */
const randomDigits = 8;

/** From 0 to less than 100, the same for an auction and rule wherever it is asked (MurmurHash3's last steps). */
function drawOf(auctionId: string, ruleId: number): number {
  let hash = Number.parseInt(auctionId.slice(-randomDigits), 16) ^ Math.imul(ruleId, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) / wordBits) * percent;
}

/** Of several indexes together: in the order of rules, each once. */
function* inOrder(indexes: readonly FloorIndex[], opportunity: Opportunity): Iterable<FloorRule> {
  const heads = indexes.map((index) => {
    index.begin(opportunity);
    return { index, rule: index.next() };
  });
  for (;;) {
    let first: FloorRule | undefined;
    for (const { rule } of heads) if (rule && (!first || byPriority(rule, first) < 0)) first = rule;
    if (!first) return;
    yield first;
    for (const head of heads) if (head.rule === first) head.rule = head.index.next();
  }
}

/** The rules that decide about bids, and those that would if the request were not in their control group. */
export function metRules(indexes: readonly FloorIndex[], opportunity: Opportunity): MetRule[] {
  const met: MetRule[] = [];
  for (const rule of inOrder(indexes, opportunity)) {
    const { SkipPercent } = rule.settings;
    const isControl = SkipPercent > 0 && drawOf(opportunity.auctionId, rule.id) < SkipPercent;
    met.push({ rule, isControl });
    if (met.length === rulesMax || (!isControl && isForAll(rule))) break;
  }
  return met;
}

/** What the request itself asks, which no rule lowers. */
export const requestFloorOf = (opportunity: Opportunity): Floor =>
  opportunity.requestFloor ?? opportunity.ruleFloors?.otherwise ?? opportunity;

/** Beyond all bids. */
const priceMax: CpmMicros = cpmMicrosOf(cpmUsdMax) + 1;

/** The least price of which so much is the publisher's: what is guaranteed, and its share of the rest. */
function priceFor(publisherCpmMicros: CpmMicros, guaranteedCpmMicros: CpmMicros, share: number): CpmMicros {
  const above = publisherCpmMicros - guaranteedCpmMicros;
  let price = guaranteedCpmMicros + Math.ceil((above * percent) / share);
  while (price < priceMax && Math.floor(((price - guaranteedCpmMicros) * share) / percent) < above)
    price += 1;
  return Math.min(price, priceMax);
}

/** In the currency in which the impression's floor was named. */
function expressed(floorCpmMicros: CpmMicros, foreign: ForeignPrice | undefined): Floor {
  if (foreign === undefined) return { floorCpmMicros };
  return { floorCpmMicros, foreignFloor: { ...foreign, cpm: amountIn(floorCpmMicros, foreign) } };
}

function ruleFloorOf(
  rule: FloorRule,
  own: Floor,
  supply: Supply,
  opportunity: Opportunity,
): RuleFloor | Refusal {
  const { Currency, Net } = rule.settings;
  const foreign = currencyAt(Currency, 'Currency', opportunity);
  if (foreign && isRefusal(foreign)) return refuseCurrency('FloorRule', `${Currency}, by ${ruleName(rule)}`);
  const named = floorOf(rule.floorCpm, foreign).floorCpmMicros;
  const request = requestFloorOf(opportunity).floorCpmMicros;
  const guaranteed = Math.max(request, Math.min(own.floorCpmMicros, named));
  const share = supply.publisherProfitShare;
  const isRaised = Net === 1 && named > guaranteed;
  const asked = Math.max(request, isRaised && share > 0 ? priceFor(named, guaranteed, share) : named);
  return {
    rule,
    ...expressed(asked, own.foreignFloor),
    // Without a share the publisher gets floors alone, so that only this one leaves it so much.
    guaranteedCpmMicros: isRaised && share === 0 ? asked : guaranteed,
  };
}

/** Whether its floor was found by the bids, not set. */
export const isFloorFound = ({ settings: { Auto, AutoFloor } }: FloorRule) =>
  Auto === 1 && AutoFloor !== null;

/** As refusals name it. */
export const ruleName = (rule: FloorRule) => {
  const { Name } = rule.settings;
  return `Floor Rule ${rule.id}${Name && ` (${Name})`}${isFloorFound(rule) ? ', which found it' : ''}`;
};

function ruleFloorsIn(
  supply: Supply,
  indexes: readonly FloorIndex[],
  opportunity: Opportunity,
): RuleFloors | Refusal | undefined {
  const met = metRules(indexes, opportunity);
  if (met.length === 0) return undefined;
  const { floorCpmMicros, foreignFloor } = opportunity;
  const otherwise: Floor = { floorCpmMicros, ...(foreignFloor && { foreignFloor }) };
  const rules: RuleFloor[] = [];
  for (const { rule, isControl } of met) {
    if (isControl) continue;
    const floor = ruleFloorOf(rule, otherwise, supply, opportunity);
    if (isRefusal(floor)) return floor;
    rules.push(floor);
  }
  return { met, rules, otherwise };
}

const lower = (one: Floor, other: Floor) => (other.floorCpmMicros < one.floorCpmMicros ? other : one);

/** Surely asked of what a demand object bids, or of any bid: the lowest that may hold. */
function leastFloor({ rules, otherwise }: RuleFloors, demand?: Pick<Demand, 'kind' | 'id'>): Floor {
  let least: Floor | undefined;
  for (const floor of rules) {
    if (demand && !isForDemand(floor.rule, demand)) continue;
    least = least ? lower(least, floor) : floor;
    const isSure =
      domainsOf(floor.rule).size === 0 && (demand !== undefined || floor.rule.bidders === undefined);
    if (isSure) return least;
  }
  return least ? lower(least, otherwise) : otherwise;
}

type RuledFloor = Floor & Pick<Opportunity, 'ruleFloors'>;

const floorIn = ({ floorCpmMicros, foreignFloor }: Floor) => ({ floorCpmMicros, foreignFloor });

/**
 * Finds the floor rules of the impression, for each medium that it may be of. Refuses if a rule decides whose currency
 * has no rate.
 */
export function applyFloorRules(auction: Auction): Refusal | undefined {
  const { supply, opportunity, services } = auction;
  const indexes = services.floorsOf?.(supply) ?? [];
  if (indexes.length === 0) return undefined;
  const ofMedia: RuledFloor[] = [];
  for (const media of mediaIn(opportunity)) {
    const ruleFloors = ruleFloorsIn(supply, indexes, withMedia(opportunity, [media]));
    if (ruleFloors && isRefusal(ruleFloors)) return ruleFloors;
    ofMedia.push({ ...floorIn(ruleFloors ? leastFloor(ruleFloors) : opportunity), ruleFloors });
  }
  auction.isRuled = ofMedia.some(({ ruleFloors }) => ruleFloors);
  if (!auction.isRuled) return undefined;
  const variants = opportunity.variants?.map((variant, place) => ({ ...variant, ...ofMedia[place] }));
  auction.opportunity = { ...opportunity, ...ofMedia[0], variants };
  return undefined;
}

/** The impression as a candidate is told it, of the media that it is asked for: with the floor that is surely asked. */
export function toldTo({ demand, media }: Candidate, opportunity: Opportunity): Opportunity {
  const asked = media ? withMedia(opportunity, media) : opportunity;
  const floors = mediaIn(asked).map((one) => {
    const own = inMedium(asked, one);
    return own.ruleFloors ? leastFloor(own.ruleFloors, demand) : own;
  });
  return { ...asked, ...floorIn(floors.reduce(lower)) };
}

/** The rule's floor that holds for a bid; undefined if none is for it. */
export const ruleFloorFor = (bid: Bid, { rules }: RuleFloors): RuleFloor | undefined =>
  rules.find(({ rule }) => isForBid(rule, bid));

/** Of an auction; its events count for each of them. */
export const floorUsesMax = rulesMax;

/** Of all media, each rule once: whether it is the control group does not depend on the medium. */
export function floorUsesOf({ opportunity, isRuled }: Pick<Auction, 'opportunity' | 'isRuled'>): FloorUse[] {
  if (!isRuled) return [];
  const uses = new Map<number, FloorUse>();
  for (const media of mediaIn(opportunity))
    for (const { rule, isControl } of inMedium(opportunity, media).ruleFloors?.met ?? [])
      uses.set(rule.id, { ruleId: rule.id, isControl });
  return [...uses.values()].slice(0, floorUsesMax);
}
