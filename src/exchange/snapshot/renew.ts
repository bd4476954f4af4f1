import {
  type AccountKind,
  accountKindNames,
  connectionField,
  type DemandKindName,
  demandKindNames,
  type ExchangeKind,
  type SupplyKind,
  supplyKindNames,
} from '../../entities/kinds.ts';
import { ownMember } from '../../reference/own-member.ts';
import type {
  ConfigurationObject,
  DealObject,
  DemandObject,
  ServedObject,
  SupplyObject,
} from '../configuration.ts';
import type { CooperativeTask } from '../cooperative-task.ts';
import type { CandidateIndex } from '../targeting/index/candidate-index.ts';
import type { FloorIndex } from '../targeting/index/floor-index.ts';
import type { RowReader } from '../targeting/index/row-change.ts';
import type { Check, Lists } from '../targeting/rule.ts';
import { accountOf, isSameAccount, unknownAccount } from './account.ts';
import { byKind } from './by-kind.ts';
import type { SnapshotCompiler } from './compile.ts';
import { CompiledDemand } from './compiled-demand.ts';
import { type CompiledSnapshot, type Objects, snapshotOf } from './compiled-snapshot.ts';
import { CompiledSupply, type LazyCandidates } from './compiled-supply.ts';
import { CompiledDeal } from './deal.ts';
import { dealIndex } from './deal-index.ts';
import type { Demand } from './demand.ts';
import type { Account } from './exchange-object.ts';
import { compiledFloorRule } from './floor-rule.ts';
import type { IdMap } from './id-map.ts';
import { Lazy } from './lazy.ts';
import { plainObject } from './packed-object.ts';
import { plannedAfter } from './planned.ts';

type ChangedObjects = { readonly [K in ExchangeKind]?: readonly ConfigurationObject<K>[] };

/** Their checks' lists are bound already. */
interface Compilers {
  readonly supplyChecks: (object: SupplyObject) => readonly Check[];
  readonly demandChecks: (object: DemandObject) => readonly Check[];
  readonly dealChecks: (object: DealObject) => readonly Check[];
  /** The previous version's number if both ask the same of every opportunity. */
  readonly targeting: (object: DemandObject, before: CompiledDemand | undefined) => number;
  readonly index: (connected: readonly CompiledDemand[]) => CandidateIndex;
}

type Changes<V> = ReadonlyMap<number, V>;

const supplyPerPiece = 1000;

/** Those that changed for delivery. */
function changedAccounts(fresh: ChangedObjects, kind: AccountKind, known: IdMap<Account>): Changes<Account> {
  const accounts = (fresh[kind] ?? []).map(accountOf).filter((account) => {
    const before = known.get(account.id);
    return !before || !isSameAccount(before, account);
  });
  return new Map(accounts.map((account) => [account.id, account]));
}

function staleObjects<O extends ServedObject>(
  came: readonly O[],
  known: IdMap<{ readonly id: number; readonly account: Account; readonly object: O }>,
  accounts: Changes<Account>,
): Map<number, O> {
  const stale = new Map(came.map((object) => [object.id, object]));
  if (accounts.size === 0) return stale;
  for (const { id, account, object } of known.values()) {
    if (accounts.has(account.id) && !stale.has(id)) stale.set(id, object);
  }
  return stale;
}

/** An inactive one if unknown. */
export function accountIn(accounts: IdMap<Account>, object: ServedObject): Account {
  const known = object.ownerId === undefined ? undefined : accounts.get(object.ownerId);
  return known ?? unknownAccount(object);
}

/** Marks connected supply to be compiled again. Called for the connections before and after a change. */
function addConnectedSupply(
  stale: Readonly<Record<SupplyKind, Map<number, SupplyObject>>>,
  { supplies }: Objects,
  demand: DemandObject | undefined,
): void {
  const { entity, connections } = demand ?? {};
  if (entity === undefined || connections === undefined) return;
  for (const kind of supplyKindNames) {
    for (const id of ownMember(connections, connectionField(entity, kind)) ?? []) {
      const known = stale[kind].has(id) ? undefined : supplies[kind].get(id);
      if (known) stale[kind].set(id, known.object);
    }
  }
}

