import { timingSafeEqual } from 'node:crypto';
import { createSignatures, signatureCharacters } from './signatures.ts';
import { readAd, writeAd } from './token-values.ts';
import type { TrackedAd } from './tracked-ad.ts';

/** Signs ads into tokens, and reads them back. */
export interface Tokens {
  /** URL-safe. */
  sign(ad: TrackedAd): string;
  /** Undefined where the token is not ours, or has expired. */
  read(token: string, nowMs: number): TrackedAd | undefined;
}

/** Longer tokens are none: what goes into one is bounded so that it fits, and so that its URL fits into a header. */
export const tokenCharactersMax = 12_288;

/** Tokens under a secret that all processes of the installation share: a signature, then what it signs. */
export function createTokens(secret: Uint8Array): Tokens {
  const signatureOf = createSignatures(secret, tokenCharactersMax);
  return {
    sign(ad) {
      const written = writeAd(ad);
      return signatureOf(written) + written;
    },
    read(token, nowMs) {
      if (token.length <= signatureCharacters || token.length > tokenCharactersMax) return undefined;
      const given = Buffer.from(token.slice(0, signatureCharacters));
      const written = token.slice(signatureCharacters);
      const wanted = Buffer.from(signatureOf(written));
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
      const ad = readAd(written);
      return nowMs < ad.expiresMs ? ad : undefined;
    },
  };
}
