import type { CooperativeTask } from '../../cooperative-task.ts';
import type { Opportunity } from '../../opportunity.ts';
import type { IndexedRule, Lists } from '../rule.ts';
import { type BoundRows, emptyBoundRows } from './bound-rows.ts';
import { emptyKeyBitmaps, type KeyBitmaps } from './key-bitmaps.ts';
import { emptyListRows, type ListRows } from './list-rows.ts';
import { type RowReader, rowChange } from './row-change.ts';

/** Whom rules admit: bitmaps for rules on keys, rows of numbers for the others. */
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

/** Rules are asked form by form: keys, bounds, lists. */
function tablesOf<Member>(
  members: readonly Member[],
  keys: KeyBitmaps,
  bounds: BoundRows,
  lists: ListRows,
  { firstBound, firstList }: { readonly firstBound: number; readonly firstList: number },
): RuleTables<Member> {
  return {
    members,
    keys,
    begin(opportunity) {
      const count = keys.narrow(opportunity);
      if (count === 0) return 0;
      bounds.begin(opportunity);
      lists.begin(opportunity);
      return count;
    },
    refusedBy(place) {
      const bound = bounds.refusedBy(place);
      if (bound >= 0) return firstBound + bound;
      const list = lists.refusedBy(place);
      return list < 0 ? -1 : firstList + list;
    },
    *after(next, reading) {
      const first = { firstBound, firstList };
      const change = rowChange(members, next, reading);
      if (!change) return tablesOf(next, keys, bounds, lists, first);
      const after = [
        yield* keys.after(change),
        yield* bounds.after(change),
        yield* lists.after(change),
      ] as const;
      return tablesOf(next, ...after, first);
    },
  };
}

export function emptyRuleTables<Member>(rules: readonly IndexedRule[], lists: Lists): RuleTables<Member> {
  const keyRules = rules.filter((rule) => rule.form === 'keys');
  const boundRules = rules.filter((rule) => rule.form === 'bound');
  const listRules = rules.filter((rule) => rule.form === 'lists');
  const firstBound = keyRules.length;
  return tablesOf(
    [],
    emptyKeyBitmaps(keyRules),
    emptyBoundRows(boundRules),
    emptyListRows(listRules, lists),
    {
      firstBound,
      firstList: firstBound + boundRules.length,
    },
  );
}
