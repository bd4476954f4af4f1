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

/** Of TCF, GPP and US Privacy for URLs, by names without a vendor's number. */
export type PrivacyValues = Readonly<
  Record<'GDPR' | 'GDPR_CONSENT' | 'US_PRIVACY' | 'GPP_STRING' | 'GPP_SID', string>
>;

/** For somebody else to fill. */
export function macroOf(name: keyof MacroValues): string {
  return `\${AUCTION_${name}}`;
}

/** Leaves a macro as it is, to be filled later. */
export const unfilled = Symbol('left open');

export type PartialMacroValues = {
  readonly [Name in keyof MacroValues]?: string | typeof unfilled;
} & Partial<PrivacyValues>;

/** Also URL-encoded, as in a parameter of another URL. */
const macro = /(?:\$|%24)(?:\{|%7B)AUCTION_([A-Z_]{2,12})(?:(?::|%3A)(\w{1,16}))?(?:\}|%7D)/gi;

const privacyMacro =
  /(?:\$|%24)(?:\{|%7[Bb])(?:(GDPR|US_PRIVACY|GPP_SID)|(GDPR_CONSENT|GPP_STRING)(?:_\d{1,6})?)(?:\}|%7[Dd])/g;

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

/** Fills `${GDPR}` and its like for any vendor, URL-encoded; `""` removes a macro. */
export function fillPrivacyMacros(text: string, values: Partial<PrivacyValues>): string {
  if (!/GDPR|US_PRIVACY|GPP_S/.test(text)) return text;
  return text.replace(privacyMacro, (_, name?: keyof PrivacyValues, ofVendor?: keyof PrivacyValues) =>
    encodeURIComponent(values[name ?? ofVendor ?? 'GDPR'] ?? ''),
  );
}

/**
 * Fills `${AUCTION_…}` and the macros of privacy. `""` removes a macro, and so does an encoding other than `B64`, so that no value meant to be
 * encrypted goes out plain. Other macros stay.
 */
export function fillMacros(written: string, values: PartialMacroValues): string {
  const text = fillPrivacyMacros(written, values);
  if (!text.includes('AUCTION_')) return text;
  return text.replace(macro, (whole, name: string, encoding: string | undefined) => {
    if (!known.has(name)) return whole;
    const given = values[name as keyof MacroValues] ?? '';
    if (given === unfilled) return whole;
    const value = encode(given, encoding);
    return whole.includes('%') ? encodeURIComponent(value.toWellFormed()) : value;
  });
}