/** In the order of the connection, kind after kind, without unknown demand. */
export function connectedDemand(
  { entity, connections }: SupplyObject,
  demands: Objects['demands'],
): CompiledDemand[] {
  const connected: CompiledDemand[] = [];
  for (const kind of demandKindNames) {
    const known = demands[kind];
    for (const id of ownMember(connections, connectionField(entity, kind)) ?? []) {
      const demand = known.get(id);
      if (demand) connected.push(demand);
    }
  }
  return connected;
}

/** Unchanged if the connected demand is. An index already in use is renewed now, so that no auction waits for it. */
function* candidatesOf(
  connected: readonly CompiledDemand[],
  before: LazyCandidates | undefined,
  { index }: Compilers,
): CooperativeTask<LazyCandidates> {
  const isSame =
    before?.from.length === connected.length &&
    connected.every((demand, place) => demand === before.from[place]);
  if (before && isSame) return before;
  const known = before?.made;
  return new Lazy(connected, index, known && (yield* known.after(connected)));
}

function* renewDemands(
  { objects: { demands } }: CompiledSnapshot,
  fresh: ChangedObjects,
  accounts: Objects['accounts'],
  changed: Changes<Account>,
  { demandChecks, targeting }: Compilers,
): CooperativeTask<Readonly<Record<DemandKindName, Changes<CompiledDemand>>>> {
  const compiled = byKind(demandKindNames, () => new Map<number, CompiledDemand>());
  for (const kind of demandKindNames) {
    for (const [id, object] of staleObjects<DemandObject>(fresh[kind] ?? [], demands[kind], changed)) {
      const before = demands[kind].get(id);
      const account = accountIn(accounts.Advertiser, object);
      const number = targeting(object, before);
      compiled[kind].set(id, new CompiledDemand(object, account, demandChecks, number, before));
      yield;
    }
  }
  return compiled;
}

function renewDeals(
  { Deal: came = [] }: ChangedObjects,
  { deals }: Objects,
  { dealChecks }: Compilers,
): Changes<CompiledDeal> {
  return new Map(
    came.map((object) => [object.id, new CompiledDeal(object, dealChecks, deals.get(object.id))]),
  );
}

function* renewFloors(
  { FloorRule: came = [] }: ChangedObjects,
  { floorRules: known, floors }: Objects,
  emptyIndex: () => FloorIndex,
): CooperativeTask<Pick<Objects, 'floorRules' | 'floors'>> {
  if (came.length === 0) return { floorRules: known, floors };
  const floorRules = known.with(new Map(came.map((object) => [object.id, compiledFloorRule(object)])));
  return { floorRules, floors: yield* floors.after(floorRules.values(), emptyIndex()) };
}

/** Called for the deal before and after a change. */
function* dealtSupply(
  { supplies }: Objects,
  { supply, teamId }: CompiledDeal,
): CooperativeTask<readonly CompiledSupply[]> {
  const named = supplyKindNames.flatMap((kind) =>
    [...(supply.get(kind) ?? [])].flatMap((id) => supplies[kind].get(id) ?? []),
  );
  if (supply.size > 0) return named;
  const ofTeam: CompiledSupply[] = [];
  let seen = 0;
  for (const one of supplyKindNames.values().flatMap((kind) => supplies[kind].values())) {
    if (one.teamId === teamId) ofTeam.push(one);
    seen += 1;
    if (seen % supplyPerPiece === 0) yield;
  }
  return ofTeam;
}

function* staleSupply(
  { objects }: CompiledSnapshot,
  fresh: ChangedObjects,
  changed: Changes<Account>,
  demands: Readonly<Record<DemandKindName, Changes<CompiledDemand>>>,
  deals: Changes<CompiledDeal>,
) {
  const stale = byKind(supplyKindNames, (kind) =>
    staleObjects<SupplyObject>(fresh[kind] ?? [], objects.supplies[kind], changed),
  );
  for (const kind of demandKindNames) {
    for (const [id, demand] of demands[kind]) {
      addConnectedSupply(stale, objects, objects.demands[kind].get(id)?.object);
      addConnectedSupply(stale, objects, demand.object);
      yield;
    }
  }
  for (const [id, deal] of deals) {
    const before = objects.deals.get(id) ?? deal;
    for (const supply of [...(yield* dealtSupply(objects, before)), ...(yield* dealtSupply(objects, deal))]) {
      if (!stale[supply.kind].has(supply.id)) stale[supply.kind].set(supply.id, supply.object);
    }
  }
  return stale;
}

