import { type CooperativeTask, runAtOnce } from '../../cooperative-task.ts';
import type { Opportunity } from '../../opportunity.ts';
import type { Refusal } from '../../reasons.ts';
import type { Demand } from '../../snapshot/demand.ts';
import { inactivities, inactivity } from '../../snapshot/inactivity.ts';
import type { Lists } from '../rule.ts';
import { demandRules } from '../rules.ts';
import { createRefusedCounts, type RefusedCounts } from './refused-counts.ts';
import type { RowReader } from './row-change.ts';
import { emptyRuleTables, type RuleTables } from './rule-tables.ts';

export interface Candidates {
  /** In the order of the connection, inactive ones too. */
  readonly connected: readonly Demand[];
  /** Active ones (owner too) that all rules admit. `refused` counts the others by first refusal, as in `explain`. */
  select(opportunity: Opportunity, refused?: RefusedCounts): Demand[];
  refusedCounts(): RefusedCounts;
  /** The first rule that refuses it; undefined if it is admitted. */
  explain(demand: Demand, opportunity: Opportunity): Refusal | undefined;
  /** Every reason, the first one first. */
  refusals(demand: Demand, opportunity: Opportunity): readonly Refusal[];
}

export interface CandidateIndex extends Candidates {
  /** Compiles only objects that are new or ask something else now. */
  after(connected: readonly Demand[]): CooperativeTask<CandidateIndex>;
}

type Tables = RuleTables<Demand>;

function* tablesAfter(
  before: Tables,
  connected: readonly Demand[],
  reading: RowReader<Demand>,
): CooperativeTask<Tables> {
  const serving = connected.filter((demand) => inactivity(demand, 'AdvertiserId') === undefined);
  return yield* before.after(serving, reading);
}

function indexOf(
  connected: readonly Demand[],
  reading: RowReader<Demand>,
  lists: Lists,
  known: Tables | undefined,
): CandidateIndex {
  let tables = known;
  const built = (): Tables => {
    tables ??= runAtOnce(tablesAfter(emptyRuleTables(demandRules, lists), connected, reading));
    return tables;
  };
  return {
    connected,
    select(opportunity, refused) {
      const { members, keys, begin, refusedBy } = built();
      const selected: Demand[] = [];
      refused?.add(opportunity);
      const count = begin(opportunity);
      for (let at = 0; at < count; at += 1) {
        const index = keys.admitted[at] as number;
        const rule = refusedBy(index);
        if (rule < 0) selected.push(members[index] as Demand);
        else refused?.addRefused(index, rule);
      }
      return selected;
    },
    refusedCounts() {
      const { members, keys } = built();
      return createRefusedCounts(connected, members, keys.refusals());
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
    refusals(demand, opportunity) {
      const ofRules = demand.checks.flatMap((check) => check(opportunity) ?? []);
      return [...inactivities(demand, 'AdvertiserId'), ...ofRules];
    },
    *after(next) {
      return indexOf(next, reading, lists, tables && (yield* tablesAfter(tables, next, reading)));
    },
  };
}

/** `checks` are those of `demandRules`. Tables are built at the first selection, so that idle supply costs nothing. */
export function createCandidateIndex(
  connected: readonly Demand[],
  reading: RowReader<Demand>,
  lists: Lists,
): CandidateIndex {
  return indexOf(connected, reading, lists, undefined);
}
