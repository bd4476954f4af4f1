import type { DemandKindName, SettingsOf } from '../../entities/kinds.ts';
import type { Check } from '../targeting/rule.ts';
import type { ExchangeObject } from './exchange-object.ts';

export interface Demand extends ExchangeObject {
  readonly kind: DemandKindName;
  readonly settings: SettingsOf<DemandKindName>;
  /** In the Global Vendor List: its own, else the advertiser's; 0 = none. */
  readonly gvlId: number;
  /** Whose IDs of viewers it is told: objects of an advertiser with the same `SyncUrl` are one; `""` = no sync, or inactive. */
  readonly partner: string;
  /** One for each rule that restricts anything, in the order of rules. */
  readonly checks: readonly Check[];
}

export interface DemandOf<K extends DemandKindName> extends Omit<Demand, 'kind' | 'settings'> {
  readonly kind: K;
  readonly settings: SettingsOf<K>;
}
