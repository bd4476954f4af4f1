/** What an alert may watch for, and which of its fields refine it. */
export interface AlertCondition {
  readonly help: string;
  /** A figure of the statistics, or the state of single objects, without a window. */
  readonly about: 'figure' | 'objects';
  /** Whether `Threshold` says how much. */
  readonly hasThreshold?: true;
  /** Compares with the same time of another day. */
  readonly isComparison?: true;
  /** Holds while supply objects have refusals of that reason in the last hour. */
  readonly refusal?: string;
}

/** In the order of forms. */
export const alertConditions = {
  Below: { help: 'The figure is below Threshold', about: 'figure', hasThreshold: true },
  Above: { help: 'The figure is above Threshold', about: 'figure', hasThreshold: true },
  FallsBy: {
    help: 'The figure is lower than at the earlier time, by Threshold % or more',
    about: 'figure',
    hasThreshold: true,
    isComparison: true,
  },
  RisesBy: {
    help: 'The figure is higher than at the earlier time, by Threshold % or more',
    about: 'figure',
    hasThreshold: true,
    isComparison: true,
  },
  Nothing: { help: 'The figure is 0', about: 'figure' },
  LimitReached: { help: 'A limit or budget of an object is reached', about: 'objects' },
  PartnerPaused: { help: 'A partner is not called for a while because its calls fail', about: 'objects' },
  AdsTxtMissing: {
    help: "Requests of a supply object are refused because the site's ads.txt does not name the seller",
    about: 'objects',
    refusal: 'ads_txt_violation',
  },
  CurrencyRefused: {
    help: 'Requests or bids are refused because there is no current exchange rate of their currency',
    about: 'objects',
    refusal: 'currency_not_accepted',
  },
} as const satisfies Readonly<Record<string, AlertCondition>>;

export type AlertConditionName = keyof typeof alertConditions;

/** Days before. */
export const alertComparisons = { Day: 1, Week: 7 } as const;

/** Dimensions by which an alert may split its figures. */
export type AlertGroup = 'Publisher' | 'Supply' | 'Advertiser' | 'Demand';

/** By code. */
export const alertSeverities = { 1: 'Information', 2: 'Warning', 3: 'Critical' } as const;
/** The default. */
export const standardSeverity = 2;

export const alertEndings = {
  over: 'It is back to normal',
  gone: 'The object is no longer active, or no longer watched',
  changed: 'The rule was changed',
  inactive: 'The alert was switched off',
} as const;
export type AlertEnding = keyof typeof alertEndings;
