let known = { baseUrl: '', host: '' };

/** Our advertising system in supply chains, and the site shown if the publisher's is hidden. */
export function ownHost(baseUrl: string): string {
  // The same except in tests.
  if (known.baseUrl !== baseUrl) known = { baseUrl, host: URL.parse(baseUrl)?.hostname ?? '' };
  return known.host;
}
