import type { DimensionName, TimeUnit } from '../../reference/dimensions.ts';
import type { MeasureName } from '../../reference/measures.ts';
import type { QuestionOwner } from '../../reference/partner-kinds.ts';
import type { ComparisonName, PeriodName } from '../../reference/periods.ts';

/** Which values of a dimension count. */
export interface ReportFilter {
  readonly field: DimensionName;
  readonly isNot: boolean;
  /** Each as the dimension's columns hold it. */
  readonly values: readonly (readonly (string | number)[])[];
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
  /** The period that its times were said by, where one was. */
  readonly period?: PeriodName | undefined;
  /** When it is asked, in milliseconds since 1970: a period that still runs then is compared as far as it has come. */
  readonly askedMs?: number | undefined;
  /** In the order of the answer's members. */
  readonly groups: readonly (TimeUnit | DimensionName)[];
  readonly measures: readonly MeasureName[];
  readonly filters: readonly ReportFilter[];
  readonly orderBy: readonly { readonly field: string; readonly isDescending: boolean }[];
  readonly limit: number | undefined;
  readonly hasTotal: boolean;
  readonly compareTo: ComparisonName | undefined;
}
