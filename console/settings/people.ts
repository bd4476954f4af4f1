import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { announce } from '../shell/announcements.ts';

/** Somebody of the team. */
export interface User {
  readonly Id: number;
  readonly Mail: string;
  readonly FirstName: string;
  readonly LastName: string;
  readonly Role: 0 | 1 | 2;
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

/** All users of the team for an administrator; for others, themselves. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }) => (await call<readonly User[]>('api/auth/user/get', { signal })).data,
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

/** Where a user is logged in; without an ID, the one who asks. */
export const sessionsQuery = (userId?: number) =>
  queryOptions({
    queryKey: ['sessions', userId],
    queryFn: async ({ signal }) =>
      (await call<readonly OpenSession[]>('api/auth/session/get', { query: { UserId: userId }, signal }))
        .data,
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

/** The team's keys for an administrator; for others, their own. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await call<readonly ApiKey[]>('api/auth/apikey/get', { signal })).data,
});

/**
 * Does something about access by a POST, says so, and asks anew for all that is shown of people. `said`: what screen
 * readers hear then.
 */
export function useAccessChange<Sent, Answer = unknown>(path: string, said: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Sent) => (await call<Answer>(path, { body })).data,
    onSuccess() {
      announce(said);
      for (const name of ['users', 'sessions', 'keys']) void client.invalidateQueries({ queryKey: [name] });
    },
  });
}
