import type { DemandKindName, SupplyKind } from '../configuration.ts';
import type { CompiledDemand } from './compiled-demand.ts';
import type { CompiledSupply } from './compiled-supply.ts';
import type { Account } from './exchange-object.ts';
import { emptyIdMap, type IdMap } from './id-map.ts';
import type { AccountKind } from './kinds.ts';
import type { Snapshot } from './snapshot.ts';

/** The objects of a snapshot by kind. All of it is immutable; the next snapshot shares what has not changed. */
export interface Objects {
  readonly accounts: Readonly<Record<AccountKind, IdMap<Account>>>;
  readonly supplies: Readonly<Record<SupplyKind, IdMap<CompiledSupply>>>;
  readonly demands: Readonly<Record<DemandKindName, IdMap<CompiledDemand>>>;
}

/** A snapshot, and the objects that the next one is made from. */
export interface CompiledSnapshot extends Snapshot {
  readonly objects: Objects;
}

/** The snapshot of these objects. */
export function snapshotOf(revision: number, objects: Objects): CompiledSnapshot {
  const { accounts, supplies, demands } = objects;
  return {
    revision,
    objects,
    supply: (kind, id) => supplies[kind].get(id),
    demand: (kind, id) => demands[kind].get(id),
    publishers: () => accounts.Publisher.values(),
  };
}

/** The snapshot before any configuration has been loaded. */
export const emptySnapshot: CompiledSnapshot = snapshotOf(0, {
  accounts: { Publisher: emptyIdMap(), Advertiser: emptyIdMap() },
  supplies: { VastTag: emptyIdMap(), RtbEp: emptyIdMap(), PopFeed: emptyIdMap(), BannerEp: emptyIdMap() },
  demands: {
    Campaign: emptyIdMap(),
    DspRtbEp: emptyIdMap(),
    DspVastTag: emptyIdMap(),
    DspPopFeed: emptyIdMap(),
  },
});
