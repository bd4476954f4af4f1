import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type AnswerTo, type ApiPath, arrayIn } from '../api/answers.ts';
import { type ApiRequest, sendRequest } from '../api/call.ts';
import { announce } from '../shell/announcements.ts';

export type User = Exclude<AnswerTo<'api/auth/user/get'>, readonly unknown[]>;

/** A session of the console, or an access token. */
export type OpenSession = AnswerTo<'api/auth/session/get'>[number];

export type ApiKey = AnswerTo<'api/auth/apikey/get'>[number];

/** Of a user, the account that a partner belongs to. */
export type AccountField = 'PublisherId' | 'AdvertiserId';

/** What people call somebody. */
export const nameOfUser = ({
  FirstName,
  LastName,
  Mail,
}: Pick<User, 'FirstName' | 'LastName' | 'Mail'>): string => `${FirstName} ${LastName}`.trim() || Mail;

/** Asks for all users of the team, as an administrator; else for the one who asks. */
export const usersRequest = { path: 'api/auth/user/get' } satisfies ApiRequest;

/** All users of the team for an administrator; for others, themselves. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }) => arrayIn((await sendRequest(usersRequest, { signal })).data),
});

/** A link for somebody, to be handed over. */
export interface NamedLink {
  /** Name and mail address of whom it lets in, and of which account. */
  readonly name: string;
  /** "" = it is mailed. */
  readonly link: string;
}

/** Asks where a user is logged in; without an ID, the one who asks. */
export const sessionsRequest = (UserId?: number) =>
  ({
    path: 'api/auth/session/get',
    query: { UserId },
  }) satisfies ApiRequest;

export const sessionsQuery = (userId?: number) =>
  queryOptions({
    queryKey: ['sessions', userId],
    queryFn: async ({ signal }) => (await sendRequest(sessionsRequest(userId), { signal })).data,
  });

/** Asks for the team's keys, as an administrator; else for those of the one who asks. */
export const keysRequest = { path: 'api/auth/apikey/get' } satisfies ApiRequest;

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await sendRequest(keysRequest, { signal })).data,
});

/**
 * Sends a request that does something about access, says so, and asks anew for all that is shown of people. `said`: what
 * screen readers hear then.
 */
export function useAccessChange<Path extends ApiPath>(said: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (request: ApiRequest<Path>) => (await sendRequest(request)).data,
    onSuccess() {
      announce(said);
      for (const name of ['users', 'sessions', 'keys']) void client.invalidateQueries({ queryKey: [name] });
    },
  });
}
