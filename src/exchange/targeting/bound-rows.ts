import type { ConfigurationObject } from '../configuration.ts';
import type { Opportunity } from '../opportunity.ts';
import type { BoundRule } from './rule.ts';

/** The bounds of many objects: those of one object lie side by side, so that asking for it reads one place. */
export interface BoundRows {
  /** Measures the opportunity that `admits` is then asked of. */
  begin(opportunity: Opportunity): void;
  /** Whether all bounds of the object admit it. */
  admits(index: number): boolean;
}

/** Minimums are turned round, so that every number has to be at most its bound. */
function sign({ bound }: BoundRule): 1 | -1 {
  return bound === 'maximum' ? 1 : -1;
}

/** Bounds by object; rules that restrict nobody are left out. */
export function createBoundRows(
  objects: readonly ConfigurationObject[],
  rules: readonly BoundRule[],
): BoundRows {
  const restricting = rules.filter((rule) => objects.some((object) => rule.boundOf(object) !== undefined));
  const width = restricting.length;
  const bounds = new Float64Array(objects.length * width).fill(Number.POSITIVE_INFINITY);
  for (const [column, rule] of restricting.entries()) {
    for (const [index, object] of objects.entries()) {
      const bound = rule.boundOf(object);
      if (bound !== undefined) bounds[index * width + column] = sign(rule) * bound;
    }
  }
  const met = new Float64Array(width);
  return {
    begin(opportunity) {
      for (let column = 0; column < width; column += 1) {
        const rule = restricting[column];
        // What is not known becomes NaN, which is above no bound.
        if (rule) met[column] = sign(rule) * (rule.measure(opportunity) ?? Number.NaN);
      }
    },
    admits(index) {
      const first = index * width;
      for (let column = 0; column < width; column += 1) {
        if ((met[column] as number) > (bounds[first + column] as number)) return false;
      }
      return true;
    },
  };
}
