import { readBytes } from './byte-writer.ts';
import { isConsistent, packAd, unpackAd } from './packed-ad.ts';
import { hourAt, type Keyring } from './token-keys.ts';
import { createTokenSealer } from './token-sealer.ts';
import type { TokenType } from './token-type.ts';
import type { TrackedAd } from './tracked-ad.ts';

/** Turns ads into tokens, and reads them back. */
export interface Tokens {
  /** A token of that type, URL-safe. Throws `RangeError` for an ad with a value out of its range. */
  sign(type: TokenType, ad: TrackedAd): string;
  /**
   * The ad of a token of ours of that type, also once its trackers have expired: links must still lead somewhere.
   * Undefined where it is none, or of an auction of more than `adLifeMsMax` ago.
   */
  read(type: TokenType, token: string, nowMs: number): TrackedAd | undefined;
}

/** The ad that was packed; undefined where it makes no sense for its token. */
function adIn(plain: Buffer, type: TokenType, hour: number): TrackedAd | undefined {
  try {
    const ad = readBytes(plain, unpackAd);
    return hourAt(ad.auctionMs) === hour && isConsistent(type, ad) ? ad : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Tokens of ads under keys that all processes of the installation share: that of the auction's hour. */
export function createTokens(keyring: Keyring): Tokens {
  const sealing = createTokenSealer(keyring);
  return {
    sign(type, ad) {
      if (!isConsistent(type, ad)) throw new RangeError(`an ad that is none for a token of type ${type}`);
      return sealing.seal(type, ad.auctionMs, (to) => packAd(to, ad));
    },
    read(type, token, nowMs) {
      const opened = sealing.open(type, token, nowMs);
      return opened && adIn(opened.plain, type, opened.hour);
    },
  };
}
