import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiRequest, call, sendRequest } from '../api/call.ts';
import { announce } from '../shell/announcements.ts';

/** Whether the team is a demonstration, or may become one. */
export const demonstrationQuery = queryOptions({
  queryKey: ['demonstration'],
  queryFn: async ({ signal }) => (await call('api/demonstration/get', { signal })).data,
});

/** Asks for the demonstration, for a team without objects. */
export const startRequest = { path: 'api/demonstration/start', body: {} } satisfies ApiRequest;

/** Fills a team without objects with the demonstration. */
export function useStartDemonstration() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await sendRequest(startRequest)).data,
    onSuccess() {
      announce('The demonstration is running');
      return client.invalidateQueries({ queryKey: demonstrationQuery.queryKey });
    },
  });
}
