/** What an ad is made of, and an impression is for. */
export type Medium = 'video' | 'banner' | 'native' | 'audio' | 'pop';

/** Objects that other entities name by ID. */
interface Connectable {
  /**
   * Name of fields that hold IDs of its objects, as `VastTags`; `<plural>Count` is that of accounts' counts of them.
   */
  readonly plural: string;
}

/** A kind of supply: publishers own it, and requests come to it. */
export interface SupplyRole extends Connectable {
  readonly side: 'supply';
  /** What asks it for ads: its URLs with their macros filled, or bid requests. */
  readonly request: 'Url' | 'OpenRtb';
  /** The only medium that its requests are for; absent where each request says it. */
  readonly medium?: Medium;
  /** What an impression is promised to: an ad that we hand out, or an offer in somebody else's auction. */
  readonly promises: 'ad' | 'offer';
  /** The field that limits the publisher's payout of a day. */
  readonly amountDaily: 'SpentDailyLimit';
  readonly amountTotal?: undefined;
}

/** A kind of demand: advertisers own it, and it bids. */
export interface DemandRole extends Connectable {
  readonly side: 'demand';
  /** Keys of the kinds of supply that it can be connected to, in the order of its connection fields. */
  readonly serves: readonly string[];
  /** The medium of its ads: always the same, or by the codes of a field; absent where it has a flag for each. */
  readonly medium?: Medium | { readonly field: 'Type'; readonly codes: Readonly<Record<number, Medium>> };
  /** The field that holds its price in USD CPM, and whether 0 means that its answer names the price. */
  readonly price?: { readonly field: 'Cpm' | 'FixedCpm'; readonly isOptional: boolean };
  /** The field that limits the advertiser's cost of a day. */
  readonly amountDaily: 'RevenueDailyLimit' | 'SpendDailyLimit';
  readonly amountTotal?: 'SpendTotalLimit';
}

/** What an entity is to the exchange, as data. */
export type ExchangeRole =
  | SupplyRole
  | DemandRole
  /** Owns supply or demand. */
  | { readonly side: 'account' }
  /** Its text is matched against. */
  | { readonly side: 'list' };
