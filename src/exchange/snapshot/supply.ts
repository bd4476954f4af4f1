import type { FormerSecrets } from '../../entities/former-secrets.ts';
import type { SettingsOf, SupplyKind } from '../../entities/kinds.ts';
import type { CpmMicros } from '../money.ts';
import type { Candidates } from '../targeting/candidate-index.ts';
import type { Check } from '../targeting/rule.ts';
import type { ExchangeObject } from './exchange-object.ts';

/** A supply object, compiled. */
export interface Supply extends ExchangeObject {
  readonly kind: SupplyKind;
  readonly settings: SettingsOf<SupplyKind>;
  readonly auth: string;
  /** Credentials that were replaced and still work for a while, by the name of their field. */
  readonly formerSecrets?: FormerSecrets | undefined;
  readonly floorCpmMicros: CpmMicros;
  /** Percent. */
  readonly publisherProfitShare: number;
  /** 1 = First Price, 2 = Second Price Plus. */
  readonly auctionType: 1 | 2;
  /** `Tmax`, 300 where it is 0. */
  readonly tmaxMs: number;
  /** Its own targeting, list and filter fields against a request, in order; empty where nothing restricts. */
  readonly checks: readonly Check[];
  /** Its connected demand, indexed. */
  readonly candidates: Candidates;
}
