/** Values for the substitution macros of OpenRTB 2.6 section 4.4, by their names without `AUCTION_`. */
export interface MacroValues {
  readonly ID: string;
  readonly BID_ID: string;
  readonly IMP_ID: string;
  readonly SEAT_ID: string;
  readonly AD_ID: string;
  readonly PRICE: string;
  readonly CURRENCY: string;
  readonly MBR: string;
  readonly LOSS: string;
  readonly MIN_TO_WIN: string;
  /** Milliseconds since 1970. */
  readonly IMP_TS: string;
}

/** A macro as it stands where somebody else is to fill it. */
export function macroOf(name: keyof MacroValues): string {
  return `\${AUCTION_${name}}`;
}

/** In the place of a value: the macro stays as it is written, for whoever knows the value later. */
export const leftOpen = Symbol('left open');

/** Values for some macros. */
export type Fillings = { readonly [Name in keyof MacroValues]?: string | typeof leftOpen };

/** Also where a URL that holds macros stands, encoded, in another's query. */
const macro = /(?:\$|%24)(?:\{|%7B)AUCTION_([A-Z_]{2,12})(?:(?::|%3A)(\w{1,16}))?(?:\}|%7D)/gi;

const encodings: Readonly<Record<string, (value: string) => string>> = {
  B64: (value) => Buffer.from(value).toString('base64'),
};

/** The macros of the standard; of those in the last line no value of ours ever tells: they are removed. */
const known: ReadonlySet<string> = new Set([
  ...'ID BID_ID IMP_ID SEAT_ID AD_ID PRICE CURRENCY MBR LOSS MIN_TO_WIN IMP_TS'.split(' '),
  ...'MULTIPLIER DISCOUNT_PCT DISCOUNT_CPM'.split(' '),
]);

function encode(value: string, encoding: string | undefined): string {
  if (encoding === undefined || value === '') return value;
  return Object.hasOwn(encodings, encoding) ? (encodings[encoding]?.(value) ?? '') : '';
}

/**
 * Fills the `${AUCTION_…}` macros of a notice URL or of markup. A value that is not known is `""`, which removes the
 * macro; so does an encoding (`${AUCTION_PRICE:X}`) other than `B64`, lest a value go out open that was to be closed.
 * What is no macro of the standard stays.
 */
export function fillMacros(text: string, values: Fillings): string {
  if (!text.includes('AUCTION_')) return text;
  return text.replace(macro, (whole, name: string, encoding: string | undefined) => {
    if (!known.has(name)) return whole;
    const told = values[name as keyof MacroValues] ?? '';
    if (told === leftOpen) return whole;
    const value = encode(told, encoding);
    return whole.includes('%') ? encodeURIComponent(value.toWellFormed()) : value;
  });
}
