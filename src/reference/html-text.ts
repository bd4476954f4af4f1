const references: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** For elements, and for attributes in either quotes. */
export const htmlText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => references.get(sign) ?? sign);
