import { noCounts } from '../../reference/counters.ts';
import { measures } from '../../reference/measures.ts';
import { dayOf } from '../../statistics/days.ts';
import type { Context } from '../context.ts';
import { readRetention } from './answer-report.ts';
import { askingOf, dimensionOf, timesOf } from './compared-figures.ts';

/** Those that may have lost most are asked about. */
const objectsMax = 2000;

export const objectKey = (kind: string, id: number): string => `${kind} ${id}`;

type Reading = Pick<Context, 'store' | 'now' | 'keptDays' | 'teamFigures'>;

/** Who earned more in all of yesterday than today so far, which bounds what until now can be lost, the most first. */
async function candidatesOf({ teamFigures }: Reading, kinds: readonly string[], teamId: number) {
  const { of: revenueOf } = measures.Revenue;
  const known = await Promise.all(kinds.map((kind) => teamFigures.days(kind, teamId)));
  const candidates = known.flatMap(({ value }, index) =>
    [...value].flatMap(([id, { Today, Yesterday }]) => {
      if (!Yesterday) return [];
      const mostLost = revenueOf({ ...noCounts, ...Yesterday }) - revenueOf({ ...noCounts, ...Today });
      return mostLost > 0 ? [{ kind: kinds[index] ?? '', id, mostLost }] : [];
    }),
  );
  return candidates.sort((one, other) => other.mostLost - one.mostLost).slice(0, objectsMax);
}

/** Of kinds of one side: USD earned until this time yesterday beyond what was earned today, by `objectKey`. */
export async function readLostRevenue(
  reading: Reading,
  kinds: readonly string[],
  teamId: number,
): Promise<ReadonlyMap<string, number>> {
  const candidates = await candidatesOf(reading, kinds, teamId);
  const [first] = candidates;
  if (!first) return new Map();
  const known = await readRetention(reading);
  const { field } = dimensionOf(first.kind, []);
  const values = candidates.map(({ kind, id }) => [kind, id]);
  const { rows } = await askingOf(
    reading.store.statistics,
    teamId,
    known,
  )(timesOf(dayOf(known.nowMs), known.nowMs).day, {
    groups: [field],
    filters: [{ field, isNot: false, values }],
    measures: ['Revenue'],
    compareTo: 'Period',
    isOfObjects: true,
  });
  return new Map(
    rows.flatMap(({ values: [object = []], figures, before }) => {
      const lost = (before?.Revenue ?? 0) - (figures.Revenue ?? 0);
      return lost > 0 ? [[objectKey(String(object[0]), Number(object[1])), lost] as const] : [];
    }),
  );
}
