import type { DemandKindName, SettingsOf } from '../../entities/kinds.ts';

const regions = ['us-east', 'eu', 'apac'];

/** Written out, because V8 looks up concatenated names more slowly. */
const fields = {
  ZoneUrl: ['ZoneUrlUsEast', 'ZoneUrlEu', 'ZoneUrlApac'],
  FeedUrl: ['FeedUrlUsEast', 'FeedUrlEu', 'FeedUrlApac'],
} as const;

/** The URL for a region (`ZoneUrlEu`); if it is blank or unknown, the first URL that is set, or `""`. */
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
