import type { IdentityStore } from '../store/identity/interface.ts';
import type { LoginLimiter } from './login-limiter.ts';
import type { Random } from './tokens.ts';

/** What every part of the identity works with. */
export interface IdentityContext {
  readonly store: IdentityStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: Random;
  readonly loginLimiter: LoginLimiter;
}
