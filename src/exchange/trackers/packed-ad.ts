import { demandKindNames, limitedKindNames, supplyKindNames } from '../../entities/kinds.ts';
import { httpUrl } from '../../protocols/http-url.ts';
import { multiplierMax } from '../../protocols/openrtb/objects/imp.ts';
import { type ConsentState, consentStateNames } from '../../reference/consent-states.ts';
import type { FloorUse, LocalRate } from '../../statistics/events.ts';
import { floorUsesMax } from '../auction/floor-rules.ts';
import { cpmUsdMax } from '../demand/bid-price.ts';
import type { Promised } from '../limits/promised.ts';
import { cpmMicrosOf, millionthsOf } from '../money.ts';
import { viewerHashBytes, viewerHex, viewerOfHex } from '../viewer-hash.ts';
import type { ByteReader, ByteWriter, NumberRange } from './byte-writer.ts';
import type { TokenType } from './token-type.ts';
import { adLifeMsMax, offerBillings, promisesMax, type TrackedAd } from './tracked-ad.ts';

interface Codec<Value> {
  write(to: ByteWriter, value: Value): void;
  read(from: ByteReader): Value;
}

/** Of so many bytes at most. */
const number = (bytes: number, range: Partial<NumberRange> = {}): Codec<number> => {
  const whole: NumberRange = { min: 0, max: 256 ** bytes - 1, ...range };
  return { write: (to, value) => to.number(value, whole), read: (from) => from.number(whole) };
};

/** Written as its index. */
function oneOf<Value>(values: readonly Value[]): Codec<Value> {
  const place = number(1, { max: values.length - 1 });
  return {
    write: (to, value) => place.write(to, values.indexOf(value)),
    read: (from) => values[place.read(from)] as Value,
  };
}

const flag = oneOf([false, true]);
const text: Codec<string> = { write: (to, value) => to.text(value), read: (from) => from.text() };

/** Written as its name: a token outlives a program version, in which indexes may move. */
function nameCodec<Name extends string>(names: readonly Name[]): Codec<Name> {
  const known = (name: string): Name => {
    const found = names.find((one) => one === name);
    if (found === undefined) throw new RangeError(`"${name}" is not one of ${names.join(', ')}`);
    return found;
  };
  return {
    write: (to, value) => to.text(known(value)),
    read: (from) => known(from.text()),
  };
}

const price = number(6, { max: cpmMicrosOf(cpmUsdMax) });
const time = number(6);
const id = number(4, { min: 1, max: 2 ** 31 - 1 });

const uuidBytes = 16;
/** Where its digits begin and end; hyphens are between. */
const uuidParts = [
  [0, 8],
  [9, 13],
  [14, 18],
  [19, 23],
  [24, 36],
] as const;
const uuid: Codec<string> = {
  write(to, value) {
    for (const [from, end] of uuidParts) {
      if (value.charAt(end) !== (end === 36 ? '' : '-')) throw new RangeError(`"${value}" is not a UUID`);
      to.hex(value.slice(from, end));
    }
  },
  read(from) {
    const hex = from.hex(uuidBytes);
    const [start, end] = [`${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}`, hex.slice(20)];
    return `${start}-${hex.slice(16, 20)}-${end}`;
  },
};

/** Fit for a `Location` header; `""` = none. */
const landing: Codec<string> = {
  write: text.write,
  read(from) {
    const url = text.read(from);
    if (url !== '' && httpUrl(url) !== url) throw new RangeError('a landing that is not a URL');
    return url;
  },
};

/** In the order of their codecs. */
function record<Values extends object>(
  codecs: {
    readonly [Name in keyof Values]: Codec<Values[Name]>;
  },
): Codec<Values> {
  const parts = Object.entries(codecs) as [keyof Values, Codec<Values[keyof Values]>][];
  return {
    write(to, values) {
      for (const [name, codec] of parts) codec.write(to, values[name]);
    },
    read(from) {
      const values: Partial<Values> = {};
      for (const [name, codec] of parts) values[name] = codec.read(from);
      return values as Values;
    },
  };
}

const object = <Kind extends string>(kinds: readonly Kind[]) =>
  record<{ readonly kind: Kind; readonly id: number }>({ kind: nameCodec(kinds), id });

function list<Value>(item: Codec<Value>, max: number): Codec<readonly Value[]> {
  const length = number(1, { max });
  return {
    write(to, values) {
      length.write(to, values.length);
      for (const value of values) item.write(to, value);
    },
    read: (from) => Array.from({ length: length.read(from) }, () => item.read(from)),
  };
}

const halfRange = 2 ** 32;
const lowHalf = number(4);
/** Beyond it JavaScript's numbers are no longer exact. */
const highHalf = number(4, { max: Math.floor(Number.MAX_SAFE_INTEGER / halfRange) });
/** Any whole number that JavaScript holds exactly. */
const nanos: Codec<number> = {
  write(to, value) {
    highHalf.write(to, Math.floor(value / halfRange));
    lowHalf.write(to, value % halfRange);
  },
  read: (from) => highHalf.read(from) * halfRange + lowHalf.read(from),
};

