/** OpenRTB 2.6 section 4.4, by names without `AUCTION_`. */
export interface MacroValues {
  readonly ID: string;
  readonly BID_ID: string;
  readonly IMP_ID: string;
  readonly SEAT_ID: string;
  readonly AD_ID: string;
  readonly PRICE: string;
  /** Impressions that one showing of the ad counts for. */
  readonly MULTIPLIER: string;
  readonly CURRENCY: string;
  readonly MBR: string;
  readonly LOSS: string;
  readonly MIN_TO_WIN: string;
  /** Milliseconds since 1970. */
  readonly IMP_TS: string;
}

/** For somebody else to fill. */
export function macroOf(name: keyof MacroValues): string {
  return `\${AUCTION_${name}}`;
}

/** Leaves a macro as it is, to be filled later. */
export const unfilled = Symbol('left open');

export type PartialMacroValues = { readonly [Name in keyof MacroValues]?: string | typeof unfilled };

/** Also URL-encoded, as in a parameter of another URL. */
const macro = /(?:\$|%24)(?:\{|%7B)AUCTION_([A-Z_]{2,12})(?:(?::|%3A)(\w{1,16}))?(?:\}|%7D)/gi;

const encodings: Readonly<Record<string, (value: string) => string>> = {
  B64: (value) => Buffer.from(value).toString('base64'),
};

/** We never have values for the last line, so those are removed. */
const known: ReadonlySet<string> = new Set([
  ...'ID BID_ID IMP_ID SEAT_ID AD_ID PRICE MULTIPLIER CURRENCY MBR LOSS MIN_TO_WIN IMP_TS'.split(' '),
  ...'DISCOUNT_PCT DISCOUNT_CPM'.split(' '),
]);

function encode(value: string, encoding: string | undefined): string {
  if (encoding === undefined || value === '') return value;
  return Object.hasOwn(encodings, encoding) ? (encodings[encoding]?.(value) ?? '') : '';
}

/**
 * Fills `${AUCTION_…}`. `""` removes a macro, and so does an encoding other than `B64`, so that no value meant to be
 * encrypted goes out plain. Other macros stay.
 */
export function fillMacros(text: string, values: PartialMacroValues): string {
  if (!text.includes('AUCTION_')) return text;
  return text.replace(macro, (whole, name: string, encoding: string | undefined) => {
    if (!known.has(name)) return whole;
    const given = values[name as keyof MacroValues] ?? '';
    if (given === unfilled) return whole;
    const value = encode(given, encoding);
    return whole.includes('%') ? encodeURIComponent(value.toWellFormed()) : value;
  });
}
