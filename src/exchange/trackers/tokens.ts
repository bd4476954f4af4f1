import { readBytes } from './byte-writer.ts';
import { isConsistent, packAd, unpackAd } from './packed-ad.ts';
import { hourAt, type Keyring } from './token-keys.ts';
import { createTokenSealer } from './token-sealer.ts';
import type { TokenType } from './token-type.ts';
import type { TrackedAd } from './tracked-ad.ts';

export interface Tokens {
  /** URL-safe. Throws `RangeError` for a value out of range. */
  sign(type: TokenType, ad: TrackedAd): string;
  /**
   * Also after its trackers expired: links must still lead somewhere. Undefined if invalid or over `adLifeMsMax` old.
   */
  read(type: TokenType, token: string, nowMs: number): TrackedAd | undefined;
}

/** Undefined if it makes no sense for its token. */
function adIn(plain: Buffer, type: TokenType, hour: number): TrackedAd | undefined {
  try {
    const ad = readBytes(plain, unpackAd);
    return hourAt(ad.auctionMs) === hour && isConsistent(type, ad) ? ad : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Under the key of the auction's hour, shared by the installation. */
export function createTokens(keyring: Keyring): Tokens {
  const sealing = createTokenSealer(keyring);
  return {
    sign(type, ad) {
      if (!isConsistent(type, ad)) throw new RangeError(`an ad that does not fit a token of type ${type}`);
      return sealing.seal(type, ad.auctionMs, (to) => packAd(to, ad));
    },
    read(type, token, nowMs) {
      const opened = sealing.open(type, token, nowMs);
      return opened && adIn(opened.plain, type, opened.hour);
    },
  };
}
