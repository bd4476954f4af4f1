import { inMedium, mediaIn, withMedia } from '../media-variants.ts';
import type { Media, Opportunity } from '../opportunity.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { RefusedCounts } from '../targeting/index/refused-counts.ts';
import { type Auction, type Candidate, isOut, newCandidate, type Step } from './auction.ts';

export const isByMedium = ({ reason }: Refusal) => reason === 'media_not_enabled';

const noFloor = { floorCpmMicros: 0 };

/** Where deals may be below it, `rate` judges the floor. */
function withoutFloor({ deals }: Supply, opportunity: Opportunity): Opportunity {
  if (!deals) return opportunity;
  const variants = opportunity.variants?.map((variant) => ({ ...variant, ...noFloor }));
  return { ...opportunity, ...noFloor, variants };
}

interface Examination {
  /** Why targeting refuses it, the first reason first; of several media, for the one that comes nearest. */
  readonly refusals: readonly Refusal[];
  /** Undefined if the impression has one. */
  readonly media: readonly Media[] | undefined;
}

/** By all rules; a medium that it does not take is a reason only if no other is left. */
export function examineTargeting(supply: Supply, demand: Demand, asked: Opportunity): Examination {
  const { candidates } = supply;
  const opportunity = withoutFloor(supply, asked);
  if (!opportunity.variants) {
    return { refusals: candidates.refusals(demand, opportunity), media: undefined };
  }
  const examined = mediaIn(opportunity).map((media) => ({
    media,
    refusals: candidates.refusals(demand, withMedia(opportunity, [media])),
  }));
  const taken = examined.filter(({ refusals }) => !refusals.some(isByMedium));
  const fewest = Math.min(...taken.map(({ refusals }) => refusals.length));
  const nearest = taken.filter(({ refusals }) => refusals.length === fewest);
  return {
    refusals: nearest[0]?.refusals ?? candidates.refusals(demand, opportunity),
    media: nearest.map(({ media }) => media),
  };
}

/** Undefined if targeting admits it. */
export function targetingRefusal(
  supply: Supply,
  demand: Demand,
  opportunity: Opportunity,
): Refusal | undefined {
  if (!opportunity.variants) return supply.candidates.explain(demand, withoutFloor(supply, opportunity));
  return examineTargeting(supply, demand, opportunity).refusals[0];
}

function examined({ supply, opportunity }: Auction, demand: Demand): Candidate {
  const { refusals, media } = examineTargeting(supply, demand, opportunity);
  const candidate = newCandidate(demand, [], media);
  for (const refusal of refusals) isOut(candidate, refusal);
  return candidate;
}

/** Counts under the reason that an explanation gives first. */
function countRefusals(
  supply: Supply,
  opportunity: Opportunity,
  selected: ReadonlyMap<Demand, readonly Media[]>,
  refused: RefusedCounts,
): void {
  const { candidates } = supply;
  const asked = new Set(candidates.select(opportunity, refused));
  for (const demand of selected.keys()) {
    const refusal = asked.has(demand) ? undefined : candidates.explain(demand, opportunity);
    if (refusal) refused.change(demand, refusal.reason, -1);
  }
  for (const demand of asked) {
    const refusal = selected.has(demand) ? undefined : targetingRefusal(supply, demand, opportunity);
    if (refusal) refused.change(demand, refusal.reason, 1);
  }
}

/** Each medium's candidates by themselves, because sizes and what demand takes depend on it. */
function selectByMedium(
  supply: Supply,
  opportunity: Opportunity,
  refused: RefusedCounts | undefined,
): Candidate[] {
  const selected = new Map<Demand, Media[]>();
  for (const media of mediaIn(opportunity)) {
    for (const demand of supply.candidates.select(withMedia(opportunity, [media]))) {
      const known = selected.get(demand);
      if (known) known.push(media);
      else selected.set(demand, [media]);
    }
  }
  if (refused) countRefusals(supply, opportunity, selected, refused);
  return [...selected].map(([demand, media]) => newCandidate(demand, undefined, media));
}

/**
 * Selects connected, active demand that matches. Counts refusals here, because crawl findings may change any moment. An
 * explanation takes all that is connected.
 */
export const select: Step = (auction) => {
  const { supply, opportunity, services, refusals } = auction;
  const refused = refusals ? undefined : services.targetingRefusals?.of(supply, opportunity.timeMs);
  const asked = withoutFloor(supply, opportunity);
  if (refusals) auction.candidates = supply.candidates.connected.map((demand) => examined(auction, demand));
  else if (asked.variants) auction.candidates = selectByMedium(supply, asked, refused);
  else auction.candidates = supply.candidates.select(asked, refused).map((demand) => newCandidate(demand));
  // Without a winner, the auction counts as one for the first medium that has demand.
  const [first] = auction.candidates[0]?.media ?? [];
  if (first) auction.opportunity = inMedium(opportunity, first);
  return auction.candidates.length > 0 ? undefined : refuse('no_demand');
};
