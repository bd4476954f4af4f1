import { randomBytes } from 'node:crypto';
import type { Store } from '../store/interface.ts';
import { type ApiKeys, createApiKeys, createEdgeKeys, type EdgeKeys } from './api-keys.ts';
import { type Bearers, createBearers } from './bearers.ts';
import type { IdentityContext } from './identity-context.ts';
import { createLinks, type Links } from './links.ts';
import { createLoginCheck } from './login-check.ts';
import { createLoginLimiter, type LoginLimiter } from './login-limiter.ts';
import { createOpenSessions, type OpenSessions } from './open-sessions.ts';
import { createOwnAccess, type OwnAccess } from './own-access.ts';
import { createPeople, type People } from './people.ts';
import { createSessions, type Sessions } from './sessions.ts';
import type { Random } from './tokens.ts';
import { createUsers, type Users } from './users.ts';

/** Who may come in: teams, users, passwords, sessions and API keys (decisions A1 to A7). */
export interface Identity
  extends Bearers,
    Sessions,
    ApiKeys,
    EdgeKeys,
    People,
    OwnAccess,
    Users,
    OpenSessions,
    Links {}

/**
 * The identity on a store. `now` gives milliseconds since 1970; `random` makes tokens; `loginLimiter` counts failed
 * logins, by default those of this identity alone.
 */
export function createIdentity(options: {
  store: Pick<Store, 'identity' | 'write'>;
  now: () => number;
  random?: Random;
  loginLimiter?: LoginLimiter;
}): Identity {
  const { store, now, random = randomBytes, loginLimiter = createLoginLimiter({ now }) } = options;
  const base = { store: store.identity, now, random, loginLimiter };
  const links = createLinks(base);
  const context: IdentityContext = {
    ...base,
    check: createLoginCheck(base),
    links,
    writeAs: (actor, job) => store.write(actor, ({ identity }) => job(identity)),
  };
  return {
    ...createBearers(context),
    ...createSessions(context),
    ...createApiKeys(context),
    ...createEdgeKeys(context),
    ...createPeople(context),
    ...createOwnAccess(context),
    ...createUsers(context),
    ...createOpenSessions(context),
    ...links,
  };
}
