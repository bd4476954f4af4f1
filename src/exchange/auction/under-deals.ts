import { roleOf } from '../../entities/kinds.ts';
import type { Bid } from '../demand/demand-kind.ts';
import type { OfferedDeal } from '../offered-deal.ts';
import type { Candidate } from './auction.ts';
import { dealRefusal } from './bid-rules/deal.ts';
import { compareBids, priorityOf } from './clear.ts';

/** What a bid names, or, if its kind names none, the best whose terms it meets. */
function dealOf(bid: Bid, deals: readonly OfferedDeal[]): OfferedDeal | undefined {
  return roleOf(bid.demand.kind).deals === 'named'
    ? deals.find((offer) => dealRefusal(bid, offer) === undefined)
    : deals.find(({ deal }) => deal.settings.Code === bid.dealId);
}

function underDeal(bid: Bid, deals: readonly OfferedDeal[]): Bid {
  const deal = dealOf(bid, deals);
  return deal ? { ...bid, deal, dealId: deal.deal.settings.Code } : bid;
}

const ranked = (bid: Bid) => ({ ...bid, priority: priorityOf(bid) });

/** The answer's bids with their deals, the best first. */
export function underDeals(answer: Bid, { deals }: Candidate): Bid {
  if (deals === undefined) return answer;
  const bids = [answer, ...(answer.further ?? [])].map((bid) => underDeal(bid, deals));
  const [best = answer, ...further] = bids.toSorted((one, other) => compareBids(ranked(one), ranked(other)));
  const { lost, tolerated } = answer;
  return { ...best, further, lost, tolerated } as Bid;
}
