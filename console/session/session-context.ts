import { createContext, use } from 'react';
import type { Account } from './session.ts';

/** The user of the session; only within the gate. */
export const SessionContext = createContext<Account | undefined>(undefined);

export function useAccount(): Account {
  const account = use(SessionContext);
  if (!account) throw new Error('nobody is logged in');
  return account;
}
