const suffixes: Readonly<Record<string, string>> = { 'us-east': 'UsEast', eu: 'Eu', apac: 'Apac' };

/**
 * A demand object's URL for a region (`ZoneUrlEu`, `FeedUrlApac`); where that is blank, or the region has none, the
 * first one that is set. `""` where none is.
 */
export function regionalUrl(
  document: Readonly<Record<string, unknown>>,
  prefix: 'ZoneUrl' | 'FeedUrl',
  region: string,
): string {
  const order = [suffixes[region], ...Object.values(suffixes)];
  const urls = order.map((suffix) => String(document[`${prefix}${suffix}`] ?? ''));
  return urls.find((url) => url !== '') ?? '';
}
