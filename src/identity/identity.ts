import { randomBytes } from 'node:crypto';
import type { Store } from '../store/interface.ts';
import { type ApiKeys, createApiKeys } from './api-keys.ts';
import { type Bearers, createBearers } from './bearers.ts';
import { createLoginLimiter, type LoginLimiter } from './login-limiter.ts';
import { createPeople, type People } from './people.ts';
import { createSessions, type Sessions } from './sessions.ts';
import type { Random } from './tokens.ts';

/** Who may come in: teams, users, passwords, sessions and API keys (decisions A1 to A7). */
export interface Identity extends Bearers, Sessions, ApiKeys, People {}

/**
 * The identity on a store. `now` gives milliseconds since 1970; `random` makes tokens; `loginLimiter` counts failed
 * logins, by default those of this identity alone.
 */
export function createIdentity(options: {
  store: Pick<Store, 'identity'>;
  now: () => number;
  random?: Random;
  loginLimiter?: LoginLimiter;
}): Identity {
  const { store, now, random = randomBytes, loginLimiter = createLoginLimiter({ now }) } = options;
  const context = { store: store.identity, now, random, loginLimiter };
  return {
    ...createBearers(context),
    ...createSessions(context),
    ...createApiKeys(context),
    ...createPeople(context),
  };
}
