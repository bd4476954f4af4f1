import { queryOptions } from '@tanstack/react-query';
import type { AnswerTo } from '../api/answers.ts';
import { type ApiRequest, CallError, sendRequest } from '../api/call.ts';

export type Account = AnswerTo<'api/auth/account'>;

/** Asks who is logged in, and for the team. */
export const accountRequest = { path: 'api/auth/account' } satisfies ApiRequest;

/** The user of the session; null where nobody is logged in. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async (): Promise<Account | null> => {
    try {
      return (await sendRequest(accountRequest, { isOpen: true })).data;
    } catch (error) {
      if (error instanceof CallError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** What opens a session: a login, with a code where the user has a second factor, or the link of a first start. */
export type Entry =
  | { readonly Username: string; readonly Password: string; readonly Code?: string | undefined }
  | { readonly Link: string };

/** Opens a session, which a cookie carries that scripts cannot read. Rejects with `CallError`. */
export const logIn = async (entry: Entry) =>
  (await sendRequest({ path: 'api/auth/session', body: entry }, { isOpen: true })).data;

/** Sets the password of whom a link invites, or lets set it anew; answers the mail address. Rejects with `CallError`. */
export const setPassword = async (Link: string, NewPassword: string) =>
  (await sendRequest({ path: 'api/auth/link', body: { Link, NewPassword } }, { isOpen: true })).data.Username;

/** Whether a login fails by nothing but a code, which was wrong or not sent. */
export const wantsCode = (error: unknown): boolean =>
  error instanceof CallError && error.faults.some(({ Code }) => Code === 'second_factor');

/** Ends the session, and forgets all that was shown of it. */
export async function logOut(): Promise<void> {
  await sendRequest({ path: 'api/auth/logout', body: {} }, { isOpen: true }).catch(() => undefined);
  location.assign(document.baseURI);
}

/** Roles, by code. */
export const roleNames = ['Administrator', 'Manager', 'Analyst', 'Partner'] as const;
/** The role of users of a publisher or an advertiser, who see the portal. */
export const partnerRole = 3;
/** Whether somebody sees the portal instead of the console. */
export const isPartner = ({ Role }: Pick<Account, 'Role'>): boolean => Role === partnerRole;
export const mayChange = ({ Role }: Pick<Account, 'Role'>): boolean => Role < 2;
/** What a control that an analyst may not use says. */
export const analystReason = 'Your role, analyst, can see everything but change nothing.';
/** What each role may do, by code. */
export const roleTexts = [
  'Everything, including other users',
  'Everything except other users and their keys',
  'Sees everything, changes nothing',
  'A user of a publisher or an advertiser: sees only their own account, in the portal',
] as const;
/** An administrator lets people in and shuts them out. */
export const mayManageUsers = ({ Role }: Pick<Account, 'Role'>): boolean => Role === 0;
/** What a control that is for administrators says to others. */
export const administratorReason = 'Only administrators can do this; ask one of your team.';
