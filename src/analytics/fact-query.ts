import { columnName } from '../reference/column-name.ts';
import { isNeverSampled, isRefusal } from '../reference/fact-cubes.ts';
import { ownMember, setOwnMember } from '../reference/own-member.ts';
import type { CubeCondition, FactQuestion } from '../store/statistics/interface.ts';
import { factColumns, factTable, grainColumns } from './fact-table.ts';

export interface SqlQuery {
  readonly text: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** Throws for other names, because names are part of the text. */
function column(name: string): string {
  if (Object.hasOwn(factColumns, name)) return name;
  throw new Error(`${name} is no column of ${factTable}`);
}

/** Consecutive ranges of equal length, with consecutive intervals. */
interface Run {
  readonly interval: number;
  readonly from: number;
  readonly length: number;
  until: number;
}

/** Joins hours, or days between two changes of summer time. */
function runsOf(ranges: FactQuestion['ranges']): Run[] {
  const runs: Run[] = [];
  for (const { bucket, from, until } of ranges) {
    const last = runs.at(-1);
    const isNext =
      last?.until === from &&
      last.length === until - from &&
      last.interval + (last.until - last.from) / last.length === bucket;
    if (last && isNext) last.until = until;
    else runs.push({ interval: bucket, from, until, length: until - from });
  }
  return runs;
}

function createParameters() {
  const parameters: Record<string, string | number> = {};
  return {
    parameters,
    add(value: string | number, type: string): string {
      const name = `p${Object.keys(parameters).length}`;
      setOwnMember(parameters, name, value);
      return `{${name}:${type}}`;
    },
  };
}
type Add = ReturnType<typeof createParameters>['add'];

function conditionOf({ columns, values, isNot }: CubeCondition, add: Add): string {
  const names = columns.map(column);
  const types = names.map((name) => (ownMember(factColumns, name)?.includes('String') ? 'String' : 'Int64'));
  // One text of JSON, whose strings no rule of parameters reads.
  const rows = `JSONExtract(${add(JSON.stringify(values), 'String')}, 'Array(Tuple(${types.join(', ')}))')`;
  return `(${names.join(', ')}) ${isNot ? 'NOT IN' : 'IN'} (SELECT ${names.map((_, index) => `row.${index + 1}`).join(', ')} FROM (SELECT arrayJoin(${rows}) AS row))`;
}

const ofAds: readonly string[] = ['seat', 'ad_domain', 'creative', 'deal'];

/** Only groups with traffic (or ads, if about them) or one of the figures: the table's other rows would show zeros. */
function groupsShown({ columns, counters }: Pick<FactQuestion, 'columns' | 'counters'>): string {
  const isOfRefusals = counters.every(isRefusal);
  const isOfAds = columns.some((name) => ofAds.includes(name));
  const witnesses = isOfAds
    ? (['wins', 'bills'] as const)
    : (['opportunities', 'calls', 'bids', 'wins'] as const);
  const names = new Set([...counters, ...(isOfRefusals ? [] : witnesses)]);
  return [...names].map((name) => `sum(${columnName(name)}) != 0`).join(' OR ');
}

/** Names are ours, values are parameters. Rows: interval, columns, sums, auctions that the rarest row counts for. */
export function factQuery({
  teamId,
  grain,
  ranges,
  columns,
  counters,
  conditions,
  rowsMax,
}: FactQuestion): SqlQuery {
  const { parameters, add } = createParameters();
  const slot = grainColumns[grain];
  const runs = runsOf(ranges);
  const isIn = ({ from, until }: Run) =>
    `(${slot} >= ${add(from, 'UInt32')} AND ${slot} < ${add(until, 'UInt32')})`;
  const bucketIn = (run: Run) => {
    const first = add(run.interval, 'UInt32');
    if (run.until - run.from === run.length) return `toInt64(${first})`;
    return `toInt64(${first} + intDiv(${slot} - ${add(run.from, 'UInt32')}, ${add(run.length, 'UInt32')}))`;
  };
  const within = runs.map(isIn);
  const [only] = runs;
  const buckets =
    runs.length === 1 && only
      ? bucketIn(only)
      : `multiIf(${runs.map((run, index) => `${within[index]}, ${bucketIn(run)}`).join(', ')}, -1)`;
  const shown = columns.map(column);
  const sums = counters.map((name) => `toFloat64(sum(${columnName(name)}))`);
  const weight = counters.every(isNeverSampled) ? '1' : 'max(weight)';
  const where = [
    `team_id = ${add(teamId, 'UInt32')}`,
    `(${within.join(' OR ')})`,
    ...conditions.map((one) => conditionOf(one, add)),
  ];
  const isOneBucket = runs.length === 1 && only?.until === (only?.from ?? 0) + (only?.length ?? 0);
  const groups = isOneBucket ? shown : ['bucket', ...shown];
  const text = `SELECT ${[`${buckets} AS bucket`, ...shown, ...sums, weight].join(', ')} FROM ${factTable}
    WHERE ${where.join(' AND ')} ${groups.length > 0 ? `GROUP BY ${groups.join(', ')}` : ''}
    HAVING ${groupsShown({ columns, counters })}
    LIMIT ${add(rowsMax, 'UInt32')}`;
  return { text, parameters };
}
