import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../fields/fault.ts';
import type { TokenRates } from './token-rates.ts';

export interface RateLimit {
  /** Per token; 0 = unlimited. */
  readonly perSecond: number;
  readonly rates: TokenRates;
  readonly now: () => number;
}

/** Those of the current draft, and the older ones that clients read. */
function headersOf(perSecond: number, remaining: number) {
  return {
    'ratelimit-policy': `"token";q=${perSecond};w=1`,
    ratelimit: `"token";r=${remaining};t=1`,
    'ratelimit-limit': perSecond,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': 1,
  };
}

/** Per token (reference, O1). After the hook that reads the token. */
export function limitRates(app: FastifyInstance, { perSecond, rates, now }: RateLimit): void {
  if (perSecond === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { bearer } = request;
    if (bearer === null) return done();
    const used = rates.count(bearer.tokenId, now());
    reply.headers(headersOf(perSecond, Math.max(0, perSecond - used)));
    if (used <= perSecond) return done();
    const text = `Too many requests with this token: ${perSecond} per second are allowed`;
    done(new Refusal('too_many', text, { retryAfterSeconds: 1 }));
  });
}
