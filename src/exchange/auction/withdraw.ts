import type { Limited } from '../limits/limits.ts';
import type { Refusal } from '../reasons.ts';
import { type Auction, promisedTo } from './auction.ts';

/** Takes back the promise that an object has made to an auction, if it has. */
export function freePromise({ promised, opportunity, services }: Auction, object: Limited): void {
  const index = promised.indexOf(object);
  if (index === -1) return;
  promised.splice(index, 1);
  services.limits.withdraw(object, opportunity.timeMs, promisedTo(opportunity));
}

/** Takes back all promises made to an auction. None of its tokens may have been given out. */
export function freePromises(auction: Auction): void {
  for (const object of [...auction.promised]) freePromise(auction, object);
}

/** Takes back an auction's ads because nobody was given them. They have then not won, and `refusal` says why. */
export function withdraw(auction: Auction, refusal: Refusal): void {
  freePromises(auction);
  if (auction.ranking.length === 0) return;
  auction.services.limits.giveBackBid(auction.supply, auction.opportunity.timeMs);
  for (const { candidate } of auction.ranking) candidate.refusal = refusal;
  auction.ranking = [];
  auction.refusal = refusal;
}
