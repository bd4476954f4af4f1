import type { DemandKindName } from '../configuration.ts';
import type { Check } from '../targeting/rule.ts';
import type { ExchangeObject } from './exchange-object.ts';

/** A demand object, compiled. */
export interface Demand extends ExchangeObject {
  readonly kind: DemandKindName;
  /** Its checks, one for each rule that restricts anything, in the order of the rules. */
  readonly checks: readonly Check[];
}
