import type { Remedy } from '../../src/answers/failure.ts';
import { titleOf } from '../parts/value-text.ts';
import { timeText } from '../parts/zone-text.ts';
import { dayAfter } from './period.ts';
import { figuresOf, groupsOf, type ReportSearch } from './report-search.ts';

/** What can be asked instead, and what the address says then. */
interface Way {
  readonly label: string;
  readonly search: ReportSearch;
}

const without = (names: readonly string[], left: readonly string[]) =>
  names.filter((name) => !left.includes(name)).join();

/** The address without some names: of groups, filters and figures. */
function leavingOut(search: ReportSearch, left: readonly string[], instead: readonly string[] = []): Way {
  if (left.includes('CompareTo')) {
    return { label: 'Compare with nothing', search: { ...search, compare: undefined } };
  }
  const figures = without(figuresOf(search), left);
  return {
    label: `Leave out ${left.map(titleOf).join(', ')}`,
    search: {
      ...search,
      by: without(groupsOf(search), left),
      figures: figures || instead.join() || undefined,
      filter: search.filter?.filter(({ Field }) => !left.includes(Field)),
    },
  };
}

/** The address from a day of UTC on; in other zones, a day begins at another time, so from the next one. */
function beginningAt(search: ReportSearch, since: string, today: string): Way {
  const from = search.zone === 'UTC' ? since : dayAfter(since, 1);
  const to = search.to !== undefined && search.to >= from ? search.to : today;
  return {
    label: `Start on ${timeText(Date.parse(from), 'UTC', 'day')}`,
    search: { ...search, period: undefined, from, to },
  };
}

/** The address of what a remedy asks. `today`: of UTC. */
export function applyRemedy(
  search: ReportSearch,
  { LeaveOut, AskFor, From, GroupBy }: Remedy,
  today: string,
): Way {
  if (LeaveOut) return leavingOut(search, LeaveOut, AskFor);
  if (From) return beginningAt(search, From.slice(0, 'YYYY-MM-DD'.length), today);
  return {
    label: 'Use UTC days',
    search: { ...search, ...(GroupBy && { by: GroupBy.join() }), zone: 'UTC' },
  };
}
