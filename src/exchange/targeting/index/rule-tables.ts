import type { CooperativeTask } from '../../cooperative-task.ts';
import type { Opportunity } from '../../opportunity.ts';
import { hours as hoursRule } from '../hours.ts';
import type { IndexedRule, Lists } from '../rule.ts';
import { type BoundRows, emptyBoundRows } from './bound-rows.ts';
import { emptyHourRows, type HourRows } from './hour-rows.ts';
import { emptyKeyBitmaps, type KeyBitmaps } from './key-bitmaps.ts';
import { emptyListRows, type ListRows } from './list-rows.ts';
import { type RowReader, rowChange } from './row-change.ts';

/** Whom rules admit: bitmaps for rules on keys, rows for the others. */
export interface RuleTables<Member> {
  readonly members: readonly Member[];
  readonly keys: KeyBitmaps;
  /** Writes the places that rules on keys admit into `keys.admitted`, and returns how many. */
  begin(opportunity: Opportunity): number;
  /** Of a place that `begin` wrote: index among all rules of the first that refuses it; -1 if all admit it. */
  refusedBy(place: number): number;
  /** Reads only members that are new or ask something else now. */
  after(members: readonly Member[], reading: RowReader<Member>): CooperativeTask<RuleTables<Member>>;
}

interface Parts {
  readonly keys: KeyBitmaps;
  readonly bounds: BoundRows;
  readonly hours: HourRows;
  readonly lists: ListRows;
}

/** Indexes among all rules, of the first of a form. */
interface FirstRules {
  readonly firstBound: number;
  readonly firstHours: number;
  readonly firstList: number;
}

/** Rules are asked form by form: keys, bounds, hours, lists. */
function tablesOf<Member>(members: readonly Member[], parts: Parts, first: FirstRules): RuleTables<Member> {
  const { keys, bounds, hours, lists } = parts;
  const { firstBound, firstHours, firstList } = first;
  let closed: Uint8Array | undefined;
  return {
    members,
    keys,
    begin(opportunity) {
      const count = keys.narrow(opportunity);
      if (count === 0) return 0;
      bounds.begin(opportunity);
      closed = hours.closedFor(opportunity);
      lists.begin(opportunity);
      return count;
    },
    refusedBy(place) {
      const bound = bounds.refusedBy(place);
      if (bound >= 0) return firstBound + bound;
      if (closed?.[place] === 1) return firstHours;
      const list = lists.refusedBy(place);
      return list < 0 ? -1 : firstList + list;
    },
    *after(next, reading) {
      const change = rowChange(members, next, reading);
      if (!change) return tablesOf(next, parts, first);
      const changed = {
        keys: yield* keys.after(change),
        bounds: yield* bounds.after(change),
        hours: yield* hours.after(change),
        lists: yield* lists.after(change),
      };
      return tablesOf(next, changed, first);
    },
  };
}

export function emptyRuleTables<Member>(rules: readonly IndexedRule[], lists: Lists): RuleTables<Member> {
  const keyRules = rules.filter((rule) => rule.form === 'keys');
  const boundRules = rules.filter((rule) => rule.form === 'bound');
  const listRules = rules.filter((rule) => rule.form === 'lists');
  const firstHours = keyRules.length + boundRules.length;
  const parts: Parts = {
    keys: emptyKeyBitmaps(keyRules),
    bounds: emptyBoundRows(boundRules),
    hours: emptyHourRows(hoursRule),
    lists: emptyListRows(listRules, lists),
  };
  return tablesOf([], parts, { firstBound: keyRules.length, firstHours, firstList: firstHours + 1 });
}
