import type { Bid } from '../../demand/demand-kind.ts';
import { seatOf } from '../../demand/seat-of.ts';
import type { Blocks } from '../../opportunity.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import { blockedParent, hostOf } from './ad-domains.ts';
import type { BidCheck } from './bid-rule.ts';
import { blockedCategory } from './categories.ts';

function blockedDomain({ adDomains }: Bid, { domains }: Blocks): Refusal | undefined {
  if (domains.size === 0) return undefined;
  for (const met of adDomains) {
    const blocked = blockedParent(hostOf(met), domains);
    if (blocked !== undefined)
      return refuse('domain_blocked', { field: 'badv', wanted: `not ${blocked}`, met });
  }
  return undefined;
}

function blockedAd(bid: Bid, { apps, attributes, categories }: Blocks): Refusal | undefined {
  const category = blockedCategory(bid.categories, categories);
  if (category) {
    return refuse('category_blocked', { field: 'bcat', wanted: `not ${category.found}`, met: category.met });
  }
  if (apps.has(bid.appBundle)) return refuse('app_blocked', { field: 'bapp', met: bid.appBundle });
  const attribute = bid.attributes.find((told) => attributes.has(told));
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

/** What the request itself blocks (OpenRTB 2.6 section 3.2.1: `badv`, `bcat`, `bapp`, `wseat`, `bseat`; `battr`). */
export const requestBlocks: BidCheck = (bid, { blocks }) =>
  blocks && (blockedDomain(bid, blocks) ?? blockedAd(bid, blocks) ?? blockedSeat(bid, blocks));
