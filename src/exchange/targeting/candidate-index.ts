import type { ConfigurationObject } from '../configuration.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Refusal } from '../reasons.ts';
import type { Demand } from '../snapshot/demand.ts';
import { inactivity } from '../snapshot/inactivity.ts';
import { createBoundRows } from './bound-rows.ts';
import { createKeyBitmaps } from './key-bitmaps.ts';
import { createListRows } from './list-rows.ts';
import type { Lists } from './rule.ts';
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
const boundRules = demandRules.filter((rule) => rule.form === 'bound');
const listRules = demandRules.filter((rule) => rule.form === 'lists');

/** What selection asks of those that serve: bitmaps for rules on keys, rows of numbers for the others. */
function tablesOf(
  connected: readonly Demand[],
  objectOf: (demand: Demand) => ConfigurationObject,
  lists: Lists,
) {
  const serving = connected.filter((demand) => inactivity(demand, 'AdvertiserId') === undefined);
  const objects = serving.map(objectOf);
  return {
    serving,
    keys: createKeyBitmaps(objects, keyRules),
    bounds: createBoundRows(objects, boundRules),
    lists: createListRows(objects, listRules, lists),
  };
}

/**
 * Indexes the connected demand, whose `checks` are those of `demandRules`. The tables are built at the first
 * selection, so that supply without traffic costs nothing when its demand changes.
 */
export function createCandidateIndex(
  connected: readonly Demand[],
  objectOf: (demand: Demand) => ConfigurationObject,
  lists: Lists,
): CandidateIndex {
  let tables: ReturnType<typeof tablesOf> | undefined;
  return {
    connected,
    select(opportunity) {
      tables ??= tablesOf(connected, objectOf, lists);
      const { serving, keys, bounds, lists: listRows } = tables;
      const selected: Demand[] = [];
      const count = keys.narrow(opportunity);
      if (count === 0) return selected;
      bounds.begin(opportunity);
      listRows.begin(opportunity);
      for (let at = 0; at < count; at += 1) {
        const index = keys.admitted[at] as number;
        if (bounds.admits(index) && listRows.admits(index)) selected.push(serving[index] as Demand);
      }
      return selected;
    },
    explain(demand, opportunity) {
      const inactive = inactivity(demand, 'AdvertiserId');
      if (inactive) return inactive;
      for (const check of demand.checks) {
        const refusal = check(opportunity);
        if (refusal) return refusal;
      }
      return undefined;
    },
  };
}
