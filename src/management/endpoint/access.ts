import type { Right } from '../../identity/roles.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { Context } from '../context.ts';

/** Who may call an endpoint, and whether a call changes the team's data. */
export interface Access<Caller = unknown, C = Context> {
  /** How callers prove who they are: by a token, by credentials of their own in the query, or not at all. */
  readonly by: 'token' | 'query' | 'nothing';
  /** The right that the role of the token's user must carry; `own` is everybody's (reference, A5). */
  readonly right: Right;
  /** Whether a call changes something, so that it is done once for each `Idempotency-Key`, or for show (`DryRun`). */
  readonly changes: boolean;
  /** Whether it acts on what the caller comes in with: it takes no `Idempotency-Key` and no `DryRun`. */
  readonly isOwn?: boolean;
  /** Why API keys may not call it; absent = they may. */
  readonly refusesApiKeys?: string;
  /** Whether it sets or ends a cookie, so that only the console itself may call it (reference, A14). */
  readonly isForConsole?: boolean;
  /** Finds who calls, where no token says so. Refuses with `unauthorized`. */
  readonly identify?: (context: C, query: Readonly<Record<string, unknown>>) => Promise<Caller>;
}

/** For everybody, without a token. */
export const anyone: Access<undefined> = { by: 'nothing', right: 'own', changes: false };

/** For every user and API key of the team, but for partners. */
export const reader: Access<Bearer> = { by: 'token', right: 'read', changes: false };

/** For everybody with a token, partners included: what says nothing of the team, or only of the caller. */
export const everyUser: Access<Bearer> = { ...reader, right: 'own' };

/** For everybody with a token, about what is the caller's alone, which the call changes. */
export const keeper: Access<Bearer> = { ...everyUser, changes: true };

/** For partners, about what their account owns (reference, A20). */
export const partner: Access<Bearer> = { ...reader, right: 'portal' };

/** For those who may change the team's data, which the call does. */
export const writer: Access<Bearer> = { by: 'token', right: 'write', changes: true };

/** Why an API key may not do what gives access. */
const keysGiveNone = 'An API key gives nobody access; log in with a password';

/** For every user, but for no API key: about the user's own access. */
export const own: Access<Bearer> = { ...everyUser, isOwn: true, refusesApiKeys: keysGiveNone };

/** For administrators, who may take access away by an API key too. */
export const administrator: Access<Bearer> = { ...writer, right: 'manage_users' };

/** For administrators, but for no API key: what gives others access. */
export const accessGiver: Access<Bearer> = { ...administrator, refusesApiKeys: keysGiveNone };
/** For those who may change the team's data, by a call that changes none of it but has effects elsewhere. */
export const tester: Access<Bearer> = { by: 'token', right: 'write', changes: false };
