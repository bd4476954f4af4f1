import { queryOptions } from '@tanstack/react-query';
import { type ApiRequest, sendRequest } from './call.ts';
import type { Values } from './objects.ts';

export const teamSettingsRequest = { path: 'api/team/get' } satisfies ApiRequest;
export const teamSettingsQuery = queryOptions({
  queryKey: ['team settings'],
  queryFn: async ({ signal }): Promise<Values> => (await sendRequest(teamSettingsRequest, { signal })).data,
});
