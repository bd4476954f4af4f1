import { infiniteQueryOptions } from '@tanstack/react-query';
import { type ChangesPage, fetchChanges } from '../objects/history/history.ts';
import { dayStart } from '../parts/zone-text.ts';

export interface HistorySearch {
  /** Days, the last one included, in the zone of whoever looks. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly user?: number | undefined;
  readonly entity?: string | undefined;
  readonly field?: string | undefined;
}

const shownAtOnce = 50;

/** The team's changes, the newest first; its days are those of a zone. */
export const teamHistoryQuery = ({ from, to, user, entity, field }: HistorySearch, zone: string) =>
  infiniteQueryOptions({
    queryKey: ['history', 'team', from, to, user, entity, field, zone],
    initialPageParam: undefined as string | undefined,
    queryFn({ pageParam, signal }): Promise<ChangesPage> {
      const days = { From: from && dayStart(from, zone), To: to && dayStart(to, zone, 1) };
      const filter = { ...days, UserId: user, Entity: entity, Field: field };
      return fetchChanges(filter, { Limit: shownAtOnce, Cursor: pageParam, signal });
    },
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });
