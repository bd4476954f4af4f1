import type { DemandKindName, SupplyKind } from '../configuration.ts';
import type { TrackedAd } from './tracked-ad.ts';

/** How a value stands in a token: of letters that mean nothing in URLs, nor in XML, and without `~`. */
interface Codec<Value> {
  write(value: Value): string;
  read(text: string): Value;
}

const separator = '~';
/** What may stand as it is. */
const plain = /^(?!-)[\w.:-]*$/;
/** Begins a text that may not. */
const encodedMark = '-';

const text = {
  write: (value: string) =>
    plain.test(value) ? value : encodedMark + Buffer.from(value).toString('base64url'),
  read: (written: string) =>
    written.startsWith(encodedMark) ? Buffer.from(written.slice(1), 'base64url').toString() : written,
};

const number: Codec<number> = { write: String, read: Number };

const numberIfAny: Codec<number> = { write: (value) => (value === 0 ? '' : String(value)), read: Number };

const flag: Codec<boolean> = { write: (value) => (value ? '1' : ''), read: (written) => written === '1' };

/** Told by kind and ID. */
const object = <Kind extends string>() => ({
  write: ({ kind, id }: { readonly kind: Kind; readonly id: number }) => `${kind}:${id}`,
  read(written: string) {
    const [kind = '', id] = written.split(':');
    return { kind: kind as Kind, id: Number(id) };
  },
});

const between = '.';

const objects = <Kind extends string>() => {
  const one = object<Kind>();
  return {
    write: (values: readonly { readonly kind: Kind; readonly id: number }[]) =>
      values.map(one.write).join(between),
    read: (written: string) => (written === '' ? [] : written.split(between).map(one.read)),
  };
};

/** The values of a token, in their order. Every tracker of an answer carries them: what is seldom told comes last. */
const codecs: { readonly [Name in keyof TrackedAd]: Codec<TrackedAd[Name]> } = {
  auctionId: text,
  supply: object<SupplyKind>(),
  demand: object<DemandKindName>(),
  clearingCpmMicros: number,
  payoutCpmMicros: number,
  auctionMs: number,
  expiresMs: number,
  userAgentHash: number,
  place: text,
  ip: text,
  isApp: flag,
  subId: text,
  billingNotice: text,
  offer: text as Codec<TrackedAd['offer']>,
  winNotice: text,
  lossNotice: text,
  landing: text,
  isRefererChecked: flag,
  isNotice: flag,
  standsUntilMs: numberIfAny,
  alternatives: objects<DemandKindName>(),
  isFallback: flag,
};

const members = Object.entries(codecs) as [keyof TrackedAd, Codec<unknown>][];

/** An ad as the text of a token; empty values at the end are left out. */
export function writeAd(ad: TrackedAd): string {
  let text = '';
  let separators = '';
  for (const [name, { write }] of members) {
    const value = write(ad[name]);
    if (value !== '') {
      text += separators + value;
      separators = '';
    }
    separators += separator;
  }
  return text;
}

/** The ad of a text that we have written. */
export function readAd(written: string): TrackedAd {
  const values = written.split(separator);
  const told = members.map(([name, { read }], index) => [name, read(values[index] ?? '')]);
  return Object.fromEntries(told) as TrackedAd;
}
