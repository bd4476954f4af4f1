import type { LimitedKind } from '../../entities/kinds.ts';
import type { DeliveryPlan } from '../../shared/delivery-plan.ts';
import type { LimitDays } from '../../shared/limit-days.ts';
import type { ExchangeObject } from './exchange-object.ts';

/** A supply or demand object, or a deal, as limits see it. */
export interface Limited extends Pick<ExchangeObject, 'id' | 'limits'> {
  readonly kind: LimitedKind;
  /** How its limits are spread over time; absent = as fast as possible. */
  readonly plan?: DeliveryPlan | undefined;
  /** Of its daily limits; absent = those of UTC. */
  readonly days?: LimitDays | undefined;
}
