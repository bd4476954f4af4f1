import { conditions, orders } from '../fields/conditions.ts';
import { required } from '../fields/field.ts';
import { flag, intUpTo } from '../fields/number.ts';
import { section } from '../fields/section.ts';
import { text } from '../fields/text.ts';
import { names, word } from '../fields/word.ts';
import { dimensionRows, groupNames } from '../reference/dimensions.ts';
import { measureRows } from '../reference/measures.ts';
import { comparisons, periods } from '../reference/periods.ts';
import { reportRowsMax } from '../reference/report-rows-max.ts';

const measureNames = measureRows.map(([name]) => name);
const dimensionNames = dimensionRows.map(([name]) => name);

/** Questions of the API and saved reports are made of these rows. */
export const question = section('Question', {
  Period: word({ of: periods, help: 'A period that moves on with time, in place of From and To' }),
  From: text({
    help: 'Begin: a time as 2027-01-31T12:00:00Z at a quarter hour, or a day in TimeZone',
    max: 40,
  }),
  To: text({ help: 'End: a time, which is excluded, or a day in TimeZone, which is included', max: 40 }),
  TimeZone: text({
    help: 'Zone of days and of steps of time, as Europe/Berlin (IANA); "" = UTC',
    example: 'Europe/Berlin',
    max: 64,
  }),
  GroupBy: names({
    of: groupNames,
    max: 8,
    help: 'What rows are told apart by: one step of time at most, and dimensions; none = one row',
    example: ['Day', 'Publisher'],
  }),
  Measures: required(
    names({
      of: measureNames,
      max: measureNames.length,
      help: 'The figures of each row',
      example: ['Requests', 'Impressions', 'Revenue', 'Margin'],
    }),
  ),
  Filters: conditions({
    on: dimensionNames,
    max: 20,
    values: 'Values as answers have them; of Supply and Demand their kind and ID, as VastTag:7',
    help: 'What counts; all of them must be true',
    example: [{ Field: 'SupplyKind', Operator: 'In', Values: ['VastTag'] }],
  }),
  OrderBy: orders({
    max: 4,
    help: 'Order of the rows, by names of GroupBy or Measures; then comes that of GroupBy',
    example: [{ Field: 'Revenue', Direction: 'Desc' }],
  }),
  Limit: intUpTo(reportRowsMax, { help: 'Most rows to answer; 0 = all', unit: 'rows', example: 100 }),
  Total: flag({ help: '1 = the sums of all rows, also of those beyond Limit, too', example: 1 }),
  CompareTo: word({
    of: comparisons,
    help: 'A period whose figures are shown as Before; where Period, or To, is not over yet, the same part of it',
  }),
});
