import { queryOptions } from '@tanstack/react-query';
import type { ApiPath } from './answers.ts';
import { call } from './call.ts';

type ReferencePath = Extract<ApiPath, `api/info/${string}`>;

/** A list of `/api/info/`: countries, families of browsers, and so on. */
export const referenceQuery = <Path extends ReferencePath>(path: Path) =>
  queryOptions({
    queryKey: ['reference', path],
    queryFn: async ({ signal }) => (await call(path, { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
