import type { DemandKindName, SettingsOf, SupplyKind } from '../../entities/kinds.ts';
import type { Nanos } from '../money.ts';

export interface Account {
  readonly id: number;
  readonly teamId: number;
  readonly isActive: boolean;
  readonly name: string;
  /** Publishers: `SellerId`, or the ID if blank. */
  readonly sellerId: string;
  /** Publishers: `PlatformDomain` and `SellersJsonDomain`. */
  readonly platformDomain: string;
  readonly sellersJsonDomain: string;
  readonly sellerType: number;
  /** Advertisers: `GvlId`. */
  readonly gvlId: number;
}

/** 0 = unlimited. */
export interface ObjectLimits {
  readonly maxQps: number;
  readonly requestsDaily: number;
  readonly bidsDaily: number;
  readonly impressionsDaily: number;
  readonly impressionsPerIp: number;
  /** `FrequencyCap`, and those that say how it counts; all 0 without it and `FrequencyMinMinutes`. */
  readonly frequencyCap: number;
  readonly frequencyHours: number;
  readonly frequencyMinMinutes: number;
  readonly frequencyKey: number;
  readonly frequencyUnknown: number;
  /** `SpentDailyLimit` of supply, `RevenueDailyLimit` of demand, `SpendDailyLimit` of a campaign. */
  readonly amountDailyNanos: Nanos;
  /** `SpendTotalLimit` of a campaign, `TotalCost` of a guaranteed deal. */
  readonly amountTotalNanos: Nanos;
  /** `ImpressionsTotalLimit`, of a deal `Units`. */
  readonly impressionsTotal: number;
  /** `Pacing`, by which the others are spread; of a guaranteed deal at least 1. */
  readonly pacing: number;
  /** How many `Flights` there are. */
  readonly flights: number;
  /** The highest limit of a flight. */
  readonly flightImpressions: number;
  readonly flightNanos: Nanos;
  /** 1 where daily limits go by days of a `TimeZone`, or did. */
  readonly zoned: number;
}

export interface MatchFlags {
  readonly nonEmptyReferer: boolean;
  readonly refererMatch: boolean;
  readonly ipMatch: boolean;
  readonly uaMatch: boolean;
}

export interface ExchangeObject {
  readonly id: number;
  readonly teamId: number;
  readonly name: string;
  readonly account: Account;
  /** It serves only if its account is active too. */
  readonly isActive: boolean;
  readonly limits: ObjectLimits;
  readonly match: MatchFlags;
  readonly settings: SettingsOf<SupplyKind | DemandKindName>;
}
