import { createRecentCache } from '../../shared/recent-cache.ts';
import { adCodec, adVersion, isConsistent } from './packed-ad.ts';
import { hourAt, type Keyring } from './token-keys.ts';
import { createTokenSealer } from './token-sealer.ts';
import type { TokenType } from './token-type.ts';
import type { TrackedAd } from './tracked-ad.ts';

/** An ad that is watched to the end has seven trackers, called within a minute. */
const adsKept = 8192;
const charactersKept = 1024;

export interface Tokens {
  /** URL-safe. Throws `RangeError` for a value out of range. */
  sign(type: TokenType, ad: TrackedAd): string;
  /**
   * Also after its trackers expired: links must still lead somewhere. Undefined if invalid or over `adLifeMsMax` old.
   * Throws `UnreadableToken`.
   */
  read(type: TokenType, token: string, nowMs: number): TrackedAd | undefined;
}

/** Under the key of the auction's hour, shared by the installation. */
export function createTokens(keyring: Keyring): Tokens {
  const sealing = createTokenSealer(keyring);
  const opened = createRecentCache<string, TrackedAd>(adsKept);
  const open = (type: TokenType, token: string, nowMs: number): TrackedAd | undefined =>
    sealing.open(type, token, nowMs, (from, { version, hour }) => {
      const ad = adCodec(version).read(from);
      // Otherwise it makes no sense for its token.
      return hourAt(ad.auctionMs) === hour && isConsistent(type, ad) ? ad : undefined;
    });
  return {
    sign(type, ad) {
      if (!isConsistent(type, ad)) throw new RangeError(`an ad that does not fit a token of type ${type}`);
      const version = adVersion(ad);
      return sealing.seal(type, ad.auctionMs, (to) => adCodec(version).write(to, ad), version);
    },
    read(type, token, nowMs) {
      const known = opened.get(token);
      if (known) return sealing.isCurrent(type, token, nowMs) ? known : undefined;
      const ad = open(type, token, nowMs);
      if (ad && token.length <= charactersKept) opened.set(token, ad);
      return ad;
    },
  };
}
