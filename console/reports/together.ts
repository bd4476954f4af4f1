import { answerable } from 'virtual:answerable';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Answerable } from '../../src/statistics/asking/plan-report.ts';
import { call } from '../api/call.ts';
import { isStep } from './report-search.ts';

type Step = Answerable['steps'][number];
/** What is counted together. */
export type Combinations = readonly {
  readonly dimensions: readonly string[];
  readonly measures: readonly string[];
  readonly steps: readonly Step[];
}[];

const grainOf: Readonly<Record<string, Step['grain']>> = { QuarterHour: 'quarter', Hour: 'hour', Day: 'day' };

const combinationsQuery = queryOptions({
  queryKey: ['combinations'],
  queryFn: async ({ signal }): Promise<Combinations> => {
    const { Combinations: all } = (await call('api/statistics/combinations', { signal })).data;
    return all.map(({ Dimensions, Measures, Steps }) => ({
      dimensions: Dimensions,
      measures: Measures,
      steps: Steps.map(({ Step: name, Since }) => ({
        grain: grainOf[name] ?? 'day',
        sinceMs: Date.parse(Since),
      })),
    }));
  },
  staleTime: 600_000,
});

/** Until the server has said what it keeps, what every server counts. */
export const useCombinations = (): Combinations => useQuery(combinationsQuery).data ?? answerable;

const dimensionsOf = (names: readonly string[]) => names.filter((name) => !isStep(name));

/** Whether steps are kept, from a time on, that the days of every zone are made of. */
const hasHours = (steps: readonly Step[], fromMs = Number.POSITIVE_INFINITY) =>
  steps.some(({ grain, sinceMs }) => grain !== 'day' && sinceMs <= fromMs);

/** What is counted by all of these names, in steps as short as the one among them. */
const ableTo = (all: Combinations, names: readonly string[]): Combinations =>
  all.filter(({ dimensions, steps }) => {
    if (!dimensionsOf(names).every((name) => dimensions.includes(name))) return false;
    if (names.includes('QuarterHour')) return steps.some(({ grain }) => grain === 'quarter');
    return !names.includes('Hour') || hasHours(steps);
  });

export const isTogether = (all: Combinations, names: readonly string[]): boolean =>
  ableTo(all, names).length > 0;

/** Of names, those that stand in the way of one more. */
export const inTheWay = (all: Combinations, names: readonly string[], added: string): readonly string[] =>
  names.filter((name) => !isTogether(all, [name, added]));

/** Whether names are counted together, but not in steps as short as the one among them or added to them. */
export const isOnlyByDay = (all: Combinations, names: readonly string[]): boolean =>
  !isTogether(all, names) && isTogether(all, dimensionsOf(names));

const wantedIn = ({ measures }: Combinations[number], figures: readonly string[]) =>
  figures.filter((name) => measures.includes(name));

/** Of figures, the most that are counted by all of these names; where there are none, some that are. */
export function countedBy(
  all: Combinations,
  names: readonly string[],
  figures: readonly string[],
): readonly string[] {
  const able = ableTo(all, names).map((one) => ({ one, wanted: wantedIn(one, figures) }));
  const [best] = able.toSorted((one, other) => other.wanted.length - one.wanted.length);
  if (!best) return figures;
  return best.wanted.length > 0 ? best.wanted : wantedIn(best.one, ['Impressions', 'Revenue', 'Cost']);
}

/**
 * Whether these figures by these names are kept by days of UTC alone from a time on, so that no other zone's days can be
 * asked for.
 */
export function isOfUtcDays(
  all: Combinations,
  names: readonly string[],
  figures: readonly string[],
  fromMs: number,
): boolean {
  const able = ableTo(all, names).filter((one) => wantedIn(one, figures).length === figures.length);
  return able.length > 0 && able.every(({ steps }) => !hasHours(steps, fromMs));
}
