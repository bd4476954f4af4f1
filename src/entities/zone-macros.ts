/** Filled by players or pages, in the order of the specification. */
const macros = [
  'ip', 'ua', 'width', 'height', 'linearity', 'pos', 'placement', 'site_url', 'app_bundle', 'app_name',
  'app_store_url', 'bidfloor', 'minduration', 'maxduration', 'startdelay', 'category', 'device_type',
  'device_make', 'device_model', 'os', 'osv', 'lang', 'ifa', 'series', 'season', 'context', 'cb',
] as const; // biome-ignore format: a list of words

const videoMacros: readonly string[] = [
  'linearity',
  'placement',
  'minduration',
  'maxduration',
  'startdelay',
  'series',
  'season',
  'context',
];

function query(names: readonly string[]): string {
  return names.map((name) => `&${name}={${name}}`).join('');
}

export const vastQuery = query(macros);

/** All but the macros that only a video has. */
export const bannerQuery = query(macros.filter((name) => !videoMacros.includes(name)));
