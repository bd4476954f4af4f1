import type { DemandKindName, SettingsOf, SupplyKind } from '../../entities/kinds.ts';
import type { Nanos } from '../money.ts';

/** The publisher or advertiser of an object, as far as delivery asks. */
export interface Account {
  readonly id: number;
  readonly teamId: number;
  readonly isActive: boolean;
  readonly name: string;
  /** Publishers: `SellerId`, or the ID where it is blank. */
  readonly sellerId: string;
  /** Publishers: `PlatformDomain` and `SellersJsonDomain`. */
  readonly platformDomain: string;
  readonly sellersJsonDomain: string;
  readonly sellerType: number;
}

/** Daily limits and rates of an object; 0 = unlimited. */
export interface ObjectLimits {
  readonly maxQps: number;
  readonly requestsDaily: number;
  readonly bidsDaily: number;
  readonly impressionsDaily: number;
  readonly impressionsPerIp: number;
  /** `SpentDailyLimit` of supply, `RevenueDailyLimit` of demand, `SpendDailyLimit` of a campaign. */
  readonly amountDailyNanos: Nanos;
  /** `SpendTotalLimit` of a campaign. */
  readonly amountTotalNanos: Nanos;
}

/** Match flags that impressions and clicks are checked against. */
export interface MatchFlags {
  readonly nonEmptyReferer: boolean;
  readonly refererMatch: boolean;
  readonly ipMatch: boolean;
  readonly uaMatch: boolean;
}

/** What supply and demand objects have in common. */
export interface ExchangeObject {
  readonly id: number;
  readonly teamId: number;
  readonly name: string;
  readonly account: Account;
  /** Its own status; it serves only when its account is active too. */
  readonly isActive: boolean;
  readonly limits: ObjectLimits;
  readonly match: MatchFlags;
  /** Stored values by field name. */
  readonly settings: SettingsOf<SupplyKind | DemandKindName>;
}
