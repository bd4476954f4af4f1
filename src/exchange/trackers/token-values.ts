import type { DemandKindName, SupplyKind } from '../configuration.ts';
import type { TrackedAd } from './tracked-ad.ts';

/** How one value is written in its part of a token. What it writes must not contain the part's separator. */
interface Codec<Value> {
  write(value: Value): string;
  read(text: string): Value;
}

/** Prefix of a text that is written in base64url. */
const encodedMark = '-';

/** A codec of texts: those that fit the pattern are written as they are, all others in base64url. */
const textWhere = (plain: RegExp) => ({
  write: (value: string) =>
    plain.test(value) ? value : encodedMark + Buffer.from(value).toString('base64url'),
  read: (written: string) =>
    written.startsWith(encodedMark) ? Buffer.from(written.slice(1), 'base64url').toString() : written,
});

/** Plain texts have only characters without a meaning in URLs and XML, and no `~`. */
const text = textWhere(/^(?!-)[\w.:-]*$/);
const line = textWhere(/^(?!-)[^\n]*$/);

const number: Codec<number> = { write: String, read: Number };

const numberIfAny: Codec<number> = { write: (value) => (value === 0 ? '' : String(value)), read: Number };

const flag: Codec<boolean> = { write: (value) => (value ? '1' : ''), read: (written) => written === '1' };

/** An object, written as its kind and ID. */
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

type Codecs = { readonly [Name in keyof TrackedAd]: Codec<TrackedAd[Name]> };

/** What is encrypted: prices, which show the exchange's margin, the visitor's address, notices and where pops lead. */
const covered = {
  clearingCpmMicros: number,
  payoutCpmMicros: number,
  ip: text,
  billingNotice: line,
  winNotice: line,
  lossNotice: line,
  landing: line,
} satisfies Partial<Codecs>;

/** What anybody may read. Values that are mostly empty come last, because empty ones at the end are left out. */
const open: Omit<Codecs, keyof typeof covered> = {
  auctionId: text,
  supply: object<SupplyKind>(),
  demand: object<DemandKindName>(),
  auctionMs: number,
  expiresMs: number,
  userAgentHash: number,
  place: text,
  isApp: flag,
  subId: text,
  offer: text as Codec<TrackedAd['offer']>,
  isRefererChecked: flag,
  isNotice: flag,
  standsUntilMs: numberIfAny,
  alternatives: objects<DemandKindName>(),
  isFallback: flag,
};

/** One part of a token: its values in order, without the empty ones at the end. */
function partOf(codecs: Partial<Codecs>, separator: string) {
  const members = Object.entries(codecs) as [keyof TrackedAd, Codec<unknown>][];
  return {
    write(ad: TrackedAd): string {
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
    },
    read(written: string): [keyof TrackedAd, unknown][] {
      const values = written.split(separator);
      return members.map(([name, { read }], index) => [name, read(values[index] ?? '')]);
    },
  };
}

const [openPart, coveredPart] = [partOf(open, '~'), partOf(covered, '\n')];

/** An ad as two texts: the open one, whose characters have no meaning in URLs or XML, and the one to be encrypted. */
export interface WrittenAd {
  readonly open: string;
  readonly covered: string;
}

/** Writes an ad for a token. */
export function writeAd(ad: TrackedAd): WrittenAd {
  return { open: openPart.write(ad), covered: coveredPart.write(ad) };
}

/** The ad that `writeAd` wrote as these texts. The texts must be ours: nothing is checked. */
export function readAd(written: WrittenAd): TrackedAd {
  const values = [...openPart.read(written.open), ...coveredPart.read(written.covered)];
  return Object.fromEntries(values) as unknown as TrackedAd;
}
