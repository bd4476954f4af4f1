import { timingSafeEqual } from 'node:crypto';
import type { DemandKindName, SupplyKind } from '../configuration.ts';
import type { CpmMicros } from '../money.ts';
import { createSignatures, signatureCharacters } from './signatures.ts';
import { readAd, writeAd } from './token-values.ts';

/** An ad that was handed out: all that its trackers must know, as no server remembers it. */
export interface TrackedAd {
  readonly auctionId: string;
  readonly supply: { readonly kind: SupplyKind; readonly id: number };
  readonly demand: { readonly kind: DemandKindName; readonly id: number };
  readonly clearingCpmMicros: CpmMicros;
  readonly payoutCpmMicros: CpmMicros;
  readonly auctionMs: number;
  /** From then on its trackers count nothing. */
  readonly expiresMs: number;
  readonly subId: string;
  /** The site's URL or the app's bundle, which referers and the inventory's quality are held against. */
  readonly place: string;
  readonly isApp: boolean;
  /** The address that the request told, which impressions are counted for; `""` = not told. */
  readonly ip: string;
  /** Hash of the user agent that the request told; 0 = not told. */
  readonly userAgentHash: number;
  /** What to call at the billable event, macros filled; `""` = nothing. */
  readonly billingNotice: string;
  /**
   * Of an ad that was offered in somebody else's auction: the tracker that tells of its billable event, as
   * `RevenueCountingMethod` says. `""` where it was handed out to be shown: the impression.
   */
  readonly offer: OfferBilling | '';
  /** What to call when an offer has won or lost, macros filled but for those of the loss; `""` = nothing. */
  readonly winNotice: string;
  readonly lossNotice: string;
  /** Where a pop leads once it is opened: through `/click/`, or where it was offered, its tracker. `""` for all else. */
  readonly landing: string;
  /** The referer was held against the match flags already, and a page of ours, which has none to tell, was sent. */
  readonly isRefererChecked: boolean;
}

/** Which tracker of an offer tells of its billable event. */
export type OfferBilling = 'win' | 'billing' | 'impression';

/** Whether a token is of a feed's click, which counts where its visitor is sent on (`/click/`), and nowhere else. */
export function isFeedClick({ landing, offer }: TrackedAd): boolean {
  return landing !== '' && offer === '';
}

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
