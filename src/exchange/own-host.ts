let known = { baseUrl: '', host: '' };

/** Host of this exchange: its advertising system in supply chains, its site where it hides the publisher's. */
export function ownHost(baseUrl: string): string {
  // The same for every auction but those of tests.
  if (known.baseUrl !== baseUrl) known = { baseUrl, host: URL.parse(baseUrl)?.hostname ?? '' };
  return known.host;
}