function* compileSupply(
  stale: Readonly<Record<SupplyKind, ReadonlyMap<number, SupplyObject>>>,
  { supplies }: Objects,
  { accounts, demands, dealIndex }: Pick<Objects, 'accounts' | 'demands' | 'dealIndex'>,
  compilers: Compilers,
) {
  const compiled = byKind(supplyKindNames, () => new Map<number, CompiledSupply>());
  for (const kind of supplyKindNames) {
    for (const [id, object] of stale[kind]) {
      const before = supplies[kind].get(id);
      const connected = connectedDemand(object, demands);
      const candidates = yield* candidatesOf(connected, before?.lazyCandidates, compilers);
      const account = accountIn(accounts.Publisher, object);
      const parts = { candidates, ...dealIndex.of(object) };
      compiled[kind].set(id, new CompiledSupply(object, account, compilers.supplyChecks, parts, before));
      yield;
    }
  }
  return compiled;
}

function withChanges<K extends string, V>(
  names: readonly K[],
  known: Readonly<Record<K, IdMap<V>>>,
  changes: Readonly<Record<K, Changes<V>>>,
): Readonly<Record<K, IdMap<V>>> {
  return byKind(names, (kind) => (changes[kind].size === 0 ? known[kind] : known[kind].with(changes[kind])));
}

export const demandRowReader: RowReader<Demand> = {
  objectOf: (demand) => (demand as CompiledDemand).whole,
  targetingOf: (demand) => (demand as CompiledDemand).targeting,
};

/**
 * Makes a snapshot from the previous one: compiles changed objects, those of changed accounts, and supply connected to
 * changed demand; all else is shared. Works in pieces, while auctions use the previous snapshot.
 */
export function createRenewal(compiler: SnapshotCompiler, lists: Lists) {
  let targetings = 0;
  const compilers: Compilers = {
    supplyChecks: (object) => compiler.supplyChecks(object, lists),
    demandChecks: (object) => compiler.demandChecks(object, lists),
    dealChecks: (object) => compiler.dealChecks(object, lists),
    targeting(object, before) {
      const isSame =
        before?.object === object || (before && compiler.isSameTargeting(before.whole, plainObject(object)));
      if (before && isSame) return before.targeting;
      targetings += 1;
      return targetings;
    },
    index: (connected) => compiler.candidateIndex(connected, demandRowReader, lists),
  };
  return function* renewed(
    before: CompiledSnapshot,
    came: Iterable<ConfigurationObject>,
    revision: number,
  ): CooperativeTask<CompiledSnapshot> {
    const { objects } = before;
    const fresh = Object.groupBy(came, ({ entity }) => entity) as ChangedObjects;
    const changed = byKind(accountKindNames, (kind) => changedAccounts(fresh, kind, objects.accounts[kind]));
    const accounts = withChanges(accountKindNames, objects.accounts, changed);
    const changedDemands = yield* renewDemands(before, fresh, accounts, changed.Advertiser, compilers);
    const demands = withChanges(demandKindNames, objects.demands, changedDemands);
    const changedDeals = renewDeals(fresh, objects, compilers);
    const deals = changedDeals.size === 0 ? objects.deals : objects.deals.with(changedDeals);
    const index = deals === objects.deals ? objects.dealIndex : dealIndex(deals.values());
    const changedDemand = demandKindNames.values().flatMap((kind) => changedDemands[kind].values());
    const planned = plannedAfter(objects.planned, [...changedDemand, ...changedDeals.values()]);
    const floorParts = yield* renewFloors(fresh, objects, () => compiler.floorIndex(lists));
    const renewedParts = { accounts, demands, deals, dealIndex: index, planned, ...floorParts };
    const stale = yield* staleSupply(before, fresh, changed.Publisher, changedDemands, changedDeals);
    const changes = yield* compileSupply(stale, objects, renewedParts, compilers);
    const supplies = withChanges(supplyKindNames, objects.supplies, changes);
    return snapshotOf(revision, { ...renewedParts, supplies });
  };
}
