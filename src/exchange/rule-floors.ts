import type { Floor } from './currency.ts';
import type { CpmMicros } from './money.ts';
import type { FloorRule } from './snapshot/floor-rule.ts';

/** A rule whose conditions the request meets, with its floor or as part of its control group. */
export interface MetRule {
  readonly rule: FloorRule;
  /** By its `SkipPercent`: for this request the rule is as if it were not there. */
  readonly isControl: boolean;
}

/** What a rule asks of the bids that it is for: no less than the request itself. */
export interface RuleFloor extends Floor {
  readonly rule: FloorRule;
  /** Of a price at the floor or above, the publisher gets this and its share of the rest. */
  readonly guaranteedCpmMicros: CpmMicros;
}

/** Of an impression, by medium. */
export interface RuleFloors {
  readonly met: readonly MetRule[];
  /** In their order, up to the first that is for all bids. */
  readonly rules: readonly RuleFloor[];
  /** Of bids that none of them is for: as without rules. */
  readonly otherwise: Floor;
}
