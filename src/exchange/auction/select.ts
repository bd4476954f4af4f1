import { refuse } from '../reasons.ts';
import { newCandidate, type Step } from './auction.ts';

/** Finds the connected, active demand whose every targeting rule matches. */
export const select: Step = (auction) => {
  const { supply, opportunity } = auction;
  auction.candidates = supply.candidates.select(opportunity).map(newCandidate);
  return auction.candidates.length > 0 ? undefined : refuse('no_demand');
};
