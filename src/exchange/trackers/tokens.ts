import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DemandKindName, SupplyKind } from '../configuration.ts';
import type { CpmMicros } from '../money.ts';

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

/** HMAC-SHA-256, cut to 128 bits (RFC 2104 §5). */
const signatureBytes = 16;
const signatureCharacters = 22;
/** Longer tokens are none: what goes into one is bounded so that it fits, and so that its URL fits into a header. */
export const tokenCharactersMax = 12_288;

/** The order of the values in a token. Every tracker of an answer carries them: what is seldom told comes last. */
const members = [
  'auctionId', 'supply', 'demand', 'clearingCpmMicros', 'payoutCpmMicros', 'auctionMs', 'expiresMs',
  'userAgentHash', 'place', 'ip', 'isApp', 'subId', 'billingNotice', 'offer', 'winNotice', 'lossNotice', 'landing',
  'isRefererChecked',
] as const satisfies readonly (keyof TrackedAd)[]; // biome-ignore format: a list of words

/** What stands for values that were left out at the end of a token. */
const leftOut: Readonly<Partial<TrackedAd>> = {
  place: '',
  ip: '',
  isApp: false,
  subId: '',
  billingNotice: '',
  offer: '',
  winNotice: '',
  lossNotice: '',
  landing: '',
  isRefererChecked: false,
};

/** Objects are told by kind and ID as one text. */
function written(value: TrackedAd[keyof TrackedAd]): string | number | boolean {
  return typeof value === 'object' ? `${value.kind}:${value.id}` : value;
}

function payloadOf(ad: TrackedAd): string {
  const values = members.map((name) => written(ad[name]));
  while (values.at(-1) === '' || values.at(-1) === false) values.pop();
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

function objectOf<Kind>(text: string): { kind: Kind; id: number } {
  const [kind = '', id] = text.split(':');
  return { kind: kind as Kind, id: Number(id) };
}

/** The ad of a payload that we have signed. */
function adOf(payload: string): TrackedAd {
  const values: unknown[] = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const told = Object.fromEntries(values.map((value, index) => [members[index], value]));
  const { supply, demand } = told;
  const objects = { supply: objectOf<SupplyKind>(supply), demand: objectOf<DemandKindName>(demand) };
  return { ...leftOut, ...told, ...objects } as TrackedAd;
}

/** Tokens under a secret that all processes of the installation share. */
export function createTokens(secret: Uint8Array): Tokens {
  const signatureOf = (payload: string) =>
    createHmac('sha256', secret).update(payload).digest().subarray(0, signatureBytes);
  return {
    sign(ad) {
      const payload = payloadOf(ad);
      return signatureOf(payload).toString('base64url') + payload;
    },
    read(token, nowMs) {
      if (token.length <= signatureCharacters || token.length > tokenCharactersMax) return undefined;
      const given = Buffer.from(token.slice(0, signatureCharacters), 'base64url');
      const payload = token.slice(signatureCharacters);
      if (given.length !== signatureBytes || !timingSafeEqual(given, signatureOf(payload))) return undefined;
      const ad = adOf(payload);
      return nowMs < ad.expiresMs ? ad : undefined;
    },
  };
}
