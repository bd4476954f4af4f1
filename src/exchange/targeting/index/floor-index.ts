import type { CooperativeTask } from '../../cooperative-task.ts';
import type { Opportunity } from '../../opportunity.ts';
import type { FloorRule } from '../../snapshot/floor-rule.ts';
import type { Lists } from '../rule.ts';
import { floorRules } from '../rules.ts';
import type { RowReader } from './row-change.ts';
import { emptyRuleTables, type RuleTables } from './rule-tables.ts';

/** Active floor rules in their order. */
export interface FloorIndex {
  readonly rules: readonly FloorRule[];
  /** For the calls of `next` that follow. */
  begin(opportunity: Opportunity): void;
  /** The next rule whose conditions the opportunity meets; undefined after the last. */
  next(): FloorRule | undefined;
  /** Reads only rules that are new or have changed. */
  after(rules: readonly FloorRule[]): CooperativeTask<FloorIndex>;
}

const reading: RowReader<FloorRule> = {
  objectOf: ({ object }) => object,
  targetingOf: ({ version }) => version,
};

function indexOf(tables: RuleTables<FloorRule>): FloorIndex {
  const { members, keys } = tables;
  let [at, count] = [0, 0];
  return {
    rules: members,
    begin(opportunity) {
      at = 0;
      count = tables.begin(opportunity);
    },
    next() {
      while (at < count) {
        const place = keys.admitted[at] as number;
        at += 1;
        if (tables.refusedBy(place) < 0) return members[place];
      }
      return undefined;
    },
    *after(rules) {
      return indexOf(yield* tables.after(rules, reading));
    },
  };
}

export const createFloorIndex = (lists: Lists): FloorIndex => indexOf(emptyRuleTables(floorRules, lists));
