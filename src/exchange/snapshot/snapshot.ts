import type { DemandKindName, LimitedKind, SupplyKind } from '../../entities/kinds.ts';
import type { Demand } from './demand.ts';
import type { Account } from './exchange-object.ts';
import type { FloorRule } from './floor-rule.ts';
import type { FloorRules } from './floor-rules.ts';
import type { Limited } from './limited.ts';
import type { Planned } from './planned.ts';
import type { Supply } from './supply.ts';

/** An immutable configuration at a revision. */
export interface Snapshot {
  readonly revision: number;
  /** Inactive ones too. */
  supply(kind: SupplyKind, id: number): Supply | undefined;
  demand(kind: DemandKindName, id: number): Demand | undefined;
  limited(kind: LimitedKind, id: number): (Limited & Pick<Supply, 'teamId'>) | undefined;
  served(): Iterable<Supply | Demand>;
  /** With limits that are spread over time, or by days of a zone. */
  planned(): Iterable<Planned>;
  floorsOf: FloorRules['of'];
  /** Inactive ones too. */
  floorRules(): Iterable<FloorRule>;
  /** In order of ID. */
  publishers(): Iterable<Account>;
}
