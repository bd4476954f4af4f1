/** ISO 4217 codes of today and before, without metals and funds (`X…`), whose units are worth too much or nothing. */
const codes: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf('currency').filter(
    (code) => !code.startsWith('X') || /^X(?:AF|CD|CG|OF|PF)$/.test(code),
  ),
);

/** Upper case. */
export const isCurrencyCode = (value: string): boolean => codes.has(value);
