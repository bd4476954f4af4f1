import type { Limited } from '../limits/limits.ts';
import type { Refusal } from '../reasons.ts';
import { type Auction, promisedTo } from './auction.ts';

/** Takes back what an object has promised an auction. */
export function freePromise({ promised, opportunity, services }: Auction, object: Limited): void {
  const index = promised.indexOf(object);
  if (index === -1) return;
  promised.splice(index, 1);
  services.limits.withdraw(object, opportunity.timeMs, promisedTo(opportunity));
}

/** Takes back all that an auction was promised: no token of it may be out. */
export function freePromises(auction: Auction): void {
  for (const object of [...auction.promised]) freePromise(auction, object);
}

/** Takes an auction's ads back that nobody was given, which then have not won: `refusal` says why. */
export function withdraw(auction: Auction, refusal: Refusal): void {
  freePromises(auction);
  if (auction.ranking.length === 0) return;
  auction.services.limits.giveBackBid(auction.supply, auction.opportunity.timeMs);
  for (const { candidate } of auction.ranking) candidate.refusal = refusal;
  auction.ranking = [];
  auction.refusal = refusal;
}
