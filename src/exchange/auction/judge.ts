import type { Bid } from '../demand/demand-kind.ts';
import { onceEach } from '../once-each.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { ExchangeObject } from '../snapshot/exchange-object.ts';
import type { Supply } from '../snapshot/supply.ts';
import { adApps } from './bid-rules/ad-apps.ts';
import { adDomains, brands } from './bid-rules/ad-domains.ts';
import { attributes } from './bid-rules/attributes.ts';
import type { BidCheck, BidRule } from './bid-rules/bid-rule.ts';
import { categories } from './bid-rules/categories.ts';
import { floor } from './bid-rules/floor.ts';
import { inlineOnly } from './bid-rules/inline-only.ts';
import { creativeIds, seats } from './bid-rules/listed-ids.ts';
import { media, medium } from './bid-rules/media.ts';
import { requestBlocks } from './bid-rules/request-blocks.ts';
import { secure } from './bid-rules/secure.ts';
import { size } from './bid-rules/size.ts';

/** Rules on what a bid tells of itself, in the order in which they refuse (delivery, step 6). */
const supplyRules: readonly BidRule[] = [
  () => floor,
  adDomains,
  adApps,
  categories,
  attributes,
  creativeIds,
  () => requestBlocks,
  () => medium,
  size,
];

/** The same of the demand object itself, which a DSP RTB EP has. */
const demandRules: readonly BidRule[] = [creativeIds, seats];

/** Rules on what is in the markup, which has to be read for them. */
const markupRules: readonly BidRule[] = [brands, secure, () => media, inlineOnly];

/** The checks of an object, made once: snapshots never change the objects in them. */
function compiler(rules: readonly BidRule[]) {
  return onceEach((object: ExchangeObject): readonly BidCheck[] =>
    rules.map((rule) => rule(object)).filter((check) => check !== undefined),
  );
}

const ofSupply = compiler(supplyRules);
const ofDemand = compiler(demandRules);
const ofMarkup = compiler(markupRules);

function firstRefusal(checks: readonly BidCheck[], bid: Bid, opportunity: Opportunity): Refusal | undefined {
  for (const check of checks) {
    const refusal = check(bid, opportunity);
    if (refusal !== undefined) return refusal;
  }
  return;
}

/** Why what a bid tells of itself keeps it from winning, by the supply's rules first; undefined where nothing does. */
export function judgeTold(supply: Supply, bid: Bid, opportunity: Opportunity): Refusal | undefined {
  return (
    firstRefusal(ofSupply(supply), bid, opportunity) ?? firstRefusal(ofDemand(bid.demand), bid, opportunity)
  );
}

/** Why its markup keeps a bid from winning. Reads it, which takes longer than all else that is done with a bid. */
export function judgeMarkup(supply: Supply, bid: Bid, opportunity: Opportunity): Refusal | undefined {
  return firstRefusal(ofMarkup(supply), bid, opportunity);
}

/** Why a bid may not win the opportunity: the first rule that refuses it; undefined where it may. */
export function judge(supply: Supply, bid: Bid, opportunity: Opportunity): Refusal | undefined {
  return judgeTold(supply, bid, opportunity) ?? judgeMarkup(supply, bid, opportunity);
}
