import type { Bid } from '../demand/demand-kind.ts';
import type { Refusal } from '../reasons.ts';
import type { Limited } from '../snapshot/limited.ts';
import { type Auction, adsOf, promisedIn } from './auction.ts';

export function freePromise(auction: Auction, object: Limited): void {
  const { promises, services } = auction;
  const promised = promises.get(object);
  if (!promised) return;
  promises.delete(object);
  services.limits.release(promised, promisedIn(auction), object);
}

/** Of a bid that will not be shown; its deal's stays if another bid of the ranking is under it. */
export function freeBid(auction: Auction, demand: Limited, { deal }: Pick<Bid, 'deal'>): void {
  freePromise(auction, demand);
  const isUsed = auction.ranking.some(({ bid }) => bid.deal?.deal === deal?.deal);
  if (deal && !isUsed) freePromise(auction, deal.deal);
}

/** None of its tokens may have been handed out. */
export function freePromises(auction: Auction): void {
  for (const ad of adsOf(auction)) for (const object of [...ad.promises.keys()]) freePromise(ad, object);
}

/** Takes back an auction's ads that nobody received. They have not won; `refusal` says why. */
export function withdraw(auction: Auction, refusal: Refusal): void {
  freePromises(auction);
  if (auction.ranking.length === 0) return;
  for (const { supply, services, opportunity } of adsOf(auction))
    services.limits.giveBackBid(supply, opportunity.timeMs);
  for (const { candidate } of auction.ranking) {
    candidate.refusal = refusal;
    candidate.refused = [...candidate.refused, ...candidate.alsoWon.map((bid) => ({ bid, refusal }))];
    candidate.alsoWon = [];
  }
  auction.ranking = [];
  auction.pod = undefined;
  auction.refusal = refusal;
}
