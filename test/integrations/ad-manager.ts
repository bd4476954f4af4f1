const consent: Readonly<Record<string, string>> = {
  GDPR: '0',
  // For a vendor that the code names alone.
  GDPR_CONSENT_9999: 'CPX',
  GPP_STRING_9999: 'DBABTA',
};

/**
 * Code as Google Ad Manager serves it on a page for a request with these key-values: macros of its help and of the IAB
 * are filled in, and empty where it knows nothing.
 */
export function servedByAdManager(
  code: string,
  page: string,
  keys: Readonly<Record<string, string>> = {},
): string {
  const lists = Object.fromEntries(Object.entries(keys).map(([key, value]) => [key, [value]]));
  const macros: Readonly<Record<string, string>> = {
    REFERRER_URL_ESC: encodeURIComponent(page),
    CACHEBUSTER: '4711',
    CLICK_URL_UNESC: 'https://adclick.g.doubleclick.net/pcs/click?adurl=',
    ADVERTISING_IDENTIFIER_IS_LAT: '0',
    'PATTERN:url': page,
    'PATTERN:TARGETINGMAP': JSON.stringify(lists),
    ...Object.fromEntries(Object.entries(keys).map(([key, value]) => [`PATTERN:${key}`, value])),
  };
  return code
    .replaceAll(/%%([\w:]+)%%/g, (_, name: string) => macros[name] ?? '')
    .replaceAll(/\$\{(\w+)\}/g, (_, name: string) => consent[name] ?? '');
}
