import { type CooperativeTask, runAtOnce } from '../../cooperative-task.ts';
import type { Opportunity } from '../../opportunity.ts';
import type { Refusal } from '../../reasons.ts';
import type { Demand } from '../../snapshot/demand.ts';
import { inactivities, inactivity } from '../../snapshot/inactivity.ts';
import { hours as hoursRule } from '../hours.ts';
import type { Lists } from '../rule.ts';
import { demandRules } from '../rules.ts';
import { type BoundRows, emptyBoundRows } from './bound-rows.ts';
import { emptyHourRows, type HourRows } from './hour-rows.ts';
import { emptyKeyBitmaps, type KeyBitmaps } from './key-bitmaps.ts';
import { emptyListRows, type ListRows } from './list-rows.ts';
import { createRefusedCounts, type RefusedCounts } from './refused-counts.ts';
import { type RowReader, rowChange } from './row-change.ts';

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

const keyRules = demandRules.filter((rule) => rule.form === 'keys');
const boundRules = demandRules.filter((rule) => rule.form === 'bound');
const listRules = demandRules.filter((rule) => rule.form === 'lists');
/** Indexes among all rules, in this order. */
const firstBound = keyRules.length;
const firstHours = firstBound + boundRules.length;
const firstList = firstHours + 1;

/** Bitmaps for rules on keys, rows for the others. */
interface Tables {
  readonly serving: readonly Demand[];
  readonly keys: KeyBitmaps;
  readonly bounds: BoundRows;
  readonly hours: HourRows;
  readonly lists: ListRows;
}

function emptyTables(lists: Lists): Tables {
  return {
    serving: [],
    keys: emptyKeyBitmaps(keyRules),
    bounds: emptyBoundRows(boundRules),
    hours: emptyHourRows(hoursRule),
    lists: emptyListRows(listRules, lists),
  };
}

function* tablesAfter(
  before: Tables,
  connected: readonly Demand[],
  reading: RowReader<Demand>,
): CooperativeTask<Tables> {
  const serving = connected.filter((demand) => inactivity(demand, 'AdvertiserId') === undefined);
  const change = rowChange(before.serving, serving, reading);
  if (!change) return { ...before, serving };
  return {
    serving,
    keys: yield* before.keys.after(change),
    bounds: yield* before.bounds.after(change),
    hours: yield* before.hours.after(change),
    lists: yield* before.lists.after(change),
  };
}

/** Index among all rules; -1 if none refuses. */
function refusedByRow(
  bounds: BoundRows,
  closed: Uint8Array | undefined,
  lists: ListRows,
  index: number,
): number {
  const bound = bounds.refusedBy(index);
  if (bound >= 0) return firstBound + bound;
  if (closed?.[index] === 1) return firstHours;
  const list = lists.refusedBy(index);
  return list < 0 ? -1 : firstList + list;
}

function indexOf(
  connected: readonly Demand[],
  reading: RowReader<Demand>,
  lists: Lists,
  known: Tables | undefined,
): CandidateIndex {
  let tables = known;
  const built = (): Tables => {
    tables ??= runAtOnce(tablesAfter(emptyTables(lists), connected, reading));
    return tables;
  };
  return {
    connected,
    select(opportunity, refused) {
      const { serving, keys, bounds, hours, lists: listRows } = built();
      const selected: Demand[] = [];
      refused?.add(opportunity);
      const count = keys.narrow(opportunity);
      if (count === 0) return selected;
      bounds.begin(opportunity);
      const closed = hours.closedFor(opportunity);
      listRows.begin(opportunity);
      for (let at = 0; at < count; at += 1) {
        const index = keys.admitted[at] as number;
        const rule = refusedByRow(bounds, closed, listRows, index);
        if (rule < 0) selected.push(serving[index] as Demand);
        else refused?.addRefused(index, rule);
      }
      return selected;
    },
    refusedCounts() {
      const { serving, keys } = built();
      return createRefusedCounts(connected, serving, keys.refusals());
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
