import { timingSafeEqual } from 'node:crypto';
import { createCover } from './cover.ts';
import { createSignatures, signatureCharacters } from './signatures.ts';
import { readAd, type WrittenAd, writeAd } from './token-values.ts';
import type { TrackedAd } from './tracked-ad.ts';

/** Signs ads into tokens, and reads them back. */
export interface Tokens {
  /** URL-safe. */
  sign(ad: TrackedAd): string;
  /** Undefined where the token is not ours, or has expired. */
  read(token: string, nowMs: number): TrackedAd | undefined;
}

/** Longest token; longer ones are refused. Its values are bounded so that it fits, and its URL into a header. */
export const tokenCharactersMax = 12_288;

/** Stands between the encrypted part and the open one. */
const end = '~';

/**
 * Tokens under a secret that all processes of the installation share. A token is a signature, then the part that only
 * they can read, then the open part. The signature is also the nonce of the encryption, so that the same ad always has
 * the same token (as in RFC 5297).
 */
export function createTokens(secret: Uint8Array): Tokens {
  const signatureOf = createSignatures(secret, tokenCharactersMax);
  const cover = createCover(secret, signatureCharacters);
  const seal = ({ open, covered }: WrittenAd) => {
    const signature = signatureOf(covered + end + open);
    return signature + cover(Buffer.from(covered), signature).toString('base64url') + end + open;
  };
  const unseal = (token: string): WrittenAd => {
    const [signature, rest] = [token.slice(0, signatureCharacters), token.slice(signatureCharacters)];
    const [hidden = ''] = rest.split(end, 1);
    const covered = cover(Buffer.from(hidden, 'base64url'), signature).toString();
    return { open: rest.slice(hidden.length + end.length), covered };
  };
  return {
    sign: (ad) => seal(writeAd(ad)),
    read(token, nowMs) {
      if (token.length <= signatureCharacters || token.length > tokenCharactersMax) return undefined;
      const written = unseal(token);
      const [given, wanted] = [Buffer.from(token), Buffer.from(seal(written))];
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
      const ad = readAd(written);
      return nowMs < ad.expiresMs ? ad : undefined;
    },
  };
}
