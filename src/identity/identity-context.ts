import type { IdentityWrites } from '../store/identity/interface.ts';
import type { Actor } from '../store/interface.ts';
import type { IdentityBase } from './identity-base.ts';
import type { Links } from './links.ts';
import type { LoginCheck } from './login-check.ts';

export interface IdentityContext extends IdentityBase {
  readonly check: LoginCheck;
  readonly links: Links;
  /** In a transaction of its own, in a user's name. */
  readonly writeAs: <T>(actor: Actor, job: (writes: IdentityWrites) => Promise<T>) => Promise<T>;
}
