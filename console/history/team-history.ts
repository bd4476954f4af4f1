import { infiniteQueryOptions } from '@tanstack/react-query';
import { type ChangesPage, fetchChanges } from '../objects/history/history.ts';

/** What the address of the history says. */
export interface HistorySearch {
  /** Days, the last one included, in the zone of whoever looks. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly user?: number | undefined;
  readonly entity?: string | undefined;
  readonly field?: string | undefined;
}

const dayStart = (day: string | undefined, daysLater = 0): string | undefined => {
  if (day === undefined) return undefined;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toJSON();
};

const shownAtOnce = 50;
/** The server knows no fields, so changes of one are looked for here, in pages of this size. */
const searchedAtOnce = 1000;
const searchesMax = 10;

/** The team's changes, the newest first. */
export const teamHistoryQuery = ({ from, to, user, entity, field }: HistorySearch) =>
  infiniteQueryOptions({
    queryKey: ['history', 'team', from, to, user, entity, field],
    initialPageParam: undefined as string | undefined,
    async queryFn({ pageParam, signal }): Promise<ChangesPage> {
      const filter = { From: dayStart(from), To: dayStart(to, 1), UserId: user, Entity: entity };
      if (field === undefined) return fetchChanges(filter, { Limit: shownAtOnce, Cursor: pageParam, signal });
      let page: ChangesPage = { changes: [], next: pageParam };
      for (let searches = 0; searches < searchesMax && page.changes.length < shownAtOnce; searches += 1) {
        const { changes, next } = await fetchChanges(filter, {
          Limit: searchedAtOnce,
          Cursor: page.next,
          signal,
        });
        const fitting = changes.filter(({ Changes }) => Changes.some(({ Field }) => Field === field));
        page = { changes: [...page.changes, ...fitting], next };
        if (next === undefined) break;
      }
      return page;
    },
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });
