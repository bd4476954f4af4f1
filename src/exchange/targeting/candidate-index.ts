import type { ConfigurationObject } from '../configuration.ts';
import type { Opportunity } from '../opportunity.ts';
import { type Refusal, refuse } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';
import { createKeyBitmaps, type KeyBitmaps } from './key-bitmaps.ts';
import { demandRules } from './rules.ts';

/** The demand connected to one supply object, compiled: bitmaps by key, then checks on what is left. */
export interface CandidateIndex {
  /** All connected demand objects, in the order of the connection, the inactive ones too. */
  readonly connected: readonly Demand[];
  /** Those that are active (owner too) and whose every rule admits the opportunity, in the same order. */
  select(opportunity: Opportunity): Demand[];
  /** The first refusal of one of them, by rule order; undefined where it is admitted. */
  explain(demand: Demand, opportunity: Opportunity): Refusal | undefined;
}

const keyRules = demandRules.filter((rule) => rule.form === 'keys');

function inactivity({ isActive, account, document }: Demand): Refusal | undefined {
  if (!isActive) return refuse('inactive', { field: 'Status', wanted: 0, met: 1 });
  if (account.isActive) return undefined;
  return refuse('owner_inactive', { field: 'AdvertiserId', wanted: 'active', met: document.AdvertiserId });
}

/** Whether the checks that the bitmaps could not decide let it through. */
function passes({ checks }: Demand, opportunity: Opportunity): boolean {
  for (const check of checks) {
    if (!check.isIndexed && check(opportunity) !== undefined) return false;
  }
  return true;
}

/**
 * Indexes the connected demand, whose `checks` are those of `demandRules`. The bitmaps are built at the first
 * selection, so that supply without traffic costs nothing when its demand changes.
 */
export function createCandidateIndex(
  connected: readonly Demand[],
  objectOf: (demand: Demand) => ConfigurationObject,
): CandidateIndex {
  const objects = connected.map(objectOf);
  const isServing = (index: number) => {
    const demand = connected[index];
    return demand !== undefined && inactivity(demand) === undefined;
  };
  let bitmaps: KeyBitmaps | undefined;
  return {
    connected,
    select(opportunity) {
      bitmaps ??= createKeyBitmaps(objects, isServing, keyRules);
      const selected: Demand[] = [];
      bitmaps.forEachAdmitted(opportunity, (index) => {
        const demand = connected[index];
        if (demand && passes(demand, opportunity)) selected.push(demand);
      });
      return selected;
    },
    explain(demand, opportunity) {
      const inactive = inactivity(demand);
      if (inactive) return inactive;
      for (const check of demand.checks) {
        const refusal = check(opportunity);
        if (refusal) return refusal;
      }
      return undefined;
    },
  };
}
