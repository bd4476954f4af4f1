import type { ConfigurationObject } from '../configuration.ts';
import type { Opportunity } from '../opportunity.ts';
import { isWhitelisted } from './compile-checks.ts';
import type { ListRule, Lists } from './rule.ts';

/** The lists of many objects; each list is looked up at most once an opportunity. */
export interface ListRows {
  /** Takes the opportunity that `admits` is then asked of. */
  begin(opportunity: Opportunity): void;
  /** Whether the object's lists and its team's global ones admit it. */
  admits(index: number): boolean;
}

/** Distinct lists of an index, numbered. */
interface Slot {
  readonly rule: ListRule;
  readonly listId: number;
}

/**
 * Rows of numbers, one an object: for each rule under which it has lists the rule's number, whether they are a
 * whitelist, how many they are, and their slots. Row *n* lies from `starts[n]` to `starts[n + 1]`.
 */
function rowsOf(objects: readonly ConfigurationObject[], rules: readonly ListRule[]) {
  const slots: Slot[] = [];
  const numbers = new Map<string, number>();
  const slotOf = (rule: ListRule, listId: number): number => {
    const key = `${rule.kind} ${listId}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, slots.length);
    return slots.push({ rule, listId }) - 1;
  };
  const cells: number[] = [];
  const starts = new Uint32Array(objects.length + 1);
  for (const [index, object] of objects.entries()) {
    for (const [number, rule] of rules.entries()) {
      const own = object.connections[rule.field] ?? [];
      if (own.length === 0) continue;
      cells.push(number, isWhitelisted(rule, object) ? 1 : 0, own.length);
      for (const listId of own) cells.push(slotOf(rule, listId));
    }
    starts[index + 1] = cells.length;
  }
  return { slots, cells: Uint32Array.from(cells), starts };
}

/** Lists by object. */
export function createListRows(
  objects: readonly ConfigurationObject[],
  rules: readonly ListRule[],
  lists: Lists,
): ListRows {
  const { slots, cells, starts } = rowsOf(objects, rules);
  const teams = Int32Array.from(objects, ({ teamId }) => teamId);
  /** By slot: twice the number of the opportunity that it was last looked up for, and 1 more where it holds it. */
  const answers = new Float64Array(slots.length);
  const isTold = new Uint8Array(rules.length);
  let current: Opportunity;
  let round = 0;
  let team = -1;
  let isTeamBlocked = false;

  const holds = (slot: number): boolean => {
    const answer = answers[slot] ?? 0;
    if (answer >= round * 2) return answer > round * 2;
    const { rule, listId } = slots[slot] as Slot;
    const isHeld = rule.holds(lists, listId, current);
    answers[slot] = round * 2 + (isHeld ? 1 : 0);
    return isHeld;
  };

  const isBlockedFor = (teamId: number): boolean => {
    if (teamId === team) return isTeamBlocked;
    team = teamId;
    isTeamBlocked = rules.some(
      (rule, number) =>
        isTold[number] === 1 &&
        lists.global(rule.kind, teamId).some((listId) => rule.holds(lists, listId, current)),
    );
    return isTeamBlocked;
  };

  const isAnyHeld = (from: number, to: number): boolean => {
    for (let at = from; at < to; at += 1) if (holds(cells[at] ?? 0)) return true;
    return false;
  };

  return {
    begin(opportunity) {
      current = opportunity;
      round += 1;
      team = -1;
      for (let number = 0; number < rules.length; number += 1) {
        isTold[number] = rules[number]?.subjectOf(opportunity) === undefined ? 0 : 1;
      }
    },
    admits(index) {
      if (isBlockedFor(teams[index] ?? 0)) return false;
      const end = starts[index + 1] ?? 0;
      let at = starts[index] ?? 0;
      while (at < end) {
        const isWhitelist = cells[at + 1] === 1;
        const next = at + 3 + (cells[at + 2] ?? 0);
        const isHeld = isTold[cells[at] ?? 0] === 1 && isAnyHeld(at + 3, next);
        if (isHeld !== isWhitelist) return false;
        at = next;
      }
      return true;
    },
  };
}
