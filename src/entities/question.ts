import { conditions, orders } from '../fields/conditions.ts';
import { onlyIf, required } from '../fields/field.ts';
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
  Period: word({ of: periods, help: 'A period that moves with time, instead of From and To' }),
  From: onlyIf(
    'Period',
    [''],
    text({
      help: 'Start: a time like 2027-01-31T12:00:00Z at a quarter hour, or a day in TimeZone',
      max: 40,
    }),
  ),
  To: onlyIf(
    'Period',
    [''],
    text({ help: 'End: a time (exclusive), or a day in TimeZone (inclusive)', max: 40 }),
  ),
  TimeZone: text({
    help: 'Time zone of days and intervals, like Europe/Berlin (IANA); "" = UTC',
    example: 'Europe/Berlin',
    max: 64,
  }),
  GroupBy: names({
    of: groupNames,
    max: 8,
    help: 'What to group rows by: at most one interval, and dimensions; none = one row',
    example: ['Day', 'Publisher'],
  }),
  Measures: required(
    names({
      of: measureNames,
      max: measureNames.length,
      help: 'The measures of each row',
      example: ['Requests', 'Impressions', 'Revenue', 'Margin'],
    }),
  ),
  Filters: conditions({
    on: dimensionNames,
    max: 20,
    values: 'Values as in answers; for Supply and Demand their kind and ID, for example VastTag:7',
    help: 'Only what meets all of these conditions counts',
    example: [{ Field: 'SupplyKind', Operator: 'In', Values: ['VastTag'] }],
  }),
  OrderBy: orders({
    max: 4,
    help: 'Order of the rows, by names of GroupBy or Measures, and then in the order of GroupBy; with CompareTo also by how much a measure has changed, for example Revenue.Change',
    example: [{ Field: 'Revenue', Direction: 'Desc' }],
  }),
  Limit: intUpTo(reportRowsMax, {
    help: 'Maximum number of rows to return; 0 = all',
    unit: 'rows',
    example: 100,
  }),
  Total: flag({ help: '1 = also return the sums of all rows, including those beyond Limit', example: 1 }),
  CompareTo: word({
    of: comparisons,
    help: 'A period whose figures are shown as Before; if Period or To is not over yet, only the same part of it: today until 14:05 is compared with yesterday until 14:05',
  }),
});
