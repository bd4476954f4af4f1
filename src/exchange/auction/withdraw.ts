import type { Limited } from '../limits/promised.ts';
import type { Refusal } from '../reasons.ts';
import { type Auction, promisedIn } from './auction.ts';

/** Takes back the promise that an object has made to an auction, if it has. */
export function freePromise({ promises, opportunity, services }: Auction, object: Limited): void {
  const promised = promises.get(object);
  if (!promised) return;
  promises.delete(object);
  services.limits.withdraw(promised, promisedIn(opportunity));
}

/** Takes back all promises made to an auction. None of its tokens may have been given out. */
export function freePromises(auction: Auction): void {
  for (const object of [...auction.promises.keys()]) freePromise(auction, object);
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
