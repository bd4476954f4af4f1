import { type DeliveryPlan, deliveryPlan, type KnownTraffic } from '../../shared/delivery-plan.ts';
import { type LimitDays, limitDays } from '../../shared/limit-days.ts';
import type { DemandObject } from '../configuration.ts';
import { type CompileChecks, CompiledObject } from './compiled-object.ts';
import type { Demand } from './demand.ts';
import type { Account } from './exchange-object.ts';
import { inactivity } from './inactivity.ts';
import { partnerOf } from './partner.ts';
import type { Planned } from './planned.ts';

export class CompiledDemand extends CompiledObject<DemandObject> implements Demand, Planned {
  /** Shared by versions of this object that ask the same of every opportunity. */
  readonly targeting: number;
  traffic: KnownTraffic | undefined;
  #plan: DeliveryPlan | undefined;
  #days: LimitDays | undefined;
  #partner: string | undefined;

  constructor(
    object: DemandObject,
    account: Account,
    compile: CompileChecks<DemandObject>,
    targeting: number,
    before?: CompiledDemand,
  ) {
    super(object, account, compile, before);
    this.targeting = targeting;
    this.traffic = before?.traffic;
  }

  get gvlId(): number {
    return this.settings.GvlId || this.account.gvlId;
  }

  get partner(): string {
    this.#partner ??= inactivity(this, 'AdvertiserId') ? '' : partnerOf(this.settings, this.account);
    return this.#partner;
  }

  /** Made when it is first needed: few objects have one. */
  get plan(): DeliveryPlan | undefined {
    const { pacing, flights } = this.limits;
    if (pacing > 0 || flights > 0) this.#plan ??= deliveryPlan(this.settings, this.traffic, this.days);
    return this.#plan;
  }

  get days(): LimitDays | undefined {
    if (this.limits.zoned > 0)
      this.#days ??= limitDays(this.settings.TimeZone ?? '', this.object.formerZones);
    return this.#days;
  }

  follow(traffic: KnownTraffic | undefined): void {
    this.traffic = traffic;
    this.#plan = undefined;
  }
}
