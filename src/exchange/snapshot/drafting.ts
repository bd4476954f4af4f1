import { connectionField, isSupply, type SupplyKind } from '../../entities/kinds.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { ConfigurationObject, DemandObject, SupplyObject } from '../configuration.ts';
import type { Lists } from '../targeting/rule.ts';
import type { ListTable, SnapshotCompiler } from './compile.ts';
import { CompiledDemand } from './compiled-demand.ts';
import type { CompiledSnapshot, Objects } from './compiled-snapshot.ts';
import { CompiledSupply } from './compiled-supply.ts';
import { Lazy } from './lazy.ts';
import { plainObject } from './packed-object.ts';
import { accountIn, connectedDemand, demandRowReader } from './renew.ts';

/** A supply or demand object, whole, with unsaved values. */
export type Draft = SupplyObject | DemandObject;

/** No other targeting's number: a draft is compiled for itself. */
const draftTargeting = -1;

const isSupplyDraft = (draft: Draft): draft is SupplyObject => isSupply(draft.entity);

/** The supply object with connections as in the demand object's draft, new ones at the end. */
function connectedAs(supply: SupplyObject, demand: DemandObject): SupplyObject {
  const field = connectionField(supply.entity, demand.entity);
  const ids = ownMember(supply.connections, field) ?? [];
  const supplyIds = ownMember(demand.connections, connectionField(demand.entity, supply.entity)) ?? [];
  const isConnected = supplyIds.includes(supply.id);
  if (isConnected === ids.includes(demand.id)) return supply;
  const changed = isConnected ? [...ids, demand.id] : ids.filter((id) => id !== demand.id);
  const all = plainObject(supply);
  return { ...all, connections: { ...all.connections, [field]: changed } };
}

/** `own` has the lists that no object in use asks. */
function joinedLists(base: Lists, own: Lists): Lists {
  return {
    domain: (id, domain) => base.domain(id, domain) || own.domain(id, domain),
    app: (id, bundle) => base.app(id, bundle) || own.app(id, bundle),
    ip: (id, ip, kind) => base.ip(id, ip, kind) || own.ip(id, ip, kind),
    keyword: (id, query, mode) => base.keyword(id, query, mode) ?? own.keyword(id, query, mode),
    global: base.global,
  };
}

/** Compiles supply with unsaved values; the snapshot stays as it is. One at a time, because a list may take 64 MiB. */
export function createDraftCompiler(
  compiler: SnapshotCompiler,
  base: Lists,
  placeUnused: (objects: readonly ConfigurationObject[], places: ListTable) => Promise<void>,
) {
  let last: Promise<unknown> = Promise.resolve();
  const listsFor = async (draft: Draft): Promise<Lists> => {
    const places = compiler.listTable();
    const placed = last.then(() => placeUnused([draft], places));
    last = placed.catch(() => undefined);
    await placed;
    return joinedLists(base, places.lists);
  };
  const demandsWith = (
    { accounts, demands }: Objects,
    draft: DemandObject,
    lists: Lists,
  ): Objects['demands'] => {
    const checks = (object: DemandObject) => compiler.demandChecks(object, lists);
    const account = accountIn(accounts.Advertiser, draft);
    const compiled = new CompiledDemand(draft, account, checks, draftTargeting);
    return { ...demands, [draft.entity]: demands[draft.entity].with([[draft.id, compiled]]) };
  };
  const compiled = (
    supply: SupplyObject,
    demands: Objects['demands'],
    { accounts, dealIndex }: Objects,
    lists: Lists,
  ) =>
    new CompiledSupply(
      supply,
      accountIn(accounts.Publisher, supply),
      (object) => compiler.supplyChecks(object, lists),
      {
        candidates: new Lazy(connectedDemand(supply, demands) as readonly CompiledDemand[], (connected) =>
          compiler.candidateIndex(connected, demandRowReader, lists),
        ),
        ...dealIndex.of(supply),
      },
    );
  return async (
    { objects }: CompiledSnapshot,
    { kind, id }: { readonly kind: SupplyKind; readonly id: number },
    draft: Draft,
  ): Promise<CompiledSupply | undefined> => {
    const known = objects.supplies[kind].get(id);
    if (!known) return undefined;
    const lists = await listsFor(draft);
    if (isSupplyDraft(draft)) return compiled(draft, objects.demands, objects, lists);
    return compiled(connectedAs(known.object, draft), demandsWith(objects, draft, lists), objects, lists);
  };
}
