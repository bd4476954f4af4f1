/** Kinds of ad by the codes of the Deals API 1.0 (`adtypes`), and the medium of each. */
export const adTypes = {
  1: { name: 'Banner', medium: 'banner' },
  2: { name: 'Video', medium: 'video' },
  3: { name: 'Audio', medium: 'audio' },
  4: { name: 'Native', medium: 'native' },
} as const;
