import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

/** A list of `/api/info/`: countries, families of browsers, and so on. */
export const referenceQuery = <T>(name: string) =>
  queryOptions({
    queryKey: ['reference', name],
    queryFn: async ({ signal }) => (await call<readonly T[]>(`api/info/${name}`, { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
