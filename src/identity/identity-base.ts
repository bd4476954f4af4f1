import type { IdentityStore } from '../store/identity/interface.ts';
import type { LoginLimiter } from './login-limiter.ts';
import type { Random } from './tokens.ts';

/** What links and the checks of logins work with. */
export interface IdentityBase {
  readonly store: IdentityStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: Random;
  readonly loginLimiter: LoginLimiter;
}
