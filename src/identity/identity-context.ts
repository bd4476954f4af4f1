import type { IdentityStore, IdentityWrites } from '../store/identity/interface.ts';
import type { Actor } from '../store/interface.ts';
import type { Links } from './links.ts';
import type { LoginCheck } from './login-check.ts';
import type { LoginLimiter } from './login-limiter.ts';
import type { Random } from './tokens.ts';

/** What the checks of logins work with. */
export interface IdentityBase {
  readonly store: IdentityStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: Random;
  readonly loginLimiter: LoginLimiter;
}

/** What every part of the identity works with. */
export interface IdentityContext extends IdentityBase {
  readonly check: LoginCheck;
  readonly links: Links;
  /** Writes in a transaction of its own, in a user's name. */
  readonly writeAs: <T>(actor: Actor, job: (writes: IdentityWrites) => Promise<T>) => Promise<T>;
}
