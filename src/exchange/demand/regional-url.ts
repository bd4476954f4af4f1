const regions = ['us-east', 'eu', 'apac'];

/** Names of the fields in the order of the regions; whole, as a name put together is one that has to be looked up. */
const fields = {
  ZoneUrl: ['ZoneUrlUsEast', 'ZoneUrlEu', 'ZoneUrlApac'],
  FeedUrl: ['FeedUrlUsEast', 'FeedUrlEu', 'FeedUrlApac'],
} as const;

/**
 * A demand object's URL for a region (`ZoneUrlEu`, `FeedUrlApac`); where that is blank, or the region has none, the
 * first one that is set. `""` where none is.
 */
export function regionalUrl(
  document: Readonly<Record<string, unknown>>,
  prefix: keyof typeof fields,
  region: string,
): string {
  const names = fields[prefix];
  const own = names[regions.indexOf(region)];
  const set = own !== undefined && document[own] ? own : names.find((name) => document[name]);
  return set === undefined ? '' : String(document[set]);
}
