import type { DimensionName, TimeUnit } from '../../reference/dimensions.ts';
import type { MeasureName } from '../../reference/measures.ts';
import type { QuestionOwner } from '../../reference/partner-kinds.ts';
import type { ComparisonName, PeriodName } from '../../reference/periods.ts';
import type { Times } from './period-times.ts';

export interface ReportFilter {
  readonly field: DimensionName;
  readonly isNot: boolean;
  /** As the dimension's columns hold it. */
  readonly values: readonly (readonly (string | number)[])[];
}

export interface ReportQuestion {
  readonly teamId: number;
  /** A partner: only its own objects count. */
  readonly owner?: QuestionOwner | undefined;
  /** Milliseconds since 1970; both begin quarter hours. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly zone: string;
  /** If its times were given by name. */
  readonly period?: PeriodName | undefined;
  /** Milliseconds since 1970; a period still running then is compared up to there. */
  readonly askedMs?: number | undefined;
  /** In the order of the answer's members. */
  readonly groups: readonly (TimeUnit | DimensionName)[];
  readonly measures: readonly MeasureName[];
  readonly filters: readonly ReportFilter[];
  /** `isOfChange`: by how much a measure differs from before. */
  readonly orderBy: readonly {
    readonly field: string;
    readonly isDescending: boolean;
    readonly isOfChange?: boolean;
  }[];
  readonly limit: number | undefined;
  readonly hasTotal: boolean;
  readonly compareTo: ComparisonName | undefined;
  /** About objects of one side: requests of demand are those that it took part in, where reports leave them to supply. */
  readonly isOfObjects?: true;
  /** In place of the times that `compareTo` names. */
  readonly comparedTimes?: Times | undefined;
}
