/** Generation of the VAST schema: everything before 4.0 follows 3.0's order of elements, 4.x that of 4.0. */
export type Generation = 3 | 4;

const order: Readonly<Record<Generation, Readonly<Record<string, readonly string[]>>>> = {
  3: {
    inline: [
      ...['AdSystem', 'AdTitle', 'Description', 'Advertiser', 'Pricing', 'Survey'],
      ...['Error', 'Impression', 'Creatives', 'Extensions'],
    ],
    wrapper: ['AdSystem', 'VASTAdTagURI', 'Error', 'Impression', 'Creatives', 'Extensions'],
    creative: ['Linear', 'CompanionAds', 'NonLinearAds'],
    linear: [
      ...['Icons', 'CreativeExtensions', 'Duration', 'TrackingEvents', 'AdParameters'],
      ...['VideoClicks', 'MediaFiles'],
    ],
    videoclicks: ['ClickThrough', 'ClickTracking', 'CustomClick'],
    nonlinear: [
      ...['StaticResource', 'IFrameResource', 'HTMLResource', 'CreativeExtensions'],
      ...['NonLinearClickTracking', 'NonLinearClickThrough', 'AdParameters'],
    ],
  },
  4: {
    inline: [
      ...['AdSystem', 'Error', 'Extensions', 'Impression', 'Pricing', 'ViewableImpression', 'AdServingId'],
      ...[
        'AdTitle',
        'AdVerifications',
        'Advertiser',
        'Category',
        'Creatives',
        'Description',
        'Expires',
        'Survey',
      ],
    ],
    wrapper: [
      ...['AdSystem', 'Error', 'Extensions', 'Impression', 'Pricing', 'ViewableImpression'],
      ...['AdVerifications', 'BlockedAdCategories', 'Creatives', 'VASTAdTagURI'],
    ],
    creative: ['CompanionAds', 'CreativeExtensions', 'Linear', 'NonLinearAds', 'UniversalAdId'],
    linear: ['Icons', 'TrackingEvents', 'AdParameters', 'Duration', 'MediaFiles', 'VideoClicks'],
    videoclicks: ['ClickTracking', 'CustomClick', 'ClickThrough'],
    nonlinear: [
      ...['HTMLResource', 'IFrameResource', 'StaticResource', 'AdParameters'],
      ...['NonLinearClickThrough', 'NonLinearClickTracking'],
    ],
  },
};

/** The children of an element in the order in which the schema wants them; empty where the order does not matter. */
export function orderIn(generation: Generation, parent: string): readonly string[] {
  return order[generation][parent.toLowerCase()] ?? [];
}

/** The same order, but with keys, which are names in lower case. */
const keysIn = Object.fromEntries(
  Object.entries(order).map(([generation, parents]) => {
    const keys = Object.entries(parents).map(
      ([parent, names]) => [parent, names.map((name) => name.toLowerCase())] as const,
    );
    return [generation, new Map(keys)] as const;
  }),
);

/** The keys of the children that the schema wants after child `name`, in a parent of key `parentKey`. */
export function laterIn(generation: Generation, parentKey: string, name: string): readonly string[] {
  const keys = keysIn[generation]?.get(parentKey) ?? [];
  return keys.slice(keys.indexOf(name.toLowerCase()) + 1);
}

/** Which schema a document of this `version` follows. */
export function generationOf(version: string): Generation {
  return Number.parseFloat(version) >= 4 ? 4 : 3;
}
