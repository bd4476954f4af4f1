import type { FormerSecrets } from '../../entities/former-secrets.ts';
import type { SettingsOf, SupplyKind } from '../../entities/kinds.ts';
import type { CpmMicros } from '../money.ts';
import type { Candidates } from '../targeting/index/candidate-index.ts';
import type { Check } from '../targeting/rule.ts';
import type { Deal } from './deal.ts';
import type { ExchangeObject } from './exchange-object.ts';

export interface Supply extends ExchangeObject {
  readonly kind: SupplyKind;
  readonly settings: SettingsOf<SupplyKind>;
  readonly auth: string;
  /** Replaced credentials that still work for a while, by field. */
  readonly formerSecrets?: FormerSecrets | undefined;
  readonly floorCpmMicros: CpmMicros;
  readonly publisherProfitShare: number;
  /** 1 = First Price, 2 = Second Price Plus. */
  readonly auctionType: 1 | 2;
  readonly tmaxMs: number;
  /** Of a request against its own fields, in order. */
  readonly checks: readonly Check[];
  readonly candidates: Candidates;
  /** Active ones for it, the most important first; undefined if there is none. */
  readonly deals: readonly Deal[] | undefined;
  /** Likewise; for explanations. */
  readonly inactiveDeals: readonly Deal[] | undefined;
}
