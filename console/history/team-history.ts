import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import type { Stored } from '../api/objects.ts';
import { entityOf } from '../field-tables.ts';
import { type ChangesPage, fetchChanges } from '../objects/history/history.ts';
import { dayStart } from '../parts/zone-text.ts';

/** What the address of the history says. */
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

/** Names of objects of an entity, by ID. */
export const namesQuery = (key: string, ids: readonly number[]) =>
  queryOptions({
    queryKey: ['names', key, ids],
    async queryFn({ signal }): Promise<Readonly<Record<number, Stored>>> {
      const entity = entityOf(key);
      if (!entity) return {};
      const Fields = ['Id', 'Name', 'Mail']
        .filter((name) => entity.fields.some((one) => one.name === name))
        .join();
      const Filter = JSON.stringify([{ Field: 'Id', Operator: 'in', Values: ids }]);
      const { data } = await call<readonly Stored[]>(`api/${entity.path}/get`, {
        query: { Fields, Filter },
        signal,
      });
      return Object.fromEntries(data.map((object) => [object.Id, object]));
    },
    staleTime: 60_000,
  });
