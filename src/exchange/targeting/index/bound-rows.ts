import type { CooperativeTask } from '../../cooperative-task.ts';
import type { Opportunity } from '../../opportunity.ts';
import type { BoundRule } from '../rule.ts';
import type { RowChange } from './row-change.ts';

/** An object's bounds lie next to each other, so that a check reads one place in memory. */
export interface BoundRows {
  /** For the calls of `refusedBy` that follow. */
  begin(opportunity: Opportunity): void;
  /** Index of the first rule that refuses it; -1 if all admit it. */
  refusedBy(index: number): number;
  after(change: RowChange): CooperativeTask<BoundRows>;
}

/** A rule, and how many objects it restricts. */
interface Column {
  readonly rule: BoundRule;
  readonly restricted: number;
}

/** Minimums are negated, so that every number has to be at most its bound. */
function sign({ bound }: BoundRule): 1 | -1 {
  return bound === 'maximum' ? 1 : -1;
}

function restricted({ rule }: Column, objects: RowChange['added']): number {
  return objects.reduce((sum, { object }) => (rule.boundOf(object) === undefined ? sum : sum + 1), 0);
}

/** A row has one bound for each of these. */
function restricting(columns: readonly Column[]): readonly BoundRule[] {
  return columns.flatMap((column) => (column.restricted > 0 ? [column.rule] : []));
}

/** Copied for objects that stayed, read for new ones. */
function* changedBounds(
  rules: readonly BoundRule[],
  bounds: Float64Array,
  after: readonly BoundRule[],
  { size, kept, added }: RowChange,
): CooperativeTask<Float64Array> {
  const width = after.length;
  const next = new Float64Array(size * width).fill(Number.POSITIVE_INFINITY);
  for (const [to, rule] of after.entries()) {
    const from = rules.indexOf(rule);
    for (const run of from === -1 ? [] : kept) {
      for (let at = 0; at < run.length; at += 1) {
        next[(run.to + at) * width + to] = bounds[(run.from + at) * rules.length + from] as number;
      }
    }
    yield;
    for (const { place, object } of added) {
      const bound = rule.boundOf(object);
      if (bound !== undefined) next[place * width + to] = sign(rule) * bound;
    }
    yield;
  }
  return next;
}

/** Leaves out rules that restrict nobody. */
function boundRowsOf(columns: readonly Column[], bounds: Float64Array): BoundRows {
  const rules = restricting(columns);
  const places = columns.flatMap(({ restricted }, place) => (restricted > 0 ? [place] : []));
  const width = rules.length;
  const met = new Float64Array(width);
  return {
    begin(opportunity) {
      for (let column = 0; column < width; column += 1) {
        const rule = rules[column];
        // Unknown becomes NaN, which exceeds no bound.
        if (rule) met[column] = sign(rule) * (rule.measure(opportunity) ?? Number.NaN);
      }
    },
    refusedBy(index) {
      const first = index * width;
      for (let column = 0; column < width; column += 1) {
        if ((met[column] as number) > (bounds[first + column] as number)) return places[column] as number;
      }
      return -1;
    },
    *after(change) {
      const next: Column[] = [];
      for (const column of columns) {
        const more = restricted(column, change.added) - restricted(column, change.removed);
        next.push({ rule: column.rule, restricted: column.restricted + more });
        yield;
      }
      return boundRowsOf(next, yield* changedBounds(rules, bounds, restricting(next), change));
    },
  };
}

export function emptyBoundRows(rules: readonly BoundRule[]): BoundRows {
  return boundRowsOf(
    rules.map((rule) => ({ rule, restricted: 0 })),
    new Float64Array(0),
  );
}
