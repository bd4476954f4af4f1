import type { Right } from '../../identity/roles.ts';
import type { Bearer } from '../../store/identity/interface.ts';
import type { Context } from '../context.ts';

export interface Access<Caller = unknown, C = Context> {
  /** How callers prove who they are. */
  readonly by: 'token' | 'query' | 'nothing';
  /** Of the user's role; `own` is everybody's (reference, A5). */
  readonly right: Right;
  /** Whether a call changes something: once per `Idempotency-Key`, or for show (`DryRun`). */
  readonly changes: boolean;
  /** Whether it acts on the caller's own credentials: no `Idempotency-Key`, no `DryRun`. */
  readonly isOwn?: boolean;
  /** Absent = they may. */
  readonly refusesApiKeys?: string;
  /** Whether it sets or ends a cookie, so that only the console may call it (reference, A14). */
  readonly isForConsole?: boolean;
  /** Without a token. Refuses with `unauthorized`. */
  readonly identify?: (context: C, query: Readonly<Record<string, unknown>>) => Promise<Caller>;
}

/** Without a token. */
export const anyone: Access<undefined> = { by: 'nothing', right: 'own', changes: false };

/** Every user and API key of the team, except partners. */
export const reader: Access<Bearer> = { by: 'token', right: 'read', changes: false };

/** Partners included: nothing about the team, or only about the caller. */
export const everyUser: Access<Bearer> = { ...reader, right: 'own' };

/** For changes to what is the caller's alone. */
export const keeper: Access<Bearer> = { ...everyUser, changes: true };

/** About what a partner's account owns (reference, A20). */
export const partner: Access<Bearer> = { ...reader, right: 'portal' };

/** Changes the team's data. */
export const writer: Access<Bearer> = { by: 'token', right: 'write', changes: true };

const keysGiveNone = 'This operation cannot be called with an API key; log in with a password';

/** The user's own access; no API keys. */
export const own: Access<Bearer> = { ...everyUser, isOwn: true, refusesApiKeys: keysGiveNone };

/** May take access away by an API key too. */
export const administrator: Access<Bearer> = { ...writer, right: 'manage_users' };

/** Gives others access; no API keys. */
export const accessGiver: Access<Bearer> = { ...administrator, refusesApiKeys: keysGiveNone };
/** Changes no data of the team, but has effects elsewhere. */
export const tester: Access<Bearer> = { by: 'token', right: 'write', changes: false };
