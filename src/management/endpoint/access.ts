import type { Right } from '../../identity/roles.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { Context } from '../context.ts';

/** Who may call an endpoint, and whether a call changes the team's data. */
export interface Access<Caller = unknown> {
  /** How callers prove who they are: by a token, by credentials of their own in the query, or not at all. */
  readonly by: 'token' | 'query' | 'nothing';
  /** The right that the role of the token's user must carry; `read` is everybody's (decisions A5). */
  readonly right: Right;
  /** Whether a call changes something, so that it is done once for each `Idempotency-Key`, or for show (`DryRun`). */
  readonly changes: boolean;
  /** Why API keys may not call it; absent = they may. */
  readonly refusesApiKeys?: string;
  /** Finds who calls, where no token says so. Refuses with `unauthorized`. */
  readonly identify?: (context: Context, query: Readonly<Record<string, unknown>>) => Promise<Caller>;
}

/** For everybody, without a token. */
export const anyone: Access<undefined> = { by: 'nothing', right: 'read', changes: false };

/** For every user and API key. */
export const reader: Access<Bearer> = { by: 'token', right: 'read', changes: false };

/** For those who may change the team's data, which the call does. */
export const writer: Access<Bearer> = { by: 'token', right: 'write', changes: true };

/** For those who may change the team's data, by a call that changes none of it but has effects elsewhere. */
export const tester: Access<Bearer> = { by: 'token', right: 'write', changes: false };
