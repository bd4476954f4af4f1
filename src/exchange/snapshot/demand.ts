import type { DemandKindName, SettingsOf } from '../../entities/kinds.ts';
import type { Check } from '../targeting/rule.ts';
import type { ExchangeObject } from './exchange-object.ts';

/** A demand object, compiled. */
export interface Demand extends ExchangeObject {
  readonly kind: DemandKindName;
  readonly settings: SettingsOf<DemandKindName>;
  /** Its checks, one for each rule that restricts anything, in the order of the rules. */
  readonly checks: readonly Check[];
}

/** A demand object of a kind, with the settings of that kind. */
export interface DemandOf<K extends DemandKindName> extends Omit<Demand, 'kind' | 'settings'> {
  readonly kind: K;
  readonly settings: SettingsOf<K>;
}
