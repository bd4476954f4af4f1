import { infiniteQueryOptions } from '@tanstack/react-query';
import { type ChangesPage, fetchChanges } from '../objects/history/history.ts';
import { type HistorySearch, historyFilter } from './history-search.ts';

const shownAtOnce = 50;

/** The team's changes, the newest first; its days are those of a zone. */
export const teamHistoryQuery = (search: HistorySearch, zone: string) => {
  const filter = historyFilter(search, zone);
  return infiniteQueryOptions({
    queryKey: ['history', 'team', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }): Promise<ChangesPage> =>
      fetchChanges(filter, { Limit: shownAtOnce, Cursor: pageParam, signal }),
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });
};
