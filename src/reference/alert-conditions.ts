/** What an alert may watch for, and which of its fields say more of it. */
export interface AlertCondition {
  readonly help: string;
  /** Whether it is about a figure of the statistics, or how objects are: then each by itself, without a window. */
  readonly about: 'figure' | 'objects';
  /** Whether `Threshold` says how much. */
  readonly hasThreshold?: true;
  /** Whether it is told by comparing with the same time of another day. */
  readonly isComparison?: true;
}

/** Every condition of alerts by name, in the order of forms. */
export const alertConditions = {
  Below: { help: 'The figure is below Threshold', about: 'figure', hasThreshold: true },
  Above: { help: 'The figure is above Threshold', about: 'figure', hasThreshold: true },
  FallsBy: {
    help: 'The figure is lower than at the same time before, by Threshold % or more',
    about: 'figure',
    hasThreshold: true,
    isComparison: true,
  },
  RisesBy: {
    help: 'The figure is higher than at the same time before, by Threshold % or more',
    about: 'figure',
    hasThreshold: true,
    isComparison: true,
  },
  Nothing: { help: 'The figure is 0', about: 'figure' },
  LimitReached: { help: 'A limit or budget of an object is reached', about: 'objects' },
  PartnerPaused: { help: 'A partner is not asked for a while, as its calls fail', about: 'objects' },
  AdsTxtMissing: {
    help: "Requests of a supply object are refused because the site's ads.txt does not name the seller",
    about: 'objects',
  },
} as const satisfies Readonly<Record<string, AlertCondition>>;

export type AlertConditionName = keyof typeof alertConditions;

/** What a comparison is with: so many days before. */
export const alertComparisons = { Day: 1, Week: 7 } as const;

/** The dimensions by whose objects an alert may tell its figures apart. */
export type AlertGroup = 'Publisher' | 'Supply' | 'Advertiser' | 'Demand';

/** How grave it is when an alert fires, by its code. */
export const alertSeverities = { 1: 'Information', 2: 'Warning', 3: 'Critical' } as const;
/** The severity of an alert that says none. */
export const standardSeverity = 2;

/** Why what an alert has told of has ended. */
export const alertEndings = {
  over: 'It is as it should be again',
  gone: 'The object is not active any more, or no longer among those that are watched',
  changed: 'The rule was changed',
  inactive: 'The alert was switched off',
} as const;
export type AlertEnding = keyof typeof alertEndings;
