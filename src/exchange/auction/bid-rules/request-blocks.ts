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

/** Refuses an ad of a blocked category. Where the request lists allowed categories, refuses an ad of none of them. */
function blockedCategory(bid: Bid, { allowedCategories, categories, cattax }: Blocks) {
  if (categories.size + allowedCategories.size === 0) return undefined;
  const other = otherTaxonomy(bid, categories.size > 0 ? 'bcat' : 'acat', cattax);
  if (other) return other;
  const { categories: met } = bid;
  const blocked = listedCategory(met, categories);
  if (blocked) {
    return refuse('category_blocked', { field: 'bcat', wanted: `not ${blocked.found}`, met: blocked.met });
  }
  if (allowedCategories.size === 0 || listedCategory(met, allowedCategories)) return undefined;
  return refuse('category_blocked', { field: 'acat', wanted: [...allowedCategories], met });
}

function blockedAd(bid: Bid, { apps, attributes }: Blocks): Refusal | undefined {
  if (apps.has(bid.appBundle)) return refuse('app_blocked', { field: 'bapp', met: bid.appBundle });
  const attribute = bid.attributes.find((code) => attributes.has(code));
  return attribute === undefined
    ? undefined
    : refuse('attribute_blocked', { field: 'battr', wanted: `not ${attribute}`, met: attribute });
}

function blockedSeat(bid: Bid, { allowedSeats, seats }: Blocks): Refusal | undefined {
  const met = seatOf(bid);
  if (seats.has(met)) return refuse('seat_listed', { field: 'bseat', wanted: `not ${met}`, met });
  if (allowedSeats.size === 0 || allowedSeats.has(met)) return undefined;
  return refuse('seat_listed', { field: 'wseat', wanted: allowedSeats, met });
}

/**
 * What the request itself blocks (OpenRTB 2.6 section 3.2.1: `badv`, `bcat`, `acat`, `bapp`, `wseat`, `bseat`;
 * `battr`).
 */
export const requestBlocks: BidCheck = (bid, { blocks }) =>
  blocks &&
  (blockedDomain(bid, blocks) ??
    blockedCategory(bid, blocks) ??
    blockedAd(bid, blocks) ??
    blockedSeat(bid, blocks));
