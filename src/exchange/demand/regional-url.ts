import type { DemandKindName, SettingsOf } from '../../entities/kinds.ts';

const regions = ['us-east', 'eu', 'apac'];

/** Field names in the order of the regions. Written out, because V8 looks up a concatenated name more slowly. */
const fields = {
  ZoneUrl: ['ZoneUrlUsEast', 'ZoneUrlEu', 'ZoneUrlApac'],
  FeedUrl: ['FeedUrlUsEast', 'FeedUrlEu', 'FeedUrlApac'],
} as const;

/**
 * A demand object's URL for a region (`ZoneUrlEu`, `FeedUrlApac`). If that is blank, or the region has no field, the
 * first URL that is set; `""` if none is.
 */
export function regionalUrl(
  settings: SettingsOf<DemandKindName>,
  prefix: keyof typeof fields,
  region: string,
): string {
  const names = fields[prefix];
  const own = names[regions.indexOf(region)];
  const set = own !== undefined && settings[own] ? own : names.find((name) => settings[name]);
  return set === undefined ? '' : (settings[set] ?? '');
}
