import { Refusal } from '../fields/fault.ts';
import { createRecentCache } from '../shared/recent-cache.ts';
import { type Bearer, type EdgeKey, edgeBearer } from '../store/identity/interface.ts';
import type { IdentityContext } from './identity-context.ts';
import { consoleIdleMs, tokenCharacters, tokenHash } from './tokens.ts';

export interface Bearers {
  /** `Bearer <token>`, scheme in any case (reference, W1). Refuses a missing or expired token with `unauthorized`. */
  authenticate(authorization: string | undefined): Promise<Bearer>;
  /** Extends the session by an hour unless `isPolling` (reference, A14). Refuses an expired one with `unauthorized`. */
  authenticateConsole(session: { token: string; isPolling: boolean }): Promise<Bearer>;
}

const scheme = 'bearer ';
const recordUseEveryMs = 60_000;
const keysKnownMax = 10_000;

function tokenIn(authorization: string | undefined): string {
  if (!authorization) {
    throw new Refusal(
      'unauthorized',
      'The access token is missing; send the header "Authorization: Bearer <token>" with a token from POST /api/auth/login',
    );
  }
  if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) {
    throw new Refusal('unauthorized', 'The Authorization header must be "Bearer <token>"');
  }
  return authorization.slice(scheme.length).trim();
}

/** Each at most once a minute; no request waits for it. */
function createUsageRecorder({ store, now }: IdentityContext): (tokenId: number) => void {
  const recordedAtMs = createRecentCache<number, number>(keysKnownMax);
  return (tokenId) => {
    const atMs = now();
    if (atMs - (recordedAtMs.get(tokenId) ?? Number.NEGATIVE_INFINITY) < recordUseEveryMs) return;
    recordedAtMs.set(tokenId, atMs);
    store.touchToken(tokenId, atMs, atMs + consoleIdleMs).catch(() => recordedAtMs.delete(tokenId));
  };
}

/** By hashes of edges' keys. Refuses like `Bearers.authenticate`. */
export function createEdgeBearers(keys: () => readonly Pick<EdgeKey, 'id' | 'hash'>[]) {
  return async (authorization: string | undefined): Promise<Bearer> => {
    const hash = tokenHash(tokenIn(authorization));
    const key = keys().find((one) => one.hash === hash);
    if (key) return edgeBearer(key.id);
    throw new Refusal('unauthorized', 'No edge has this key, or it was revoked');
  };
}

/** One hash and one read per request. */
export function createBearers(context: IdentityContext): Bearers {
  const { store, now } = context;
  const recordUse = createUsageRecorder(context);
  const bearerOf = async (token: string) =>
    token.length === tokenCharacters ? await store.bearer(tokenHash(token), now()) : undefined;
  return {
    async authenticate(authorization) {
      const bearer = await bearerOf(tokenIn(authorization));
      if (!bearer || bearer.kind === 'console')
        throw new Refusal('unauthorized', 'The access token is invalid, has expired or was ended');
      if (bearer.kind === 'key') recordUse(bearer.tokenId);
      return bearer;
    },
    async authenticateConsole({ token, isPolling }) {
      const bearer = await bearerOf(token);
      if (bearer?.kind !== 'console')
        throw new Refusal('unauthorized', 'The session has expired or was ended; log in again');
      if (!isPolling) recordUse(bearer.tokenId);
      return bearer;
    },
  };
}
