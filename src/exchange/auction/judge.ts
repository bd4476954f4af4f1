import { isUnread } from '../demand/bid-vast.ts';
import type { Bid } from '../demand/demand-kind.ts';
import { inMedium } from '../media-variants.ts';
import { memoizeWeak } from '../memoize-weak.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { ExchangeObject } from '../snapshot/exchange-object.ts';
import type { Supply } from '../snapshot/supply.ts';
import { type Eligibility, isOut } from './auction.ts';
import { adApps } from './bid-rules/ad-apps.ts';
import { adDomains, brands } from './bid-rules/ad-domains.ts';
import { attributes } from './bid-rules/attributes.ts';
import type { BidCheck, BidRule } from './bid-rules/bid-rule.ts';
import { categories } from './bid-rules/categories.ts';
import { deal, unlessOverridden } from './bid-rules/deal.ts';
import { dsa } from './bid-rules/dsa.ts';
import { floor, lengthFloor } from './bid-rules/floor.ts';
import { inlineOnly } from './bid-rules/inline-only.ts';
import { creativeIds, seats } from './bid-rules/listed-ids.ts';
import { duration, format, interfaces, linearity, media, medium } from './bid-rules/media.ts';
import { ownZone } from './bid-rules/own-zone.ts';
import { requestBlocks, requestSeats } from './bid-rules/request-blocks.ts';
import { secure } from './bid-rules/secure.ts';
import { askedSize, listedSize } from './bid-rules/size.ts';
import { vastVersion } from './bid-rules/vast-version.ts';

/** On what a bid declares, in the order they are asked. */
const supplyRules: readonly BidRule[] = [
  () => deal,
  () => floor,
  ...[adDomains, adApps, categories, attributes].map(unlessOverridden),
  creativeIds,
  ...requestBlocks.map((check) => unlessOverridden(() => check)),
  ...requestSeats.map((check) => () => check),
  () => dsa,
  () => medium,
  () => askedSize,
  listedSize,
];

/** Only DSP RTB EPs have such fields. */
const demandRules: readonly BidRule[] = [creativeIds, seats];

/** On the markup, which has to be read first. */
const markupRules: readonly BidRule[] = [
  unlessOverridden(brands),
  secure,
  () => media,
  () => format,
  () => linearity,
  () => interfaces,
  () => duration,
  () => lengthFloor,
  inlineOnly,
  vastVersion,
];

/** Compiles an object's checks once: objects in snapshots never change. */
function compiler(rules: readonly BidRule[]) {
  return memoizeWeak((object: ExchangeObject): readonly BidCheck[] =>
    rules.map((rule) => rule(object)).filter((check) => check !== undefined),
  );
}

const ofSupply = compiler(supplyRules);
const ofDemand = compiler(demandRules);
const ofMarkup = compiler(markupRules);
const loopOf = memoizeWeak((supply: Supply): readonly BidCheck[] => [ownZone(supply)]);

function firstRefusal(
  checks: readonly BidCheck[],
  bid: Bid,
  opportunity: Opportunity,
  examined: Eligibility | undefined,
): Refusal | undefined {
  const own = inMedium(opportunity, bid.media);
  for (const check of checks) {
    const refusal = check(bid, own);
    if (refusal !== undefined && (examined === undefined || isOut(examined, refusal))) return refusal;
  }
  return;
}

/** Judges what a bid declares. An explanation collects all reasons in `examined` and gets none returned. */
function judgeDeclared(
  supply: Supply,
  bid: Bid,
  opportunity: Opportunity,
  examined?: Eligibility,
): Refusal | undefined {
  return (
    firstRefusal(ofSupply(supply), bid, opportunity, examined) ??
    firstRefusal(ofDemand(bid.demand), bid, opportunity, examined)
  );
}

export function judgeMarkup(
  supply: Supply,
  bid: Bid,
  opportunity: Opportunity,
  examined?: Eligibility,
): Refusal | undefined {
  return (
    firstRefusal(ofMarkup(supply), bid, opportunity, examined) ??
    firstRefusal(loopOf(supply), bid, opportunity, examined)
  );
}

/** The first rule that refuses the bid; undefined if it may win. */
export function judgeBid(
  supply: Supply,
  bid: Bid,
  opportunity: Opportunity,
  examined?: Eligibility,
): Refusal | undefined {
  return judgeDeclared(supply, bid, opportunity, examined) ?? judgeMarkup(supply, bid, opportunity, examined);
}

/** Like `judgeBid`, but leaves VAST not read yet to `judgeMarkup`, because most bids are outbid before. */
export function judgeUnreadBid(
  supply: Supply,
  bid: Bid,
  opportunity: Opportunity,
  examined?: Eligibility,
): Refusal | undefined {
  const judgeNow = isUnread(bid) ? judgeDeclared : judgeBid;
  return judgeNow(supply, bid, opportunity, examined);
}
