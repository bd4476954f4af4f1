import { numberAt } from './bits.ts';
import type { SetReader, VendorSet } from './vendor-set.ts';

/** What a publisher demands of a vendor for a purpose (TCF 2, "Publisher Restrictions"). */
export const restriction = { notAllowed: 0, requireConsent: 1, requireLegitimateInterest: 2 } as const;
export type Restriction = (typeof restriction)[keyof typeof restriction];
const restrictions: readonly Restriction[] = Object.values(restriction);

const countWidth = 12;
const purposeWidth = 6;
const typeWidth = 2;
const keyWidth = purposeWidth + typeWidth;
const typesEnd = 2 ** typeWidth;
/** One for each purpose and type; a text with more is broken. */
const recordsMax = 2 ** keyWidth;

export interface Restrictions {
  /** One for each purpose and type. */
  readonly count: number;
  /** The strictest, if the publisher gave several. */
  readonly of: (purpose: number, vendor: number) => Restriction | undefined;
  /** The place of the first bit behind them. */
  readonly end: number;
}

/** Undefined if they do not end within so many bits. */
export function readRestrictions(
  text: string,
  at: number,
  bits: number,
  readSet: SetReader,
): Restrictions | undefined {
  const count = numberAt(text, at, countWidth);
  let end = at + countWidth;
  if (end > bits || count > recordsMax) return undefined;
  const setsByKey = new Map<number, VendorSet[]>();
  const restricted = new Set<number>();
  for (let done = 0; done < count; done += 1) {
    const key = numberAt(text, end, keyWidth);
    const vendors = readSet(text, end + keyWidth, bits);
    if (vendors === undefined) return undefined;
    const others = setsByKey.get(key);
    if (others === undefined) setsByKey.set(key, [vendors]);
    else others.push(vendors);
    restricted.add(Math.floor(key / typesEnd));
    end = vendors.end;
  }
  const isRestricted = (key: number, vendor: number) =>
    setsByKey.get(key)?.some(({ has }) => has(vendor)) === true;
  return {
    count,
    end,
    of: (purpose, vendor) =>
      restricted.has(purpose)
        ? restrictions.find((type) => isRestricted(purpose * typesEnd + type, vendor))
        : undefined,
  };
}