/** Bits of what follows. */
const marks = { isAtAddress: 1, holder: 2, viewer: 4 } as const;
const holder = number(4, { min: 1, max: 2 ** 31 - 1 });
/** Marks, then the process that promised it from its shares, and the viewer's hash, if there are any. */
const promisedBy = (hasViewers: boolean): Codec<Pick<Promised, 'isAtAddress' | 'holder' | 'viewer'>> => {
  const flags = number(1, { max: hasViewers ? 7 : 3 });
  return {
    write(to, { isAtAddress, holder: by = 0, viewer }) {
      flags.write(to, Number(isAtAddress) + (by > 0 ? marks.holder : 0) + (viewer ? marks.viewer : 0));
      if (by > 0) holder.write(to, by);
      if (viewer) to.hex(viewerHex(viewer));
    },
    read(from) {
      const found = flags.read(from);
      return {
        isAtAddress: (found & marks.isAtAddress) !== 0,
        ...((found & marks.holder) !== 0 && { holder: holder.read(from) }),
        ...((found & marks.viewer) !== 0 && { viewer: viewerOfHex(from.hex(viewerHashBytes)) }),
      };
    },
  };
};
const promisedOf = record<Pick<Promised, 'kind' | 'id' | 'nanos'>>({
  kind: nameCodec(limitedKindNames),
  id,
  nanos,
});
const promise = (hasViewers: boolean): Codec<Promised> => {
  const by = promisedBy(hasViewers);
  return {
    write(to, promised) {
      promisedOf.write(to, promised);
      by.write(to, promised);
    },
    read: (from) => ({ ...promisedOf.read(from), ...by.read(from) }),
  };
};

const rateBytes = 8;
const rate: Codec<number> = {
  write(to, value) {
    const bytes = Buffer.alloc(rateBytes);
    bytes.writeDoubleBE(value);
    to.hex(bytes.toString('hex'));
  },
  read(from) {
    const value = Buffer.from(from.hex(rateBytes), 'hex').readDoubleBE();
    if (value > 0 && Number.isFinite(value)) return value;
    throw new RangeError(`${value} is not a rate`);
  },
};
const localRates = list(
  record<LocalRate>({ side: oneOf(['supply', 'demand']), currency: text, usdPerUnit: rate }),
  2,
);
const floors = list(record<FloorUse>({ ruleId: id, isControl: flag }), floorUsesMax);
const noFloors: Codec<TrackedAd['floors']> = { write: () => undefined, read: () => [] };
const noLocalRates: Codec<TrackedAd['localRates']> = { write: () => undefined, read: () => [] };

/** Its order is part of the form. */
const consent = oneOf<ConsentState | ''>(['', ...consentStateNames]);
const unknownConsent: typeof consent = { write: () => undefined, read: () => '' };

/** In the order in which they are written. */
const adWith = (
  consentCodec: typeof consent,
  ratesCodec: typeof noLocalRates,
  hasViewers = false,
  floorsCodec = noFloors,
) =>
  record<TrackedAd>({
    auctionId: uuid,
    supply: object(supplyKindNames),
    demand: object(demandKindNames),
    clearingCpmMicros: price,
    payoutCpmMicros: price,
    multiplierMillionths: number(5, { min: 1, max: millionthsOf(multiplierMax) }),
    auctionMs: time,
    expiresMs: time,
    standsUntilMs: time,
    userAgentHash: number(4),
    offer: oneOf(['', ...offerBillings]),
    isApp: flag,
    isRefererChecked: flag,
    isFallback: flag,
    traffic: record<TrackedAd['traffic']>({
      country: text,
      deviceType: number(1),
      os: text,
      browser: text,
      medium: text,
      size: text,
      region: text,
      consent: consentCodec,
    }),
    facts: record<TrackedAd['facts']>({ seat: text, adDomain: text, creative: text, deal: text }),
    ip: text,
    place: text,
    subId: text,
    billingNotice: text,
    winNotice: text,
    lossNotice: text,
    landing,
    promises: list(promise(hasViewers), promisesMax),
    localRates: ratesCodec,
    floors: floorsCodec,
  });

/** The first versions with these, the newest first. */
const forms = [
  [8, adWith(consent, localRates, true, floors)],
  [7, adWith(consent, localRates, true)],
  [6, adWith(consent, localRates)],
  [5, adWith(consent, noLocalRates)],
  [0, adWith(unknownConsent, noLocalRates)],
] as const;

/** Of the token to be written. */
export function adVersion({ promises, floors: met, localRates: rates }: TrackedAd): number {
  if (met.length > 0) return 8;
  if (promises.some(({ viewer }) => viewer !== undefined)) return 7;
  return rates.length > 0 ? 6 : 5;
}

/**
 * By the version of its token. Writing throws `RangeError` for a value out of range, reading for anything that was not
 * written so.
 */
export const adCodec = (version: number): Codec<TrackedAd> =>
  (forms.find(([first]) => version >= first) ?? forms[0])[1];

/** Whether its times agree, and it has what a token of that type is for. */
export function isConsistent(type: TokenType, ad: TrackedAd): boolean {
  const { auctionMs, expiresMs, standsUntilMs, landing, offer } = ad;
  const isTimely = (timeMs: number) => timeMs > auctionMs && timeMs <= auctionMs + adLifeMsMax;
  const isOfType: Readonly<Record<TokenType, boolean>> = {
    markup: landing === '',
    notice: landing === '' && offer !== '',
    click: landing !== '' && offer === '',
    open: landing !== '' && offer !== '',
  };
  return isTimely(expiresMs) && (standsUntilMs === 0 || isTimely(standsUntilMs)) && isOfType[type];
}
