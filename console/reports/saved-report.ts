import type { Stored, Values } from '../api/objects.ts';
import { itemsIn, rowsIn, textsIn } from '../api/values.ts';
import { type AskedQuestion, chartOf } from './question.ts';
import { isFilter, type ReportSearch } from './report-search.ts';

/** How a chart stands in an address, by its code. */
const charts = ['none', 'lines', 'bars'];

/** What a saved report keeps of what an address shows, by field name. */
export function savedValuesOf(search: ReportSearch, { question }: AskedQuestion): Values {
  const { Period = '', From = '', To = '', OrderBy = [], Limit = 0, CompareTo = '', ...rest } = question;
  return {
    Period,
    From,
    To,
    OrderBy,
    Limit,
    CompareTo,
    ...rest,
    Chart: Math.max(charts.indexOf(chartOf(search, question)), 0),
    PivotBy: search.across !== undefined && question.GroupBy.includes(search.across) ? search.across : '',
  };
}

const textIn = (report: Stored, name: string) => (report[name] ? String(report[name]) : undefined);

/** The address that shows a saved report. */
export function searchOf(report: Stored): ReportSearch {
  const [order] = rowsIn(report.OrderBy);
  const filter = itemsIn(report.Filters).filter(isFilter);
  return {
    saved: report.Id,
    period: textIn(report, 'Period'),
    from: textIn(report, 'From'),
    to: textIn(report, 'To'),
    zone: textIn(report, 'TimeZone') ?? 'UTC',
    by: textsIn(report.GroupBy).join(),
    figures: textsIn(report.Measures).join(),
    filter: filter.length > 0 ? filter : undefined,
    compare: textIn(report, 'CompareTo'),
    sort: order && `${order.Direction === 'Desc' ? '-' : ''}${order.Field}`,
    limit: Number(report.Limit) || undefined,
    chart: charts[Number(report.Chart)],
    across: textIn(report, 'PivotBy'),
  };
}

/** Whether a saved report keeps something else than what is shown. */
export const differs = (report: Stored, kept: Values): boolean =>
  Object.entries(kept).some(([name, value]) => JSON.stringify(report[name]) !== JSON.stringify(value));
