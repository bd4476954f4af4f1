import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiRequest, sendRequest } from '../api/call.ts';
import { announce } from '../shell/announcements.ts';

/** Somebody of the team. */
export interface User {
  readonly Id: number;
  readonly Mail: string;
  readonly FirstName: string;
  readonly LastName: string;
  readonly Role: 0 | 1 | 2 | 3;
  /** The account of a partner; 0 = of none. */
  readonly PublisherId: number;
  readonly AdvertiserId: number;
  readonly Status: 0 | 1;
  /** 1 = has not set a password yet. */
  readonly Invited: 0 | 1;
  readonly SecondFactor: 0 | 1;
}

/** What people call somebody. */
export const nameOfUser = ({
  FirstName,
  LastName,
  Mail,
}: Pick<User, 'FirstName' | 'LastName' | 'Mail'>): string => `${FirstName} ${LastName}`.trim() || Mail;

/** Asks for all users of the team, as an administrator; else for the one who asks. */
export const usersRequest: ApiRequest = { path: 'api/auth/user/get' };

/** All users of the team for an administrator; for others, themselves. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }) => (await sendRequest<readonly User[]>(usersRequest, { signal })).data,
});

/** A link for somebody, to be handed over. */
export interface LinkFor {
  readonly name: string;
  readonly link: string;
}

/** A session of the console, or an access token. */
export interface OpenSession {
  readonly Id: number;
  readonly UserId: number;
  readonly Created: string;
  /** "" = not known, as for access tokens. */
  readonly LastUsed: string;
  readonly Address: string;
  readonly UserAgent: string;
  readonly IsCurrent: 0 | 1;
}

/** Asks where a user is logged in; without an ID, the one who asks. */
export const sessionsRequest = (UserId?: number): ApiRequest => ({
  path: 'api/auth/session/get',
  query: { UserId },
});

/** Where a user is logged in. */
export const sessionsQuery = (userId?: number) =>
  queryOptions({
    queryKey: ['sessions', userId],
    queryFn: async ({ signal }) =>
      (await sendRequest<readonly OpenSession[]>(sessionsRequest(userId), { signal })).data,
  });

/** A token for a machine. */
export interface ApiKey {
  readonly Id: number;
  readonly Label: string;
  readonly UserId: number;
  readonly CreatedAt: string;
  /** "" = never. */
  readonly ExpiresAt: string;
  /** "" = never. */
  readonly LastUsedAt: string;
  /** Only in the answer that adds it. */
  readonly Key?: string;
}

/** Asks for the team's keys, as an administrator; else for those of the one who asks. */
export const keysRequest: ApiRequest = { path: 'api/auth/apikey/get' };

/** The keys that one may see. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await sendRequest<readonly ApiKey[]>(keysRequest, { signal })).data,
});

/**
 * Sends a request that does something about access, says so, and asks anew for all that is shown of people. `said`: what
 * screen readers hear then.
 */
export function useAccessChange<Answer = unknown>(said: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (request: ApiRequest) => (await sendRequest<Answer>(request)).data,
    onSuccess() {
      announce(said);
      for (const name of ['users', 'sessions', 'keys']) void client.invalidateQueries({ queryKey: [name] });
    },
  });
}
