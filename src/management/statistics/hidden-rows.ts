import { entityOf } from '../../entities/registry.ts';
import { withArticle } from '../../entities/with-article.ts';
import { type Fault, invalid, pathOf } from '../../fields/fault.ts';
import { dimensions, isTimeUnit } from '../../reference/dimensions.ts';
import { measures } from '../../reference/measures.ts';
import { isSeenBy, type QuestionOwner } from '../../reference/partner-kinds.ts';
import type { SentReport } from './report-question.ts';

type Visibility = Parameters<typeof isSeenBy>[0];

const shown = (rows: Readonly<Record<string, Visibility>>, owner: QuestionOwner): string =>
  Object.entries(rows)
    .flatMap(([name, row]) => (isSeenBy(row, owner) ? [name] : []))
    .join(', ');

/** Faults' paths begin with `at`. */
export function hiddenRowFaults(
  { GroupBy = [], Measures, Filters = [] }: SentReport,
  owner: QuestionOwner,
  at: readonly string[] = [],
): Fault[] {
  const fault = (Path: string, rows: Readonly<Record<string, Visibility>>): Fault => {
    const account = withArticle(entityOf(owner.kind)).toLowerCase();
    const Message = `is not shown to ${account}; possible values: ${shown(rows, owner)}`;
    return { Path, Code: 'out_of_range', Message };
  };
  const groups = GroupBy.flatMap((name, index) => {
    const isSeen = isTimeUnit(name) || isSeenBy(dimensions[name as keyof typeof dimensions], owner);
    return isSeen ? [] : [fault(pathOf(...at, 'GroupBy', index), dimensions)];
  });
  const figures = Measures.flatMap((name, index) =>
    isSeenBy(measures[name], owner) ? [] : [fault(pathOf(...at, 'Measures', index), measures)],
  );
  const filters = Filters.flatMap(({ Field }, index) =>
    isSeenBy(dimensions[Field], owner) ? [] : [fault(pathOf(...at, 'Filters', index, 'Field'), dimensions)],
  );
  return [...groups, ...figures, ...filters];
}

/** Refuses with `invalid` measures and dimensions that partners are not shown. */
export function refuseHiddenRows(question: SentReport, owner: QuestionOwner): void {
  const faults = hiddenRowFaults(question, owner);
  if (faults.length > 0) throw invalid(faults);
}
