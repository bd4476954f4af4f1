import {
  type DealKind,
  demandKindNames,
  roleOf,
  type SettingsOf,
  type SupplyKind,
  supplyKindNames,
} from '../../entities/kinds.ts';
import { ownMember } from '../../reference/own-member.ts';
import {
  type DeliveryPlan,
  deliveryPlan,
  type KnownTraffic,
  plannedTime,
} from '../../shared/delivery-plan.ts';
import { type LimitDays, limitDays } from '../../shared/limit-days.ts';
import type { DealObject } from '../configuration.ts';
import type { Check } from '../targeting/rule.ts';
import type { Demand } from './demand.ts';
import type { ObjectLimits } from './exchange-object.ts';
import type { Limited } from './limited.ts';
import { plainObject } from './packed-object.ts';
import type { Planned } from './planned.ts';
import { limitsOf } from './stored-settings.ts';

export interface Deal extends Limited {
  readonly isActive: boolean;
  readonly settings: SettingsOf<DealKind>;
  /** The lower number first; 0 while a guaranteed deal is behind its plan, before which it is not offered. */
  readonly priority: number;
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

const guaranteed = 4;

/** The agreed price in total limits what is guaranteed; in another currency than limits it cannot. */
function dealLimits(object: DealObject): ObjectLimits {
  const limits = limitsOf(object);
  const { Type, Currency } = object.settings;
  const isBinding = Type === guaranteed && (Currency === '' || Currency === 'USD');
  return isBinding || limits.amountTotalNanos === 0 ? limits : { ...limits, amountTotalNanos: 0 };
}

/** Deals are few: their values are decoded at once, and stay. */
export class CompiledDeal implements Deal, Planned {
  readonly kind: DealKind;
  readonly id: number;
  readonly teamId: number;
  readonly isActive: boolean;
  readonly object: DealObject;
  readonly limits: ObjectLimits;
  /** A guaranteed deal makes room for itself. */
  readonly priority: number;
  readonly checks: readonly Check[];
  /** Empty: all supply of the team. */
  readonly supply: ReadonlyMap<SupplyKind, ReadonlySet<number>>;
  readonly buyers: ReadonlyMap<Demand['kind'], ReadonlySet<number>>;
  readonly days: LimitDays | undefined;
  plan: DeliveryPlan | undefined;
  traffic: KnownTraffic | undefined;

  /** `before`: the same deal before a change. */
  constructor(object: DealObject, compile: (object: DealObject) => readonly Check[], before?: CompiledDeal) {
    this.object = plainObject(object);
    this.kind = object.entity;
    this.id = object.id;
    this.teamId = object.teamId;
    this.isActive = object.status === 0;
    this.checks = compile(this.object);
    this.supply = listedOf(this.object, supplyKindNames);
    this.buyers = listedOf(this.object, demandKindNames);
    this.limits = dealLimits(this.object);
    const { Type, Priority, TimeZone } = this.object.settings;
    this.days = limitDays(TimeZone, this.object.formerZones);
    const isSpread = Type === guaranteed && this.limits.pacing > 0 && plannedTime(this.object.settings);
    this.priority = isSpread ? 0 : Priority;
    this.follow(before?.traffic);
  }

  follow(traffic: KnownTraffic | undefined): void {
    this.traffic = traffic;
    this.plan = deliveryPlan(this.object.settings, traffic, this.days);
  }

  get settings(): SettingsOf<DealKind> {
    return this.object.settings;
  }

  /** As `VastTag:7`. */
  get owners(): readonly string[] {
    return [...this.supply].flatMap(([kind, ids]) => [...ids].map((id) => `${kind}:${id}`));
  }

  isFor({ kind, id }: Pick<Demand, 'kind' | 'id'>): boolean {
    if (this.buyers.size === 0) return roleOf(kind).deals === 'offered';
    return this.buyers.get(kind)?.has(id) ?? false;
  }
}
