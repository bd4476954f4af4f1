import { randomBytes } from 'node:crypto';
import type { User } from '../store/identity/interface.ts';
import type { Store } from '../store/interface.ts';
import { type ApiKeys, createApiKeys, createEdgeKeys, type EdgeKeys } from './api-keys.ts';
import { type Bearers, createBearers } from './bearers.ts';
import type { IdentityContext } from './identity-context.ts';
import { createKnownPlaces } from './known-places.ts';
import { createLinks, type Links } from './links.ts';
import { createLoginCheck } from './login-check.ts';
import { createLoginLimiter, type LoginLimiter } from './login-limiter.ts';
import { createOpenSessions, type OpenSessions } from './open-sessions.ts';
import { createPeople, type People } from './people.ts';
import { createSelfService, type SelfService } from './self-service.ts';
import { createSessions, type Sessions } from './sessions.ts';
import type { Random } from './tokens.ts';
import { createUsers, type Users } from './users.ts';

/** Teams, users, passwords, sessions and API keys (reference, A1 to A7). */
export interface Identity
  extends Bearers,
    Sessions,
    ApiKeys,
    EdgeKeys,
    People,
    SelfService,
    Users,
    OpenSessions,
    Links {}

/** `loginLimiter` counts failed logins, by default of this identity alone; `onUserLimited` may be called often. */
export function createIdentity(options: {
  store: Pick<Store, 'identity' | 'secret' | 'write'>;
  now: () => number;
  random?: Random;
  loginLimiter?: LoginLimiter;
  onUserLimited?: ((user: User) => void) | undefined;
}): Identity {
  const { store, now, random = randomBytes, loginLimiter = createLoginLimiter({ now }) } = options;
  const { onUserLimited = () => undefined } = options;
  const knownPlaces = createKnownPlaces({ store: store.identity, secret: store.secret, now, random });
  const base = { store: store.identity, now, random, loginLimiter, knownPlaces, onUserLimited };
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
    ...createSelfService(context),
    ...createUsers(context),
    ...createOpenSessions(context),
    ...links,
  };
}
