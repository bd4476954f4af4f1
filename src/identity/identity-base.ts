import type { IdentityStore, User } from '../store/identity/interface.ts';
import type { KnownPlaces } from './known-places.ts';
import type { LoginLimiter } from './login-limiter.ts';
import type { Random } from './tokens.ts';

export interface IdentityBase {
  readonly store: IdentityStore;
  readonly now: () => number;
  readonly random: Random;
  readonly loginLimiter: LoginLimiter;
  readonly knownPlaces: KnownPlaces;
  /** May be called often. */
  readonly onUserLimited: (user: User) => void;
}
