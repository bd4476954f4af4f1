import { queryOptions } from '@tanstack/react-query';
import { arrayIn } from '../api/answers.ts';
import { call } from '../api/call.ts';
import { entities } from '../field-tables.ts';

const supplies = entities.filter(({ side }) => side === 'supply');

/** Whether the team has anything yet that asks for ads. */
export const hasSupplyQuery = queryOptions({
  queryKey: ['has-supply'],
  queryFn: async ({ signal }) => {
    const first = async (path: string) =>
      arrayIn((await call(`api/${path}/get`, { query: { Limit: 1, Fields: 'Id' }, signal })).data);
    return (await Promise.all(supplies.map(({ path }) => first(path)))).some((found) => found.length > 0);
  },
  refetchOnWindowFocus: false,
  // What a team has it keeps: nothing is ever deleted.
  staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
});
