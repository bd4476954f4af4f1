import { isUnread } from '../demand/bid-vast.ts';
import type { Bid } from '../demand/demand-kind.ts';
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
import { floor, lengthFloor } from './bid-rules/floor.ts';
import { inlineOnly } from './bid-rules/inline-only.ts';
import { creativeIds, seats } from './bid-rules/listed-ids.ts';
import { duration, format, interfaces, linearity, media, medium } from './bid-rules/media.ts';
import { ownZone } from './bid-rules/own-zone.ts';
import { requestBlocks } from './bid-rules/request-blocks.ts';
import { secure } from './bid-rules/secure.ts';
import { askedSize, listedSize } from './bid-rules/size.ts';
import { vastVersion } from './bid-rules/vast-version.ts';

/** Rules on what a bid declares of its ad, in the order in which they are asked. */
const supplyRules: readonly BidRule[] = [
  () => floor,
  adDomains,
  adApps,
  categories,
  attributes,
  creativeIds,
  ...requestBlocks.map((check) => () => check),
  () => medium,
  () => askedSize,
  listedSize,
];

/** Rules of the same kind that the demand object itself sets; only a DSP RTB EP has such fields. */
const demandRules: readonly BidRule[] = [creativeIds, seats];

/** Rules on the content of the markup, which has to be read first. */
const markupRules: readonly BidRule[] = [
  brands,
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

/** The checks of an object, made once: snapshots never change the objects in them. */
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
  for (const check of checks) {
    const refusal = check(bid, opportunity);
    if (refusal !== undefined && (examined === undefined || isOut(examined, refusal))) return refusal;
  }
  return;
}

/**
 * Why a bid may not win by what it declares of its ad: the supply's rules first, then the demand's; undefined where it
 * may. The refusal is noted in `examined`, where that is given; in an explanation all are noted, and none is returned.
 */
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

/**
 * Why a bid may not win by its markup; undefined where it may. Reads the markup, which takes longer than all else that
 * is done with a bid.
 */
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

/** Why a bid may not win the opportunity: the first rule that refuses it; undefined where it may. */
export function judgeBid(
  supply: Supply,
  bid: Bid,
  opportunity: Opportunity,
  examined?: Eligibility,
): Refusal | undefined {
  return judgeDeclared(supply, bid, opportunity, examined) ?? judgeMarkup(supply, bid, opportunity, examined);
}

/** As `judgeBid`, but VAST that is not read yet is left to `judgeMarkup`, because most bids are outbid before. */
export function judgeUnreadBid(
  supply: Supply,
  bid: Bid,
  opportunity: Opportunity,
  examined?: Eligibility,
): Refusal | undefined {
  const judgeNow = isUnread(bid) ? judgeDeclared : judgeBid;
  return judgeNow(supply, bid, opportunity, examined);
}
