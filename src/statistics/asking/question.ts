import type { AccountKind } from '../../entities/kinds.ts';
import type { MeasureName } from '../measures.ts';
import type { DimensionName } from './dimensions.ts';
import type { TimeUnit } from './zones.ts';

/** Which values of a dimension count. */
export interface ReportFilter {
  readonly field: DimensionName;
  readonly isNot: boolean;
  /** Each as the dimension's columns hold it. */
  readonly values: readonly (readonly (string | number)[])[];
}

/** What the figures are compared with. */
export const comparisons = {
  Period: 'The period of the same length right before',
  Week: 'The same days a week before',
  Year: 'The same days a year before',
} as const;

/** An account that asks about what it owns. */
export interface QuestionOwner {
  readonly kind: AccountKind;
  readonly id: number;
}

/** Whether a measure or a dimension is shown to who asks: partners see what says so, all others everything. */
export function isSeenBy(
  { seenBy = [] }: { readonly help: string; readonly seenBy?: readonly AccountKind[] },
  owner: QuestionOwner | undefined,
): boolean {
  return owner === undefined || seenBy.includes(owner.kind);
}

/** A question to the statistics of a team, checked. */
export interface ReportQuestion {
  readonly teamId: number;
  /** The account whose objects alone count: a partner's own. */
  readonly owner?: QuestionOwner | undefined;
  /** Milliseconds since 1970; both begin quarter hours. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly zone: string;
  /** In the order of the answer's members. */
  readonly groups: readonly (TimeUnit | DimensionName)[];
  readonly measures: readonly MeasureName[];
  readonly filters: readonly ReportFilter[];
  readonly orderBy: readonly { readonly field: string; readonly isDescending: boolean }[];
  readonly limit: number | undefined;
  readonly hasTotal: boolean;
  readonly compareTo: keyof typeof comparisons | undefined;
}
