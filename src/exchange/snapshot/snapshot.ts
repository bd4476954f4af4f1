import type { DemandKindName, SupplyKind } from '../../entities/kinds.ts';
import type { Demand } from './demand.ts';
import type { Account } from './exchange-object.ts';
import type { Supply } from './supply.ts';

/** An immutable configuration at a revision. */
export interface Snapshot {
  readonly revision: number;
  /** Inactive ones too. */
  supply(kind: SupplyKind, id: number): Supply | undefined;
  demand(kind: DemandKindName, id: number): Demand | undefined;
  served(): Iterable<Supply | Demand>;
  /** In order of ID. */
  publishers(): Iterable<Account>;
}
