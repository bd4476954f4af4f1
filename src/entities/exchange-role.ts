/** What an impression is for. */
export type Medium = 'video' | 'banner' | 'native' | 'audio' | 'pop';

interface Connectable {
  /** Names fields with IDs of its objects, as `VastTags`; `<plural>Count` counts them for accounts. */
  readonly plural: string;
}

/** Owned by publishers; receives requests. */
export interface SupplyRole extends Connectable {
  readonly side: 'supply';
  /** How ads are requested: by its URLs with macros filled, or by bid requests. */
  readonly request: 'Url' | 'OpenRtb';
  /** Absent if each request says it. */
  readonly medium?: Medium;
  /** What an impression is promised to: an ad that we hand out, or an offer in another exchange's auction. */
  readonly promises: 'ad' | 'offer';
  readonly amountDaily: 'SpentDailyLimit';
  readonly amountTotal?: undefined;
  readonly impressionsTotal?: undefined;
}

/** Owned by advertisers; bids. */
export interface DemandRole extends Connectable {
  readonly side: 'demand';
  /** The kinds of supply that it connects to, in the order of its connection fields. */
  readonly serves: readonly string[];
  /** Fixed, or by a field's codes; absent if it has a flag for each. */
  readonly medium?: Medium | { readonly field: 'Type'; readonly codes: Readonly<Record<number, Medium>> };
  /** USD CPM; `isOptional`: 0 means that its answer names the price. */
  readonly price?: { readonly field: 'Cpm' | 'FixedCpm'; readonly isOptional: boolean };
  /** The field that limits the advertiser's cost of a day. */
  readonly amountDaily: 'RevenueDailyLimit' | 'SpendDailyLimit';
  readonly amountTotal?: 'SpendTotalLimit';
  readonly impressionsTotal?: 'ImpressionsTotalLimit';
  /** `offered`: its bids name their deal; `named`: they are under the deals that name it. Absent: no deals. */
  readonly deals?: 'offered' | 'named';
}

/** Terms between supply and demand of a team, with an array of IDs for each kind by its plural. */
export interface DealRole extends Connectable {
  readonly side: 'deal';
  readonly medium?: undefined;
  readonly amountDaily: 'RevenueDailyLimit';
  readonly amountTotal: 'TotalCost';
  readonly impressionsTotal: 'Units';
}

/** Sets floors of a team's supply, with an array of IDs for each kind by its plural. */
export interface FloorRole extends Connectable {
  readonly side: 'floor';
  readonly medium?: undefined;
}

export type ExchangeRole =
  | SupplyRole
  | DemandRole
  | DealRole
  | FloorRole
  /** Owns supply or demand. */
  | { readonly side: 'account' }
  | { readonly side: 'list' };
