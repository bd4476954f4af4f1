const suffixes: Readonly<Record<string, string>> = { 'us-east': 'UsEast', eu: 'Eu', apac: 'Apac' };
const allSuffixes = Object.values(suffixes);

/**
 * A demand object's URL for a region (`ZoneUrlEu`, `FeedUrlApac`); where that is blank, or the region has none, the
 * first one that is set. `""` where none is.
 */
export function regionalUrl(
  document: Readonly<Record<string, unknown>>,
  prefix: 'ZoneUrl' | 'FeedUrl',
  region: string,
): string {
  for (const suffix of [suffixes[region], ...allSuffixes]) {
    const url = suffix === undefined ? undefined : document[`${prefix}${suffix}`];
    if (url) return String(url);
  }
  return '';
}
