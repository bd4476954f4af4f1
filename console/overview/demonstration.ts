import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiRequest, call, sendRequest } from '../api/call.ts';
import { announce } from '../shell/announcements.ts';

interface Demonstration {
  readonly Running: 0 | 1;
  readonly CanStart: 0 | 1;
  /** Why it cannot be started; "" where it can. */
  readonly Obstacle: string;
  /** The page that plays its ads; "" where there is none. */
  readonly Url: string;
}

/** Whether the team is a demonstration, or may become one. */
export const demonstrationQuery = queryOptions({
  queryKey: ['demonstration'],
  queryFn: async ({ signal }) => (await call<Demonstration>('api/demonstration/get', { signal })).data,
});

/** Asks for the demonstration, for a team without objects. */
export const startRequest: ApiRequest = { path: 'api/demonstration/start', body: {} };

/** Fills a team without objects with the demonstration. */
export function useStartDemonstration() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await sendRequest(startRequest)).data,
    onSuccess() {
      announce('The demonstration runs');
      return client.invalidateQueries({ queryKey: demonstrationQuery.queryKey });
    },
  });
}
