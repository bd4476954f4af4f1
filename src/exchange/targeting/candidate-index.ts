import type { Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';

/** The demand connected to one supply object, compiled: bitmaps by key, then checks on what is left. */
export interface CandidateIndex {
  /** All connected demand objects, in the order of the connection, the inactive ones too. */
  readonly connected: readonly Demand[];
  /** Builds at once what the first selection would build otherwise; absent where there is nothing to build. */
  prepare?(): void;
  /** Those that are active (owner too) and whose every rule admits the opportunity, in the same order. */
  select(opportunity: Opportunity): Demand[];
  /** The first refusal of one of them, by rule order; undefined where it is admitted. */
  explain(demand: Demand, opportunity: Opportunity): Refusal | undefined;
}
