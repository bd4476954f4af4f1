import type { Bid } from '../demand/demand-kind.ts';
import type { Nanos } from '../money.ts';
import { isRefusal, type Refusal } from '../reasons.ts';
import type { Limited } from '../snapshot/limited.ts';
import { type Auction, promisedIn } from './auction.ts';
import { freePromise } from './withdraw.ts';

/** Whose limits an ad uses. */
export const limitedBy = (
  supply: Limited,
  demand: Limited,
  { deal }: Pick<Bid, 'deal'>,
): readonly Limited[] => (deal ? [supply, demand, deal.deal] : [supply, demand]);

/** Reserves what an ad may cost the object. */
export function reserve(auction: Auction, object: Limited, nanos: Nanos): Refusal | undefined {
  const { services, promises } = auction;
  const promised = services.limits.reserve(object, promisedIn(auction), nanos);
  if (promised === undefined || isRefusal(promised)) return promised;
  promises.set(object, promised);
  return undefined;
}

/** What is reserved already, for an amount that follows from that. */
export function reprice(
  auction: Auction,
  object: Limited,
  nanosOf: (reserved: Nanos) => Nanos,
): Refusal | undefined {
  const { services, promises } = auction;
  const promised = promises.get(object);
  if (!promised) return undefined;
  const changed = services.limits.reprice(object, promised, promisedIn(auction), nanosOf(promised.nanos));
  if (isRefusal(changed)) return changed;
  promises.set(object, changed);
  return undefined;
}

/** Of one ad of a waterfall is shown, so that its deal reserves the highest price. */
function reserveOfDeal(auction: Auction, deal: Limited, nanos: Nanos): Refusal | undefined {
  return auction.promises.has(deal)
    ? reprice(auction, deal, (reserved) => Math.max(reserved, nanos))
    : reserve(auction, deal, nanos);
}

/** Reserves a bid's price of demand and deal, or of neither. */
export function reserveBid(
  auction: Auction,
  demand: Limited,
  { deal }: Pick<Bid, 'deal'>,
  nanos: Nanos,
): Refusal | undefined {
  const refusal = reserve(auction, demand, nanos);
  if (refusal || !deal) return refusal;
  const ofDeal = reserveOfDeal(auction, deal.deal, nanos);
  if (ofDeal) freePromise(auction, demand);
  return ofDeal;
}
