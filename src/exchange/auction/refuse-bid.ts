import type { Bid } from '../demand/demand-kind.ts';
import type { Refusal } from '../reasons.ts';
import type { Auction, Candidate } from './auction.ts';
import { judgeUnreadBid } from './judge.ts';

/** Returns the answer's next bid that may win, which takes its place; without one the candidate is out. */
export function refuseBid(
  { supply, opportunity }: Auction,
  candidate: Candidate,
  refusal: Refusal,
): Bid | undefined {
  const { bid } = candidate;
  candidate.refusal = refusal;
  if (bid === undefined || candidate.further.length + candidate.refused.length === 0) return undefined;
  const refused = [...candidate.refused, { bid, refusal }];
  for (const [index, next] of candidate.further.entries()) {
    const why = judgeUnreadBid(supply, next, opportunity);
    if (why === undefined) {
      Object.assign(candidate, {
        bid: next,
        refusal: undefined,
        refused,
        further: candidate.further.slice(index + 1),
      });
      return next;
    }
    refused.push({ bid: next, refusal: why });
  }
  const [best, ...others] = refused;
  Object.assign(candidate, { ...best, refused: others, further: [] });
  return undefined;
}
