import { queryOptions } from '@tanstack/react-query';
import { CallError, call } from '../api/call.ts';

/** Who is logged in. */
export interface Account {
  readonly Id: number;
  readonly Mail: string;
  readonly FirstName: string;
  readonly LastName: string;
  readonly Role: number;
  readonly Team: { readonly Id: number; readonly Name: string };
}

/** The user of the session; null where nobody is logged in. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async (): Promise<Account | null> => {
    try {
      return (await call<Account>('api/auth/account')).data;
    } catch (error) {
      if (error instanceof CallError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Opens a session, which a cookie carries that scripts cannot read. Rejects with `CallError`. */
export const logIn = (Username: string, Password: string) =>
  call('api/auth/session', { body: { Username, Password } });

/** Ends the session. */
export const logOut = () => call('api/auth/logout', { body: {} });

/** Roles, by code. */
export const roleNames = ['Administrator', 'Manager', 'Analyst'] as const;
/** An analyst changes nothing. */
export const mayChange = ({ Role }: Pick<Account, 'Role'>): boolean => Role < 2;
/** What a control that an analyst may not use says. */
export const analystReason = 'Your role, analyst, may look at everything and change nothing.';
