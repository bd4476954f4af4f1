import type { Bid } from '../demand/demand-kind.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';
import type { ExchangeObject } from '../snapshot/exchange-object.ts';
import type { Supply } from '../snapshot/supply.ts';
import { adApps } from './bid-rules/ad-apps.ts';
import { adDomains } from './bid-rules/ad-domains.ts';
import { attributes } from './bid-rules/attributes.ts';
import type { BidCheck, BidRule } from './bid-rules/bid-rule.ts';
import { categories } from './bid-rules/categories.ts';
import { floor } from './bid-rules/floor.ts';
import { inlineOnly } from './bid-rules/inline-only.ts';
import { creativeIds, seats } from './bid-rules/listed-ids.ts';
import { media } from './bid-rules/media.ts';
import { requestBlocks } from './bid-rules/request-blocks.ts';
import { secure } from './bid-rules/secure.ts';
import { size } from './bid-rules/size.ts';

/** Rules of the supply object, in the order in which they refuse (delivery, step 6). */
const supplyRules: readonly BidRule[] = [
  () => floor,
  adDomains,
  adApps,
  categories,
  attributes,
  creativeIds,
  () => requestBlocks,
  secure,
  () => media,
  size,
  inlineOnly,
];

/** Rules of the demand object itself, which a DSP RTB EP has. */
const demandRules: readonly BidRule[] = [creativeIds, seats];

const compiled = new WeakMap<ExchangeObject, readonly BidCheck[]>();

/** The checks of an object, made once: snapshots never change the objects in them. */
function checksOf(object: ExchangeObject, rules: readonly BidRule[]): readonly BidCheck[] {
  const known = compiled.get(object);
  if (known !== undefined) return known;
  const checks = rules.map((rule) => rule(object)).filter((check) => check !== undefined);
  compiled.set(object, checks);
  return checks;
}

function firstRefusal(checks: readonly BidCheck[], bid: Bid, opportunity: Opportunity): Refusal | undefined {
  for (const check of checks) {
    const refusal = check(bid, opportunity);
    if (refusal !== undefined) return refusal;
  }
  return;
}

/** Why a bid may not win the opportunity: the first rule that refuses it, the supply's first; undefined where it may. */
export function judge(supply: Supply, bid: Bid, opportunity: Opportunity): Refusal | undefined {
  const { demand }: { demand: Demand } = bid;
  return (
    firstRefusal(checksOf(supply, supplyRules), bid, opportunity) ??
    firstRefusal(checksOf(demand, demandRules), bid, opportunity)
  );
}
