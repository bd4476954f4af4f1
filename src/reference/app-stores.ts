interface AppStore {
  readonly hosts: readonly string[];
  /** The URL's parameter that names the app; absent: the path does. */
  readonly parameter?: string;
  /** Form of bundles whose page follows from them. */
  readonly bundle?: RegExp;
  /** The page's URL without scheme and bundle. */
  readonly page?: string;
}

/** Their pages say whether an app exists and who made it. */
export const appStores: readonly AppStore[] = [
  {
    hosts: ['play.google.com'],
    parameter: 'id',
    bundle: /^[A-Za-z]\w*(\.\w+)+$/,
    page: 'play.google.com/store/apps/details?id=',
  },
  {
    hosts: ['apps.apple.com', 'itunes.apple.com'],
    bundle: /^\d{6,12}$/,
    page: 'apps.apple.com/app/id',
  },
  { hosts: ['www.amazon.com', 'amazon.com'] },
  { hosts: ['channelstore.roku.com'] },
  { hosts: ['apps.microsoft.com'] },
  { hosts: ['galaxystore.samsung.com'] },
  { hosts: ['apps.samsung.com'], parameter: 'appId' },
  { hosts: ['appgallery.huawei.com'] },
];
