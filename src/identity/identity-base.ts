import type { IdentityStore, User } from '../store/identity/interface.ts';
import type { KnownPlaces } from './known-places.ts';
import type { LoginLimiter } from './login-limiter.ts';
import type { Random } from './tokens.ts';

/** What links and the checks of logins work with. */
export interface IdentityBase {
  readonly store: IdentityStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: Random;
  readonly loginLimiter: LoginLimiter;
  readonly knownPlaces: KnownPlaces;
  /** Called when the logins of a user are limited; it may be called often. */
  readonly onUserLimited: (user: User) => void;
}
