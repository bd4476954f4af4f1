import type { Bid } from '../../demand/demand-kind.ts';
import { seatOf } from '../../demand/seat-of.ts';
import type { Blocks } from '../../opportunity.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import { blockedParent, hostOf } from './ad-domains.ts';
import type { BidCheck } from './bid-rule.ts';
import { listedCategory, otherTaxonomy } from './categories.ts';

function blockedDomain({ adDomains }: Bid, { domains }: Blocks): Refusal | undefined {
  if (domains.size === 0) return undefined;
  for (const met of adDomains) {
    const blocked = blockedParent(hostOf(met), domains);
    if (blocked !== undefined)
      return refuse('domain_blocked', { field: 'badv', wanted: `not ${blocked}`, met });
  }
  return undefined;
}

function blockedCategory(bid: Bid, { categories, cattax }: Blocks): Refusal | undefined {
  if (categories.size === 0) return undefined;
  const field = 'bcat';
  const other = otherTaxonomy(bid, field, cattax);
  if (other) return other;
  const blocked = listedCategory(bid.categories, categories);
  return blocked && refuse('category_blocked', { field, wanted: `not ${blocked.found}`, met: blocked.met });
}

function otherCategory(bid: Bid, { allowedCategories, cattax }: Blocks): Refusal | undefined {
  if (allowedCategories.size === 0) return undefined;
  const [field, met] = ['acat', bid.categories];
  const other = otherTaxonomy(bid, field, cattax);
  if (other || listedCategory(met, allowedCategories)) return other;
  return refuse('category_blocked', { field, wanted: [...allowedCategories], met });
}

function blockedApp({ appBundle: met }: Bid, { apps }: Blocks): Refusal | undefined {
  return apps.has(met) ? refuse('app_blocked', { field: 'bapp', met }) : undefined;
}

function blockedAttribute(bid: Bid, { attributes }: Blocks): Refusal | undefined {
  const attribute = bid.attributes.find((code) => attributes.has(code));
  return attribute === undefined
    ? undefined
    : refuse('attribute_blocked', { field: 'battr', wanted: `not ${attribute}`, met: attribute });
}

function blockedSeat(bid: Bid, { seats }: Blocks): Refusal | undefined {
  const met = seatOf(bid);
  return seats.has(met) ? refuse('seat_listed', { field: 'bseat', wanted: `not ${met}`, met }) : undefined;
}

function otherSeat(bid: Bid, { allowedSeats }: Blocks): Refusal | undefined {
  const met = seatOf(bid);
  if (allowedSeats.size === 0 || allowedSeats.has(met)) return undefined;
  return refuse('seat_listed', { field: 'wseat', wanted: allowedSeats, met });
}

const ofRequest = (rules: readonly ((bid: Bid, blocks: Blocks) => Refusal | undefined)[]): BidCheck[] =>
  rules.map(
    (rule) =>
      (bid, { blocks }) =>
        blocks && rule(bid, blocks),
  );

/** What the request itself blocks (OpenRTB 2.6 section 3.2.1 and `battr`). */
export const requestBlocks = ofRequest([
  blockedDomain,
  blockedCategory,
  otherCategory,
  blockedApp,
  blockedAttribute,
]);

export const requestSeats = ofRequest([blockedSeat, otherSeat]);
