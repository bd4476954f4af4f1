import {
  type DealKind,
  demandKindNames,
  roleOf,
  type SettingsOf,
  type SupplyKind,
  supplyKindNames,
} from '../../entities/kinds.ts';
import { ownMember } from '../../reference/own-member.ts';
import type { DealObject } from '../configuration.ts';
import type { Check } from '../targeting/rule.ts';
import type { Demand } from './demand.ts';
import { plainObject } from './packed-object.ts';

export interface Deal {
  readonly id: number;
  readonly isActive: boolean;
  readonly settings: SettingsOf<DealKind>;
  /** One for each rule that restricts anything, in the order of rules. */
  readonly checks: readonly Check[];
  /** Empty: all whose bids name their deal. */
  readonly buyers: ReadonlyMap<Demand['kind'], ReadonlySet<number>>;
  isFor(demand: Pick<Demand, 'kind' | 'id'>): boolean;
}

/** What is listed of a kind, by the plural that names the field. */
function listedOf<K extends Parameters<typeof roleOf>[0]>(
  { connections }: DealObject,
  kinds: readonly K[],
): ReadonlyMap<K, ReadonlySet<number>> {
  const rows = kinds.map((kind) => [kind, ownMember(connections, roleOf(kind).plural) ?? []] as const);
  return new Map(rows.flatMap(([kind, ids]) => (ids.length > 0 ? [[kind, new Set(ids)] as const] : [])));
}

/** Deals are few: their values are decoded at once, and stay. */
export class CompiledDeal implements Deal {
  readonly id: number;
  readonly teamId: number;
  readonly isActive: boolean;
  readonly object: DealObject;
  readonly checks: readonly Check[];
  /** Empty: all supply of the team. */
  readonly supply: ReadonlyMap<SupplyKind, ReadonlySet<number>>;
  readonly buyers: ReadonlyMap<Demand['kind'], ReadonlySet<number>>;

  constructor(object: DealObject, compile: (object: DealObject) => readonly Check[]) {
    this.object = plainObject(object);
    this.id = object.id;
    this.teamId = object.teamId;
    this.isActive = object.status === 0;
    this.checks = compile(this.object);
    this.supply = listedOf(this.object, supplyKindNames);
    this.buyers = listedOf(this.object, demandKindNames);
  }

  get settings(): SettingsOf<DealKind> {
    return this.object.settings;
  }

  isFor({ kind, id }: Pick<Demand, 'kind' | 'id'>): boolean {
    if (this.buyers.size === 0) return roleOf(kind).deals === 'offered';
    return this.buyers.get(kind)?.has(id) ?? false;
  }
}
