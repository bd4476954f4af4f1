import { reports } from '../field-tables.ts';
import { isStep } from './report-search.ts';

const dimensionsOf = (names: readonly string[]) => names.filter((name) => !isStep(name));
type Answerable = (typeof reports.answerable)[number];

/** Whether steps are kept that the days of every zone are made of. */
const hasHours = (grains: Answerable['grains']) => grains.some((grain) => grain !== 'day');

/** What is counted by all of these names, in steps as short as the one among them. */
const ableTo = (names: readonly string[]): readonly Answerable[] =>
  reports.answerable.filter(({ dimensions, grains }) => {
    const known: readonly string[] = dimensions;
    if (!dimensionsOf(names).every((name) => known.includes(name))) return false;
    if (names.includes('QuarterHour')) return grains.includes('quarter');
    return !names.includes('Hour') || hasHours(grains);
  });

export const isTogether = (names: readonly string[]): boolean => ableTo(names).length > 0;

/** Of names, those that stand in the way of one more. */
export const inTheWay = (names: readonly string[], added: string): readonly string[] =>
  names.filter((name) => !isTogether([name, added]));

const wantedIn = ({ measures }: Answerable, figures: readonly string[]) =>
  figures.filter((name) => measures.some((measure) => measure === name));

/** Of figures, the most that are counted by all of these names; where there are none, some that are. */
export function countedBy(names: readonly string[], figures: readonly string[]): readonly string[] {
  const all = ableTo(names).map((one) => ({ one, wanted: wantedIn(one, figures) }));
  const [best] = all.toSorted((one, other) => other.wanted.length - one.wanted.length);
  if (!best) return figures;
  return best.wanted.length > 0 ? best.wanted : wantedIn(best.one, ['Impressions', 'Revenue', 'Cost']);
}

/** Whether these figures by these names are kept by days of UTC alone, so that no other zone's days can be asked for. */
export function isOfUtcDays(names: readonly string[], figures: readonly string[]): boolean {
  const able = ableTo(names).filter((one) => wantedIn(one, figures).length === figures.length);
  return able.length > 0 && able.every(({ grains }) => !hasHours(grains));
}
