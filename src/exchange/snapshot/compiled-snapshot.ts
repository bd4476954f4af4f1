import {
  type AccountKind,
  accountKindNames,
  type DemandKindName,
  demandKindNames,
  type SupplyKind,
  supplyKindNames,
} from '../../entities/kinds.ts';
import { byKind } from './by-kind.ts';
import type { CompiledDemand } from './compiled-demand.ts';
import type { CompiledSupply } from './compiled-supply.ts';
import type { CompiledDeal } from './deal.ts';
import { type DealIndex, dealIndex } from './deal-index.ts';
import type { Account } from './exchange-object.ts';
import type { FloorRule } from './floor-rule.ts';
import { type FloorRules, noFloorRules } from './floor-rules.ts';
import { emptyIdMap, type IdMap } from './id-map.ts';
import type { PlannedObjects } from './planned.ts';
import type { Snapshot } from './snapshot.ts';

/** Immutable; the next snapshot shares what has not changed. */
export interface Objects {
  readonly accounts: Readonly<Record<AccountKind, IdMap<Account>>>;
  readonly supplies: Readonly<Record<SupplyKind, IdMap<CompiledSupply>>>;
  readonly demands: Readonly<Record<DemandKindName, IdMap<CompiledDemand>>>;
  readonly deals: IdMap<CompiledDeal>;
  readonly dealIndex: DealIndex;
  readonly floorRules: IdMap<FloorRule>;
  readonly floors: FloorRules;
  readonly planned: PlannedObjects;
}

export interface CompiledSnapshot extends Snapshot {
  readonly objects: Objects;
}

export function snapshotOf(revision: number, objects: Objects): CompiledSnapshot {
  const { accounts, supplies, demands, deals, floors, floorRules } = objects;
  const limited = { ...supplies, ...demands, Deal: deals };
  return {
    revision,
    objects,
    supply: (kind, id) => supplies[kind].get(id),
    demand: (kind, id) => demands[kind].get(id),
    limited: (kind, id) => limited[kind].get(id),
    floorsOf: floors.of,
    floorRules: () => floorRules.values(),
    planned: () => objects.planned.values(),
    *served() {
      for (const kind of supplyKindNames) yield* supplies[kind].values();
      for (const kind of demandKindNames) yield* demands[kind].values();
    },
    publishers: () => accounts.Publisher.values(),
  };
}

/** Before any configuration is loaded. */
export const emptySnapshot: CompiledSnapshot = snapshotOf(0, {
  floorRules: emptyIdMap(),
  floors: noFloorRules,
  accounts: byKind(accountKindNames, () => emptyIdMap()),
  supplies: byKind(supplyKindNames, () => emptyIdMap()),
  demands: byKind(demandKindNames, () => emptyIdMap()),
  deals: emptyIdMap(),
  dealIndex: dealIndex([]),
  planned: new Map(),
});
