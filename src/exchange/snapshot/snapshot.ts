import type { DemandKindName, SupplyKind } from '../../entities/kinds.ts';
import type { Demand } from './demand.ts';
import type { Account } from './exchange-object.ts';
import type { Supply } from './supply.ts';

/** An immutable picture of the whole configuration at a revision. */
export interface Snapshot {
  readonly revision: number;
  /** The object of that kind and ID, even when it is inactive; undefined when there is none. */
  supply(kind: SupplyKind, id: number): Supply | undefined;
  demand(kind: DemandKindName, id: number): Demand | undefined;
  /** All objects of supply and demand, of all teams. */
  served(): Iterable<Supply | Demand>;
  /** All publishers, of all teams, in order of ID. */
  publishers(): Iterable<Account>;
}
