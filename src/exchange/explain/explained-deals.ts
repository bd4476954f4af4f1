import type { ExplainedDeal } from '../../answers/explanation.ts';
import { roleOf } from '../../entities/kinds.ts';
import type { Auction, Candidate } from '../auction/auction.ts';
import { dealRefusals, limitRefusal } from '../auction/match-deals.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { Deal } from '../snapshot/deal.ts';
import { shownRefusal, shownRefusals } from './explanation.ts';

const dealsMax = 100;

type RefusalsOf = (candidate: Candidate) => readonly Refusal[];

/** If none of its buyers is called, why not. */
function withoutBuyer(deal: Deal, { candidates }: Auction, refusalsOf: RefusalsOf): Refusal[] {
  const buyers = candidates.filter(({ demand }) => deal.isFor(demand));
  const reasons = buyers.map((candidate) => {
    if (!candidate.deals?.some((offer) => offer.deal === deal)) return 'media_not_enabled';
    return refusalsOf(candidate)[0]?.reason;
  });
  if (reasons.includes(undefined)) return [];
  const [kind = 'DspRtbEp'] = deal.buyers.keys();
  const [wanted, met] = buyers.length === 0 ? ['connected', ''] : ['called', [...new Set(reasons)]];
  return [refuse('deal_without_buyer', { field: roleOf(kind).plural, wanted, met })];
}

const inactive = refuse('inactive', { field: 'Status', wanted: 0, met: 1 });

/** Why each deal for the supply object is not offered; `refusalsOf`: why a candidate is not called. */
export function explainedDeals(auction: Auction, refusalsOf: RefusalsOf): ExplainedDeal[] {
  const { supply, opportunity, refusals: ofRequest = [] } = auction;
  const { deals = [], inactiveDeals = [] } = supply;
  return [...deals, ...inactiveDeals].slice(0, dealsMax).map((deal) => {
    const own = [...(deal.isActive ? [] : [inactive]), ...dealRefusals(deal, opportunity)];
    const ofLimits = limitRefusal(auction, deal);
    if (ofLimits) own.push(ofLimits);
    const ofBuyers = own.length > 0 ? [] : withoutBuyer(deal, auction, refusalsOf);
    const refusals = [...own, ...ofBuyers, ...ofRequest];
    return {
      Id: deal.id,
      Code: deal.settings.Code,
      Name: deal.settings.Name,
      Outcome: refusals.length > 0 ? 'refused' : 'offered',
      Rule: refusals[0]?.reason ?? '',
      ...shownRefusal(refusals[0]),
      Refusals: shownRefusals(refusals),
    };
  });
}
